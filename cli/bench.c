/* SPDX-License-Identifier: MIT */
/* withy bench: the benchmarks, as a table or as JSON. */
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "cli/bench_integrators.h"
#include "cli/cli.h"

static int enter(int argc, char **argv);
static const char *benchmark_name(int number);

enum { JSON = WY_LONG_ONLY };

const wy_verb wy_verb_bench = {
    .name = "bench",
    .summary = "run the benchmarks",
    .operands = {{.name = "[NAME]", .word = benchmark_name}},
    .text =
        "Runs the benchmark NAME and prints its results. Without NAME it runs all benchmarks except peers, sweep, "
        "poses "
        "and auto.\n"
        "\n"
        "The benchmarks:\n"
        "- kernels: nanoseconds per segment for one right-hand side, Jacobian, factorisation and solve (null-space "
        "form, real and complex), compared with a vectorised loop of the same number of multiply-adds\n"
        "- constrained: right-hand side, projection and a step of DOPRI5 and RODAS for rods without shear and "
        "extension, "
        "compared with a Cosserat rod\n"
        "- statics: the published quasistatic test: increments, Newton iterations, time per equilibrium; and the time "
        "of a Newton iteration for several numbers of segments\n"
        "- poses: equilibria of a rod with both ends clamped, for 300 random poses of its end, with all schemes and "
        "kinds: how many are found, and in which way (takes minutes)\n"
        "- mixed: 150 steps of the flying spaghetti with the mixed scheme; and the time of a Newton iteration for "
        "several numbers of elements, orders and kinds\n"
        "- box: time steps of a coil spring and of a released cantilever with the box scheme\n"
        "- conserving: time steps of a twisted falling rod with the conserving scheme\n"
        "- network: factoring the linear systems of a ring, a gridshell and a tree of rods, compared with their rods "
        "alone\n"
        "- contact: what obstacles cost a rod out of reach, near them and on them, and a rod that is dropped\n"
        "- rods: 1000 rods that are not joined, by one thread and by several\n"
        "- batch: a solve of many rods at once in each precision, and a batch of rubber rods compared with "
        "simulations of the same rods\n"
        "- integrators: the published rubber rod and steel string with all integrators: time, real-time factor, "
        "error\n"
        "- stride: hair and rubber shown at sixty pictures a second, by steps of one length and by error control: "
        "time and error\n"
        "- space: two cantilevers that fall, with the grids and schemes that are best for them: error and time\n"
        "- files: a run of the built-in rubber-pendulum: time for files compared with time for computing; and time "
        "and size of its exports\n"
        "- single: what a user waits for: two cantilevers, the flying spaghetti, the rubber pendulum, 1000 rods, an "
        "equilibrium; computing and with files, beside goals\n"
        "- peers: the two cantilevers by withy and by whichever of PyElastica, MuJoCo and Exudyn is installed for "
        "python3: time and error\n"
        "- sweep: a sweep of 10000 runs of a millisecond, compared with a plain loop of them; with one thread and two "
        "(takes a minute)\n"
        "- auto: the choice of the integrator 'auto' compared with all others, for many rods and tolerances (takes "
        "minutes)\n",
    .options = {{.code = JSON, .name = "json", .text = "print JSON instead of a table"}},
    .exits = {"done", "a benchmark failed", "there is no such benchmark"},
    .run = enter,
};

static const int sizes[] = {10, 100, 1000, 10000};
enum { SIZES = sizeof sizes / sizeof sizes[0], COMPARED = 1 /* N = 100: what long rods are compared with */ };

static bool failed(const char *name, int status) {
  if (status)
    fprintf(stderr, "withy bench: %s: failed with status %d; is there enough memory?\n", name, status);
  return status != 0;
}

/* ---- kernels ---- */

