/* SPDX-License-Identifier: MIT */
#include "sundials/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "integrate/lanes.h"

typedef struct content {
  const wy_system *system;
  int size; /* a multiple of WY_LANES, the integrals included */
  double *data;
} content;

static content *content_of(N_Vector vector) {
  return vector->content;
}

double *wy_vector_data(N_Vector vector) {
  return content_of(vector)->data;
}

/* ---- Kernels. Results may be one of the arguments: entry by entry this is safe. ---- */

WY_CLONES
static void linear_sum(double a, const double *x, double b, const double *y, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = a * x[i] + b * y[i];
}

WY_CLONES
static void fill(double c, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = c;
}

WY_CLONES
static void multiply(const double *x, const double *y, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = x[i] * y[i];
}

WY_CLONES
static void divide(const double *x, const double *y, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = x[i] / y[i];
}

WY_CLONES
static void scale(double c, const double *x, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = c * x[i];
}

WY_CLONES
static void absolute(const double *x, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = fabs(x[i]);
}

WY_CLONES
static void invert(const double *x, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = 1 / x[i];
}

WY_CLONES
static void add_constant(const double *x, double b, double *z, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    z[i] = x[i] + b;
}

WY_CLONES
static double largest(const double *restrict x, const double *restrict weight, int n) {
  double most = 0;
#pragma omp simd reduction(max : most)
  for (int i = 0; i < n; i++) {
    double size = weight[i] * fabs(x[i]);
    most = size > most ? size : most;
  }
  return most;
}

/* The root mean square over the unknowns, as wy_weighted_norm takes it. */
WY_CLONES
static double mean_square(const double *restrict x, const double *restrict w, const double *restrict weight, int n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    double q = x[i] * w[i];
    sum += weight[i] * q * q;
  }
  return sum;
}

/* The same for systems whose worst point counts. */
WY_CLONES
static double worst_point(const double *restrict x, const double *restrict w, const wy_system *system) {
  const double *restrict weight = system->weight;
  double worst = 0;
  for (int p = 0; p < system->norm_count; p++) {
    const wy_norm_part part = system->norm_parts[p];
    for (int first = part.offset; first < part.offset + part.stride; first += WY_LANES) {
      double sum[WY_LANES] = {0};
      for (int row = 0; row < part.size / part.stride; row++)
#pragma omp simd
        for (int lane = 0; lane < WY_LANES; lane++) {
          int i = row * part.stride + first + lane;
          double q = x[i] * w[i];
          sum[lane] += weight[i] * q * q;
        }
      worst = wy_worst_lane(worst, sum);
    }
  }
  return worst;
}

/* z = sum of c[k] x[k] for as many terms as there are: unrolled by the compiler for each count. */
WY_INLINE void combine(int count, const double *c, double *const *x, int n, double *z) {
  const double c0 = c[0], c1 = count > 1 ? c[1] : 0, c2 = count > 2 ? c[2] : 0, c3 = count > 3 ? c[3] : 0,
               c4 = count > 4 ? c[4] : 0, c5 = count > 5 ? c[5] : 0, c6 = count > 6 ? c[6] : 0;
  const double *x0 = x[0], *x1 = count > 1 ? x[1] : x0, *x2 = count > 2 ? x[2] : x0, *x3 = count > 3 ? x[3] : x0,
               *x4 = count > 4 ? x[4] : x0, *x5 = count > 5 ? x[5] : x0, *x6 = count > 6 ? x[6] : x0;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double sum = c0 * x0[i];
    if (count > 1)
      sum += c1 * x1[i];
    if (count > 2)
      sum += c2 * x2[i];
    if (count > 3)
      sum += c3 * x3[i];
    if (count > 4)
      sum += c4 * x4[i];
    if (count > 5)
      sum += c5 * x5[i];
    if (count > 6)
      sum += c6 * x6[i];
    z[i] = sum;
  }
}

WY_CLONES
void wy_combine(int count, const double *c, double *const *x, int n, double *z) {
  switch (count) {
  case 1:
    combine(1, c, x, n, z);
    break;
  case 2:
    combine(2, c, x, n, z);
    break;
  case 3:
    combine(3, c, x, n, z);
    break;
  case 4:
    combine(4, c, x, n, z);
    break;
  case 5:
    combine(5, c, x, n, z);
    break;
  case 6:
    combine(6, c, x, n, z);
    break;
  default:
    combine(WY_VECTOR_TERMS, c, x, n, z);
  }
}

WY_CLONES
static void error_weights(double relative, double smallest, const double *restrict y, double *restrict w, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    w[i] = 1 / (smallest + relative * fabs(y[i]));
}

void wy_vector_weights(const wy_integrator *integrator, N_Vector y, N_Vector weights) {
  const content *c = content_of(y);
  error_weights(integrator->relative, integrator->absolute, c->data, wy_vector_data(weights), c->size);
}

/* ---- The table of operations ---- */

