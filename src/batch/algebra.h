/* SPDX-License-Identifier: MIT */
/* Vectors, quaternions and 3x3 matrices whose numbers are REAL: one number, or one for each of several rods side by
   side. For batch/rod.h, which says what is defined before. It may be included twice, with other names and another REAL
   (batch/low_names.h). */

typedef struct vec {
  REAL x, y, z;
} vec;

typedef struct quat {
  REAL w, x, y, z;
} quat;

/* Columns. */
typedef struct mat {
  vec a, b, c;
} mat;

FN vec vec_of(REAL x, REAL y, REAL z) {
  vec v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

FN quat quat_of(REAL w, REAL x, REAL y, REAL z) {
  quat q;
  q.w = w;
  q.x = x;
  q.y = y;
  q.z = z;
  return q;
}

FN mat mat_of(vec a, vec b, vec c) {
  mat m;
  m.a = a;
  m.b = b;
  m.c = c;
  return m;
}

FN vec no_vec(void) {
  return vec_of(SPLAT(0), SPLAT(0), SPLAT(0));
}

FN vec plus(vec a, vec b) {
  return vec_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

FN vec minus(vec a, vec b) {
  return vec_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

FN vec times(REAL f, vec a) {
  return vec_of(f * a.x, f * a.y, f * a.z);
}

/* By a number that all rods share. */
FN vec scaled(RS f, vec a) {
  return vec_of(f * a.x, f * a.y, f * a.z);
}

FN REAL inner(vec a, vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

FN vec cross(vec a, vec b) {
  return vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* diag(d) a */
FN vec each(vec d, vec a) {
  return vec_of(d.x * a.x, d.y * a.y, d.z * a.z);
}

FN vec apply(mat m, vec v) {
  return plus(plus(times(v.x, m.a), times(v.y, m.b)), times(v.z, m.c));
}

FN vec apply_transposed(mat m, vec v) {
  return vec_of(inner(m.a, v), inner(m.b, v), inner(m.c, v));
}

FN mat mat_plus(mat a, mat b) {
  return mat_of(plus(a.a, b.a), plus(a.b, b.b), plus(a.c, b.c));
}

FN mat mat_minus(mat a, mat b) {
  return mat_of(minus(a.a, b.a), minus(a.b, b.b), minus(a.c, b.c));
}

FN mat mat_scaled(RS f, mat a) {
  return mat_of(scaled(f, a.a), scaled(f, a.b), scaled(f, a.c));
}

FN mat mat_times(REAL f, mat a) {
  return mat_of(times(f, a.a), times(f, a.b), times(f, a.c));
}

/* diag(d) m */
FN mat rows_scaled(vec d, mat m) {
  return mat_of(each(d, m.a), each(d, m.b), each(d, m.c));
}

FN mat product(mat m, mat n) {
  return mat_of(apply(m, n.a), apply(m, n.b), apply(m, n.c));
}

FN mat transposed(mat m) {
  return mat_of(vec_of(m.a.x, m.b.x, m.c.x), vec_of(m.a.y, m.b.y, m.c.y), vec_of(m.a.z, m.b.z, m.c.z));
}

/* m^T n */
FN mat transposed_product(mat m, mat n) {
  return mat_of(apply_transposed(m, n.a), apply_transposed(m, n.b), apply_transposed(m, n.c));
}

FN mat diagonal(vec d) {
  const REAL z = SPLAT(0);
  return mat_of(vec_of(d.x, z, z), vec_of(z, d.y, z), vec_of(z, z, d.z));
}

FN mat add_diagonal(mat m, vec d) {
  m.a.x = m.a.x + d.x;
  m.b.y = m.b.y + d.y;
  m.c.z = m.c.z + d.z;
  return m;
}

FN mat no_mat(void) {
  return mat_of(no_vec(), no_vec(), no_vec());
}

/* [v]x, and a b^T */
FN mat skew(vec v) {
  const REAL z = SPLAT(0);
  return mat_of(vec_of(z, v.z, -v.y), vec_of(-v.z, z, v.x), vec_of(v.y, -v.x, z));
}

FN mat outer(vec a, vec b) {
  return mat_of(times(b.x, a), times(b.y, a), times(b.z, a));
}

/* [v]x m, and m [v]x */
FN mat skew_times(vec v, mat m) {
  return mat_of(cross(v, m.a), cross(v, m.b), cross(v, m.c));
}

FN mat times_skew(mat m, vec v) {
  return mat_of(minus(times(v.z, m.b), times(v.y, m.c)), minus(times(v.x, m.c), times(v.z, m.a)),
                minus(times(v.y, m.a), times(v.x, m.b)));
}

FN quat quat_plus(quat a, quat b) {
  return quat_of(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z);
}

FN quat quat_minus(quat a, quat b) {
  return quat_of(a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z);
}

FN quat quat_scaled(RS f, quat q) {
  return quat_of(f * q.w, f * q.x, f * q.y, f * q.z);
}

FN quat quat_times(REAL f, quat q) {
  return quat_of(f * q.w, f * q.x, f * q.y, f * q.z);
}

FN REAL quat_inner(quat a, quat b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

FN vec pure(quat q) {
  return vec_of(q.x, q.y, q.z);
}

FN quat conjugate(quat q) {
  return quat_of(q.w, -q.x, -q.y, -q.z);
}

FN quat quat_product(quat a, quat b) {
  return quat_of(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                 a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

/* conj(a) b */
FN quat between(quat a, quat b) {
  return quat_of(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                 a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w);
}

FN quat unit(quat q) {
  return quat_times(INV_SQRT(quat_inner(q, q)), q);
}

FN mat rotation(quat p) {
  const REAL x2 = p.x + p.x, y2 = p.y + p.y, z2 = p.z + p.z;
  const REAL xx = x2 * p.x, yy = y2 * p.y, zz = z2 * p.z, xy = x2 * p.y, xz = x2 * p.z, yz = y2 * p.z;
  const REAL wx = x2 * p.w, wy = y2 * p.w, wz = z2 * p.w;
  const RS one = (RS)1;
  return mat_of(vec_of(one - yy - zz, xy + wz, xz - wy), vec_of(xy - wz, one - xx - zz, yz + wx),
                vec_of(xz + wy, yz - wx, one - xx - yy));
}