static void print_kernels(const wy_kernel_figures all[SIZES]) {
  printf("ns per segment (null-space form, damped rod; smallest of 9 repetitions)\n\n");
  printf("%9s %8s %9s %8s %8s %10s %9s %10s %10s\n", "segments", "rhs", "Jacobian", "factor", "solve", "factor (c)",
         "solve (c)", "floor rhs", "floor 600");
  for (int i = 0; i < SIZES; i++)
    printf("%9d %8.1f %9.1f %8.1f %8.1f %10.1f %9.1f %10.1f %10.1f\n", all[i].segments, all[i].rhs, all[i].jacobian,
           all[i].factor, all[i].solve, all[i].factor_complex, all[i].solve_complex, all[i].floor_rhs,
           all[i].floor_600);
  printf("\n%9s %8s %8s %10s %9s %12s %12s\n", "exchanges", "factor", "solve", "factor (c)", "solve (c)", "residual",
         "without");
  for (int i = 0; i < SIZES; i++)
    printf("%9d %8.1f %8.1f %10.1f %9.1f %12.1e %12.1e\n", all[i].segments, all[i].exchanged_factor,
           all[i].exchanged_solve, all[i].exchanged_factor_complex, all[i].exchanged_solve_complex,
           all[i].exchanged_residual, all[i].residual);
  const wy_kernel_figures *at = &all[COMPARED], *large = &all[SIZES - 1];
  printf("\nat N = %d: rhs / floor of its %d flops %.2f, rhs / floor of 600 flops %.2f, Jacobian / rhs %.2f, factor + "
         "solve %.0f ns\n",
         at->segments, WY_RHS_FLOPS, at->rhs / at->floor_rhs, at->rhs / at->floor_600, at->jacobian / at->rhs,
         at->factor + at->solve);
  printf("N = %d against N = %d: rhs %.2f, Jacobian %.2f, factor %.2f, solve %.2f\n", large->segments, at->segments,
         large->rhs / at->rhs, large->jacobian / at->jacobian, large->factor / at->factor, large->solve / at->solve);
  printf("(c): complex. The floor is a loop of fused multiply-adds that does nothing else. exchanges: the same with "
         "exchanges of scaled rows;\nresidual: at a shift of 1, against the right-hand side; without: without "
         "exchanges.\n");
}

static bool run_kernels(bool json) {
  wy_kernel_figures all[SIZES];
  for (int i = 0; i < SIZES; i++)
    if (failed("kernels", wy_bench_kernels(sizes[i], &all[i])))
      return false;
  if (!json) {
    print_kernels(all);
    return true;
  }
  printf("\"kernels\": [");
  for (int i = 0; i < SIZES; i++)
    printf("%s\n  {\"segments\": %d, \"rhs\": %.2f, \"jacobian\": %.2f, \"factor\": %.2f, \"solve\": %.2f, "
           "\"factor_complex\": %.2f, \"solve_complex\": %.2f, \"floor_rhs\": %.2f, \"floor_600\": %.2f, "
           "\"exchanged_factor\": %.2f, \"exchanged_solve\": %.2f, \"exchanged_factor_complex\": %.2f, "
           "\"exchanged_solve_complex\": %.2f, \"residual\": %.2e, \"exchanged_residual\": %.2e}",
           i ? "," : "", all[i].segments, all[i].rhs, all[i].jacobian, all[i].factor, all[i].solve,
           all[i].factor_complex, all[i].solve_complex, all[i].floor_rhs, all[i].floor_600, all[i].exchanged_factor,
           all[i].exchanged_solve, all[i].exchanged_factor_complex, all[i].exchanged_solve_complex, all[i].residual,
           all[i].exchanged_residual);
  printf("\n]");
  return true;
}

/* ---- constrained ---- */

static const char *const form_names[WY_FORMS] = {[WY_FORM_COSSERAT] = "cosserat",
                                                 [WY_FORM_KIRCHHOFF] = "kirchhoff_index_1",
                                                 [WY_FORM_KIRCHHOFF_NULL] = "kirchhoff_null_space",
                                                 [WY_FORM_INDEX_1] = "inextensible_index_1",
                                                 [WY_FORM_NULL_SPACE] = "inextensible_null_space"};