static N_Vector_ID identify(N_Vector vector) {
  (void)vector;
  return SUNDIALS_NVEC_CUSTOM;
}

static sunindextype length(N_Vector vector) {
  return content_of(vector)->system->unknowns;
}

static void op_linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) {
  linear_sum(a, wy_vector_data(x), b, wy_vector_data(y), wy_vector_data(z), content_of(z)->size);
}

static void op_const(realtype c, N_Vector z) {
  fill(c, wy_vector_data(z), content_of(z)->size);
}

static void op_prod(N_Vector x, N_Vector y, N_Vector z) {
  multiply(wy_vector_data(x), wy_vector_data(y), wy_vector_data(z), content_of(z)->size);
}

static void op_div(N_Vector x, N_Vector y, N_Vector z) {
  divide(wy_vector_data(x), wy_vector_data(y), wy_vector_data(z), content_of(z)->size);
}

static void op_scale(realtype c, N_Vector x, N_Vector z) {
  const content *from = content_of(x);
  if (c == 1 && x != z)
    memcpy(wy_vector_data(z), from->data, (size_t)from->size * sizeof(double));
  else if (c != 1)
    scale(c, from->data, wy_vector_data(z), from->size);
}

static void op_abs(N_Vector x, N_Vector z) {
  absolute(wy_vector_data(x), wy_vector_data(z), content_of(z)->size);
}

static void op_inv(N_Vector x, N_Vector z) {
  invert(wy_vector_data(x), wy_vector_data(z), content_of(z)->size);
}

static void op_add_const(N_Vector x, realtype b, N_Vector z) {
  add_constant(wy_vector_data(x), b, wy_vector_data(z), content_of(z)->size);
}

static realtype op_max_norm(N_Vector x) {
  const content *c = content_of(x);
  return largest(c->data, c->system->weight, c->system->size);
}

static realtype op_min(N_Vector x) {
  const content *c = content_of(x);
  double least = (double)INFINITY;
  for (int i = 0; i < c->system->size; i++)
    if (c->system->weight[i] > 0 && c->data[i] < least)
      least = c->data[i];
  return least;
}

static realtype op_wrms_norm(N_Vector x, N_Vector w) {
  const content *c = content_of(x);
  const wy_system *system = c->system;
  if (system->norm_count > 0)
    return 2 * sqrt(worst_point(c->data, wy_vector_data(w), system));
  return sqrt(mean_square(c->data, wy_vector_data(w), system->weight, system->size) / system->unknowns);
}

static int op_linear_combination(int count, realtype *c, N_Vector *x, N_Vector z) {
  double *data[WY_VECTOR_TERMS];
  if (count < 1 || count > WY_VECTOR_TERMS)
    return -1;
  for (int k = 0; k < count; k++)
    data[k] = wy_vector_data(x[k]);
  wy_combine(count, c, data, content_of(z)->size, wy_vector_data(z));
  return 0;
}

static void destroy(N_Vector vector) {
  if (!vector)
    return;
  if (vector->content)
    free(content_of(vector)->data);
  free(vector->content);
  vector->content = NULL;
  N_VFreeEmpty(vector);
}

static int attach(N_Vector vector, const wy_system *system, int size) {
  size_t bytes = (size_t)wy_padded(size) * sizeof(double);
  content *c = calloc(1, sizeof *c);
  vector->content = c;
  if (!c)
    return -1;
  *c = (content){.system = system, .size = wy_padded(size), .data = aligned_alloc(WY_ALIGNMENT, bytes)};
  if (!c->data)
    return -1;
  memset(c->data, 0, bytes);
  return 0;
}

static N_Vector clone(N_Vector like) {
  N_Vector made = N_VNewEmpty(like->sunctx);
  if (made && (N_VCopyOps(like, made) || attach(made, content_of(like)->system, content_of(like)->size))) {
    destroy(made);
    return NULL;
  }
  return made;
}

N_Vector wy_vector_new(const wy_integrator *integrator, SUNContext context) {
  N_Vector made = N_VNewEmpty(context);
  if (!made)
    return NULL;
  *made->ops = (struct _generic_N_Vector_Ops){.nvgetvectorid = identify,
                                              .nvclone = clone,
                                              .nvdestroy = destroy,
                                              .nvgetlength = length,
                                              .nvlinearsum = op_linear_sum,
                                              .nvconst = op_const,
                                              .nvprod = op_prod,
                                              .nvdiv = op_div,
                                              .nvscale = op_scale,
                                              .nvabs = op_abs,
                                              .nvinv = op_inv,
                                              .nvaddconst = op_add_const,
                                              .nvmaxnorm = op_max_norm,
                                              .nvwrmsnorm = op_wrms_norm,
                                              .nvmin = op_min,
                                              .nvlinearcombination = op_linear_combination};
  if (attach(made, integrator->system, integrator->size)) {
    destroy(made);
    return NULL;
  }
  return made;
}