static void print_forms(const char *what, const wy_constrained_figures all[SIZES],
                        const double *(*figures)(const wy_constrained_figures *)) {
  printf("%s\n%9s %10s %19s %22s %22s %25s\n", what, "segments", "cosserat", "kirchhoff, index 1",
         "kirchhoff, null space", "inextensible, index 1", "inextensible, null space");
  for (int i = 0; i < SIZES; i++) {
    const double *f = figures(&all[i]);
    printf("%9d %10.1f %19.1f %22.1f %22.1f %25.1f\n", all[i].segments, f[WY_FORM_COSSERAT], f[WY_FORM_KIRCHHOFF],
           f[WY_FORM_KIRCHHOFF_NULL], f[WY_FORM_INDEX_1], f[WY_FORM_NULL_SPACE]);
  }
  const double *at = figures(&all[COMPARED]), *large = figures(&all[SIZES - 1]);
  printf("N = %d against N = %d (goal 2):", all[SIZES - 1].segments, all[COMPARED].segments);
  for (int form = 0; form < WY_FORMS; form++)
    printf(" %.2f", large[form] / at[form]);
  printf("; against cosserat at N = %d:", all[COMPARED].segments);
  for (int form = 1; form < WY_FORMS; form++)
    printf(" %.2f", at[form] / at[WY_FORM_COSSERAT]);
  printf("\n\n");
}

static const double *rhs_of(const wy_constrained_figures *f) {
  return f->rhs;
}
static const double *projection_of(const wy_constrained_figures *f) {
  return f->projection;
}
static const double *step_of(const wy_constrained_figures *f) {
  return f->step;
}
static const double *implicit_of(const wy_constrained_figures *f) {
  return f->implicit;
}

static void print_form_figures(const char *name, const double figures[WY_FORMS]) {
  printf(", \"%s\": {", name);
  for (int form = 0; form < WY_FORMS; form++)
    printf("%s\"%s\": %.2f", form ? ", " : "", form_names[form], figures[form]);
  printf("}");
}

static bool run_constrained(bool json) {
  wy_constrained_figures all[SIZES];
  for (int i = 0; i < SIZES; i++)
    if (failed("constrained", wy_bench_constrained(sizes[i], &all[i])))
      return false;
  if (!json) {
    printf("ns per segment (undamped rod, pinned; smallest of 9 repetitions)\n\n");
    print_forms("right-hand side", all, rhs_of);
    print_forms("projection", all, projection_of);
    print_forms("step of DOPRI5, projection included", all, step_of);
    print_forms("step of RODAS, projection included", all, implicit_of);
    return true;
  }
  printf("\"constrained\": [");
  for (int i = 0; i < SIZES; i++) {
    printf("%s\n  {\"segments\": %d", i ? "," : "", all[i].segments);
    print_form_figures("rhs", all[i].rhs);
    print_form_figures("projection", all[i].projection);
    print_form_figures("step", all[i].step);
    print_form_figures("implicit", all[i].implicit);
    printf("}");
  }
  printf("\n]");
  return true;
}

/* ---- statics ---- */

static void print_quasistatic(const wy_quasistatic_figures *q) {
  printf("published quasistatic test, N = %d, corrections below 1e-8, t = 0 to 1\n\n", q->segments);
  printf("%-36s %8s %8s\n", "", "found", "goal");
  printf("%-36s %8ld %8s\n", "increments", q->increments, "25");
  printf("%-36s %8ld\n", "rejected increments", q->rejected);
  printf("%-36s %8.2f %8s\n", "Newton iterations each", (double)q->iterations / (double)q->increments, "6");
  printf("%-36s %8.1f %8s\n", "time of an equilibrium, us", q->equilibrium, "200");
  printf("%-36s %8.1f\n", "time over Newton iterations, us", q->iteration);
}

/* One iteration as Newton's method is written: a tangent with its factors, the correction, and what the simplified
   correction at the new shape needs. */
static double iteration_of(const wy_newton_figures *f) {
  return f->tangent + f->factor + 2 * f->solve + f->residual + f->displace;
}

static void print_newton(const wy_newton_figures all[SIZES]) {
  printf("\na cantilever under gravity whose clamp turns: ns per segment\n\n");
  printf("%9s %10s %9s %8s %7s %6s %9s %8s %6s %15s\n", "segments", "iteration", "residual", "tangent", "factor",
         "solve", "displace", "inertia", "path", "its, increments");
  for (int i = 0; i < SIZES; i++)
    printf("%9d %10.0f %9.1f %8.0f %7.0f %6.1f %9.1f %8.0f %6.0f %10ld, %ld\n", all[i].segments, iteration_of(&all[i]),
           all[i].residual, all[i].tangent, all[i].factor, all[i].solve, all[i].displace, all[i].inertia, all[i].path,
           all[i].iterations, all[i].increments);
  const wy_newton_figures *at = &all[COMPARED];
  printf("\nper segment, against N = %d (goal 2):", at->segments);
  for (int i = COMPARED + 1; i < SIZES; i++)
    printf(" N = %d: iteration %.2f, path %.2f%s", all[i].segments, iteration_of(&all[i]) / iteration_of(at),
           all[i].path / at->path, i + 1 < SIZES ? ";" : "\n");
  printf("iteration: one of Newton's, from its parts. inertia: one count of unstable directions.\n"
         "path: the whole way, divided by its iterations; with rates, guesses and stability of each increment.\n");
}

static bool run_statics(bool json) {
  wy_quasistatic_figures q;
  wy_newton_figures all[SIZES];
  if (failed("statics", wy_bench_quasistatic(10, &q)))
    return false;
  for (int i = 0; i < SIZES; i++)
    if (failed("statics", wy_bench_newton(sizes[i], &all[i])))
      return false;
  if (!json) {
    print_quasistatic(&q);
    print_newton(all);
    return true;
  }
  printf("\"quasistatic\": {\"segments\": %d, \"increments\": %ld, \"rejected\": %ld, \"newton_iterations\": %ld, "
         "\"equilibrium_us\": %.2f, \"iteration_us\": %.2f},\n\"newton\": [",
         q.segments, q.increments, q.rejected, q.iterations, q.equilibrium, q.iteration);
  for (int i = 0; i < SIZES; i++)
    printf("%s\n  {\"segments\": %d, \"iteration\": %.2f, \"residual\": %.2f, \"tangent\": %.2f, \"factor\": %.2f, "
           "\"solve\": %.2f, \"displace\": %.2f, \"inertia\": %.2f, \"path\": %.2f, \"increments\": %ld, "
           "\"newton_iterations\": %ld}",
           i ? "," : "", all[i].segments, iteration_of(&all[i]), all[i].residual, all[i].tangent, all[i].factor,
           all[i].solve, all[i].displace, all[i].inertia, all[i].path, all[i].increments, all[i].iterations);
  printf("\n]");
  return true;
}

/* ---- poses ---- */

static const struct {
  const char *scheme, *model;
  wy_rod_kind kind;
} posed[] = {{"staggered", "cosserat", WY_COSSERAT},         {"staggered", "kirchhoff", WY_KIRCHHOFF},
             {"staggered", "inextensible", WY_INEXTENSIBLE}, {"mixed", "cosserat", WY_COSSERAT},
             {"mixed", "kirchhoff", WY_KIRCHHOFF},           {"mixed", "inextensible", WY_INEXTENSIBLE},
             {"box", "inextensible", WY_INEXTENSIBLE}};
enum { POSED = sizeof posed / sizeof posed[0], POSES = 300, WAYS = WY_WAY_RELAXATION + 1 };
static const double same_place = 0.02; /* of the length: what the middles of one shape differ by between schemes */

/* Of one scheme and model: how many were found, by which way, with a bifurcation on it, unstable; and how many of those
   found along the straight path have their middle where the first scheme has it that followed the straight path, too.
 */
typedef struct tally {
  int found, ways[WAYS], bifurcations, unstable, compared, alike;
  double seconds;
} tally;

static bool is_straight(const wy_pose_figures *f) {
  return f->found && f->info.way == WY_WAY_STRAIGHT;
}

static void count_pose(const wy_pose_figures *f, const wy_pose_figures *first, tally *sum) {
  sum->seconds += f->seconds;
  sum->found += f->found;
  if (!f->found)
    return;
  sum->ways[f->info.way]++;
  sum->bifurcations += f->info.bifurcations > 0;
  sum->unstable += f->info.unstable != 0;
  if (!first || !is_straight(f))
    return;
  double x = f->middle[0] - first->middle[0], y = f->middle[1] - first->middle[1], z = f->middle[2] - first->middle[2];
  sum->compared++;
  sum->alike += x * x + y * y + z * z < same_place * same_place;
}

/* One pose by all of them. */
static bool strike_pose(int number, tally sums[POSED]) {
  wy_pose_figures all[POSED];
  const wy_pose_figures *first = NULL;
  for (int i = 0; i < POSED; i++)
    if (failed("poses", wy_bench_pose(posed[i].scheme, posed[i].kind, number, &all[i])))
      return false;
  for (int i = 0; i < POSED; i++) {
    count_pose(&all[i], first, &sums[i]);
    if (!first && is_straight(&all[i]))
      first = &all[i];
  }
  return true;
}

static bool run_poses(bool json) {
  tally sums[POSED] = {{0}};
  for (int number = 0; number < POSES; number++)
    if (!strike_pose(number, sums))
      return false;
  if (json)
    printf("\"poses\": [");
  else
    printf(
        "%d random poses of the end of a rod clamped at both ends, 40 segments, elements or cells\n\n%-11s %-13s %6s "
        "%9s %11s %7s %11s %12s %9s %9s %8s\n",
        POSES, "scheme", "model", "found", "straight", "arc length", "detour", "relaxation", "bifurcation", "unstable",
        "alike", "ms each");
  for (int i = 0; i < POSED; i++) {
    const tally *s = &sums[i];
    if (json)
      printf("%s\n  {\"scheme\": \"%s\", \"model\": \"%s\", \"poses\": %d, \"found\": %d, \"straight\": %d, "
             "\"arc_length\": %d, \"detour\": %d, \"relaxation\": %d, \"bifurcation\": %d, \"unstable\": %d, "
             "\"compared\": %d, \"alike\": %d, \"ms\": %.2f}",
             i ? "," : "", posed[i].scheme, posed[i].model, POSES, s->found, s->ways[WY_WAY_STRAIGHT],
             s->ways[WY_WAY_ARC_LENGTH], s->ways[WY_WAY_DETOUR], s->ways[WY_WAY_RELAXATION], s->bifurcations,
             s->unstable, s->compared, s->alike, 1e3 * s->seconds / POSES);
    else
      printf("%-11s %-13s %6d %9d %11d %7d %11d %12d %9d %4d/%-4d %8.1f\n", posed[i].scheme, posed[i].model, s->found,
             s->ways[WY_WAY_STRAIGHT], s->ways[WY_WAY_ARC_LENGTH], s->ways[WY_WAY_DETOUR], s->ways[WY_WAY_RELAXATION],
             s->bifurcations, s->unstable, s->alike, s->compared, 1e3 * s->seconds / POSES);
  }
  printf(json ? "\n]"
              : "\nbifurcation: passed on the way. alike: of those found along the straight path, the middle is where "
                "the\nfirst scheme above has it that followed it, too (within 0.02 of the length).\n");
  return true;
}

/* ---- mixed ---- */

/* The columns of the table: order and model. */
static const struct {
  int order;
  wy_rod_kind kind;
  const char *name;
} elements[] = {{1, WY_COSSERAT, "cosserat"},
                {1, WY_INEXTENSIBLE, "inextensible"},
                {2, WY_COSSERAT, "cosserat"},
                {2, WY_INEXTENSIBLE, "inextensible"}};
enum { ELEMENTS = sizeof elements / sizeof elements[0], ORDER_2 = 2 /* the first of order 2 */ };

static void print_mixed(const wy_flight_figures *flight, wy_midpoint_figures all[SIZES][ELEMENTS]) {
  printf("flying spaghetti, %d elements of order 2 (smallest of 27 runs)\n\n", flight->elements);
  printf("%-36s %8s %8s\n", "", "found", "goal");
  printf("%-36s %8ld %8s\n", "steps", flight->steps, "150");
  printf("%-36s %8ld %8s\n", "Newton iterations", flight->iterations, "716");
  printf("%-36s %8.2f %8s\n", "time, ms", flight->milliseconds, "25");
  printf("%-36s %8.2f\n", "time over iterations and elements, us",
         1e3 * flight->milliseconds / (double)flight->iterations / flight->elements);
  printf("\none Newton iteration of a step: us per element (in brackets: the residual alone)\n\n%9s", "elements");
  for (int k = 0; k < ELEMENTS; k++)
    printf("   order %d, %-12s", elements[k].order, elements[k].name);
  for (int i = 0; i < SIZES; i++) {
    printf("\n%9d", all[i][0].elements);
    for (int k = 0; k < ELEMENTS; k++)
      printf("   %11.3f (%.3f)  ", 1e-3 * all[i][k].iteration, 1e-3 * all[i][k].residual);
  }
  const wy_midpoint_figures *at = all[COMPARED], *large = all[SIZES - 1];
  printf("\n\ngoal for order 2: 3 us. N = %d against N = %d: %.2f (cosserat), %.2f (inextensible)\n", large->elements,
         at->elements, large[ORDER_2].iteration / at[ORDER_2].iteration,
         large[ORDER_2 + 1].iteration / at[ORDER_2 + 1].iteration);
}

static bool run_mixed(bool json) {
  wy_flight_figures flight;
  wy_midpoint_figures all[SIZES][ELEMENTS];
  if (failed("mixed", wy_bench_flight(10, &flight)))
    return false;
  for (int i = 0; i < SIZES; i++)
    for (int k = 0; k < ELEMENTS; k++)
      if (failed("mixed", wy_bench_midpoint(sizes[i], elements[k].order, elements[k].kind, &all[i][k])))
        return false;
  if (!json) {
    print_mixed(&flight, all);
    return true;
  }
  printf("\"flight\": {\"elements\": %d, \"steps\": %ld, \"newton_iterations\": %ld, \"milliseconds\": %.3f},\n"
         "\"mixed\": [",
         flight.elements, flight.steps, flight.iterations, flight.milliseconds);
  for (int i = 0; i < SIZES; i++)
    for (int k = 0; k < ELEMENTS; k++)
      printf("%s\n  {\"elements\": %d, \"order\": %d, \"model\": \"%s\", \"iteration\": %.2f, \"residual\": %.2f}",
             i || k ? "," : "", sizes[i], elements[k].order, elements[k].name, all[i][k].iteration, all[i][k].residual);
  printf("\n]");
  return true;
}

/* ---- box and conserving ---- */

static const int step_sizes[] = {25, 100, 1000};
static const char *const step_goals[] = {"0.15", "0.5", "-"}; /* of the box scheme */
enum { STEP_SIZES = sizeof step_sizes / sizeof step_sizes[0], MOTIONS = 2 };
static const char *const motions[MOTIONS] = {[WY_BOX_COIL] = "coil", [WY_BOX_CANTILEVER] = "cantilever"};

static void print_box(wy_box_figures all[MOTIONS][STEP_SIZES]) {
  printf("one time step of the box scheme (smallest of 9 runs)\n\n");
  printf("%-12s %9s %7s %16s %22s %10s %10s %14s\n", "motion", "segments", "steps", "iterations/step",
         "factorisations/step", "ms/step", "goal", "us/segment");
  for (int k = 0; k < MOTIONS; k++)
    for (int i = 0; i < STEP_SIZES; i++) {
      const wy_box_figures *f = &all[k][i];
      printf("%-12s %9d %7ld %16.2f %22.2f %10.4f %10s %14.3f\n", motions[k], f->cells, f->steps,
             (double)f->iterations / (double)f->steps, (double)f->factorisations / (double)f->steps, f->milliseconds,
             step_goals[i], 1e3 * f->milliseconds / f->cells);
    }
  printf("\ncoil: pulled for 0.1 and let go, steps of 1/30. cantilever: released, steps of 1/100. Both to t = 2.\n");
}

static bool run_box(bool json) {
  wy_box_figures all[MOTIONS][STEP_SIZES];
  for (int k = 0; k < MOTIONS; k++)
    for (int i = 0; i < STEP_SIZES; i++)
      if (failed("box", wy_bench_box((wy_box_motion)k, step_sizes[i], &all[k][i])))
        return false;
  if (!json) {
    print_box(all);
    return true;
  }
  printf("\"box\": [");
  for (int k = 0; k < MOTIONS; k++)
    for (int i = 0; i < STEP_SIZES; i++)
      printf("%s\n  {\"motion\": \"%s\", \"segments\": %d, \"steps\": %ld, \"newton_iterations\": %ld, "
             "\"factorisations\": %ld, \"step_ms\": %.5f}",
             i || k ? "," : "", motions[k], all[k][i].cells, all[k][i].steps, all[k][i].iterations,
             all[k][i].factorisations, all[k][i].milliseconds);
  printf("\n]");
  return true;
}

static const char *const gauss_methods[] = {"midpoint", "gauss4", "discrete_gradient"};
enum { GAUSS_METHODS = sizeof gauss_methods / sizeof gauss_methods[0] };

static bool run_conserving(bool json) {
  wy_conserving_figures all[GAUSS_METHODS][STEP_SIZES];
  for (int k = 0; k < GAUSS_METHODS; k++)
    for (int i = 0; i < STEP_SIZES; i++)
      if (failed("conserving", wy_bench_conserving(gauss_methods[k], step_sizes[i], &all[k][i])))
        return false;
  printf(json ? "\"conserving\": [" : "one time step of the conserving scheme, order 2 (smallest of 9 runs)\n\n");
  if (!json)
    printf("%-18s %9s %16s %22s %10s %14s\n", "integrator", "segments", "iterations/step", "factorisations/step",
           "ms/step", "us/segment");
  for (int k = 0; k < GAUSS_METHODS; k++)
    for (int i = 0; i < STEP_SIZES; i++) {
      const wy_conserving_figures *f = &all[k][i];
      if (json)
        printf("%s\n  {\"integrator\": \"%s\", \"segments\": %d, \"steps\": %ld, \"newton_iterations\": %ld, "
               "\"factorisations\": %ld, \"step_ms\": %.5f}",
               i || k ? "," : "", f->integrator, f->segments, f->steps, f->iterations, f->factorisations,
               f->milliseconds);
      else
        printf("%-18s %9d %16.2f %22.2f %10.4f %14.3f\n", f->integrator, f->segments,
               (double)f->iterations / (double)f->steps, (double)f->factorisations / (double)f->steps, f->milliseconds,
               1e3 * f->milliseconds / f->segments);
    }
  printf(json ? "\n]" : "\ntwisted falling rod, steps of one segment, 100 of them.\n");
  return true;
}

/* ---- the verb ---- */

static const struct {
  const char *name;
  bool (*run)(bool json);
} benchmarks[] = {{"kernels", run_kernels},
                  {"constrained", run_constrained},
                  {"statics", run_statics},
                  {"mixed", run_mixed},
                  {"box", run_box},
                  {"conserving", run_conserving},
                  {"network", wy_cli_bench_network},
                  {"contact", wy_cli_bench_contact},
                  {"rods", wy_cli_bench_rods},
                  {"batch", wy_cli_bench_batch},
                  {"integrators", wy_cli_bench_integrators},
                  {"stride", wy_cli_bench_stride},
                  {"space", wy_cli_bench_space},
                  {"files", wy_cli_bench_files},
                  {"single", wy_cli_bench_single},
                  {"peers", wy_cli_bench_peers},
                  {"sweep", wy_cli_bench_sweep},
                  {"poses", run_poses},
                  {"auto", wy_cli_bench_auto}};

enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0], SHORT = BENCHMARKS - 4 /* all but the last four */ };

static const char *benchmark_name(int number) {
  return number < BENCHMARKS ? benchmarks[number].name : NULL;
}

/* The benchmarks from `first` up to `last`; JSON is one object of all of them. */
static int run(int first, int last, bool json) {
  bool good = true;
  for (int i = first; i < last && good; i++) {
    fputs(json ? (i > first ? ",\n" : "{") : i > first ? "\n" : "", stdout);
    good = benchmarks[i].run(json);
    fflush(stdout);
  }
  fputs(json ? "}\n" : "", stdout);
  return good ? WY_EXIT_DONE : WY_EXIT_FAILED;
}

static int enter(int argc, char **argv) {
  bool json = false;
  for (int c; (c = wy_verb_option(argc, argv, &wy_verb_bench)) != -1;) {
    if (c == WY_OPTION_HELP)
      return WY_EXIT_DONE;
    if (c == WY_OPTION_WRONG)
      return WY_EXIT_INPUT;
    json = json || c == JSON;
  }
  if (argc - optind > 1)
    return wy_verb_usage(&wy_verb_bench, "found %d names; expected at most one", argc - optind);
  if (optind == argc)
    return run(0, SHORT, json);
  for (int i = 0; i < BENCHMARKS; i++)
    if (strcmp(argv[optind], benchmarks[i].name) == 0)
      return run(i, i + 1, json);
  return wy_verb_usage(
      &wy_verb_bench,
      "there is no benchmark '%s'; available: kernels, constrained, statics, mixed, box, conserving, "
      "network, contact, rods, batch, integrators, stride, space, files, single, peers, sweep, poses, auto",
      argv[optind]);
}
