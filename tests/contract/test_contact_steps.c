/* SPDX-License-Identifier: MIT */
/* Contact and steps in time: every method meets two reference motions (tests/data/contact), and its books balance; the
   midpoint rule keeps the energy of bounces with any step, and friction stops what slides; no step passes through an
   obstacle or ends in the core; a snapshot in the middle of friction continues bit for bit; nothing is allocated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/allocations.h"
#include "support/rods.h"
#include "support/table.h"
#include "withy/sundials.h"

/* The standard rod of the reference values: radius 5e-3, soft rubber; its skin has k' = 5.236e6, mass 0.0864. */
static const double hit_time = 4.035449e-4; /* pi sqrt(mass / k') */

typedef struct drop {
  int segments;
  double angle, height, velocity[3]; /* of the start; in degrees from the floor */
  double friction, restitution, speed;
  bool stick;
  const char *scheme; /* NULL: staggered */
} drop;

static const drop elastic = {.segments = 10,
                             .angle = 10,
                             .height = 0.03,
                             .velocity = {0, 0, -0.5},
                             .restitution = 1,
                             .speed = 1e-2},
                  tilted = {.segments = 10,
                            .angle = 20,
                            .height = 0.03,
                            .velocity = {0.5, 0, 0},
                            .friction = 0.3,
                            .restitution = 0.5,
                            .speed = 1e-2};

static test_sim try_drop(const drop *d, const char *integrator, double tolerance, double step, wy_status *status,
                         wy_message *message) {
  test_sim made = {0};
  wy_rod_def rod = wy_default_rod_def();
  const double angle = d->angle * 3.14159265358979323846 / 180;
  rod.length = 0.5, rod.segments = d->segments;
  if (d->scheme && strcmp(d->scheme, "box") == 0)
    rod.kind = WY_INEXTENSIBLE;
  rod.section.shape = WY_CIRCLE, rod.section.radius.value = 5e-3;
  rod.material.given = true, rod.material.density.value = 1100;
  rod.material.young.value = 5e6, rod.material.poisson.value = 0.5;
  rod.shape.origin[2] = d->height;
  rod.shape.direction[0] = cos(angle), rod.shape.direction[2] = sin(angle);
  for (int k = 0; k < 3; k++)
    rod.initial.velocity[k].value = d->velocity[k];
  wy_obstacle_def floor = wy_default_obstacle_def();
  wy_contact_def contact = wy_default_contact_def();
  floor.name = "floor";
  contact.friction = d->friction, contact.restitution = d->restitution, contact.stick = d->stick;
  if (d->speed > 0)
    contact.speed = d->speed;
  wy_model_def def = wy_default_model_def();
  def.gravity[2] = -9.81;
  def.rods = &rod, def.rod_count = 1;
  def.obstacles = &floor, def.obstacle_count = 1;
  def.contact = &contact;
  wy_sim_def sim = wy_default_sim_def();
  sim.solver.more = wy_sundials();
  if (d->scheme)
    sim.solver.scheme = d->scheme;
  sim.solver.integrator = integrator;
  sim.solver.relative_tolerance = sim.solver.absolute_tolerance = tolerance;
  sim.solver.first_step = step;
  *status = wy_model_create(&def, &made.model, message);
  if (!*status)
    *status = wy_sim_create(made.model, &sim, &made.sim, message);
  return made;
}

static test_sim make_drop(const drop *d, const char *integrator, double tolerance, double step) {
  wy_status status;
  wy_message message = {0};
  test_sim made = try_drop(d, integrator, tolerance, step, &status, &message);
  must(status, &message);
  return made;
}

static double imbalance(const wy_energy *start, const wy_energy *now) {
  return now->total - start->total - now->work + now->dissipated;
}

/* ---- Reference motions ---- */

enum { ROWS = 51 };

/* The largest difference of the three vertices, and of the energies. */
static double difference(const test_sim *made, const double *row, double *energy) {
  static const double places[3] = {0, 0.25, 0.5};
  const wy_energy e = wy_sim_energy(made->sim, 0);
  wy_message message = {0};
  double worst = 0;
  for (int i = 0; i < 3; i++) {
    double x[4];
    must(wy_sim_probe(made->sim, WY_POSITION, 0, places[i], x, &message), &message);
    worst = fmax(worst, fmax(fabs(x[0] - row[1 + 2 * i]), fabs(x[2] - row[2 + 2 * i])));
  }
  *energy = fmax(fmax(fabs(e.kinetic - row[7]), fabs(e.contact - row[10])), fabs(e.dissipated - row[11]));
  return worst;
}

/* The values are good to 1e-7 m; a tolerance of 1e-9 has to show 1e-6. Energies: 0.1 N m times strains of that size. */
static void meets(const char *integrator, double tolerance, const drop *d, const char *path) {
  wy_message message = {0};
  table want = read_table(path, ROWS);
  test_sim made = make_drop(d, integrator, tolerance, 0);
  const wy_energy start = wy_sim_energy(made.sim, 0);
  for (int i = 1; i < ROWS; i++) {
    double energy;
    must(wy_sim_sample(made.sim, *table_at(&want, i, 0), &message), &message);
    check_below(difference(&made, table_at(&want, i, 0), &energy), 1e-6);
    check_below(energy, 1e-6);
  }
  const wy_energy end = wy_sim_energy(made.sim, 0);
  check_close(imbalance(&start, &end), 0, 1e-6);
  free_sim(&made);
  free_table(&want);
}

static void meets_both(const char *integrator, double tolerance) {
  print_message("%s\n", integrator);
  meets(integrator, tolerance, &elastic, WY_TEST_DATA "/contact/drop_elastic.csv");
  meets(integrator, tolerance, &tilted, WY_TEST_DATA "/contact/drop_tilted.csv");
}

/* The integrators of SUNDIALS, if it is there; NULL past the last one. */
static const wy_integrator_type *added(int i) {
  return wy_sundials()->types[i];
}

static void methods_meet_the_reference_motions(void **state) {
  (void)state;
  for (int i = 0; ode_integrator_at(i); i++)
    if (!ode_integrator_at(i)->info->fixed_step)
      meets_both(ode_integrator(i), 1e-9);
  for (int i = 0; added(i); i++) /* one of order 3 would take a million steps for 1e-9 */
    meets_both(added(i)->info->name, added(i)->info->highest_order > 3 ? 1e-9 : 1e-7);
}

/* ---- Fixed steps (K8) ---- */

/* A rod of two segments, so stiff that it hardly deforms: what is lost is lost by contact. */
static const drop flat = {.segments = 2, .height = 0.105, .restitution = 1};

/* Round-off of the energies of the skin, 1e-16 of the largest energy in each step of a hit. */
static void bounces_keep_the_energy_with_any_step(void **state) {
  static const double steps[] = {0.1, 1, 10};
  (void)state;
  for (int i = 0; i < 3; i++) {
    wy_message message = {0};
    test_sim made = make_drop(&flat, "midpoint", 1e-9, steps[i] * hit_time);
    const wy_energy start = wy_sim_energy(made.sim, 0);
    double worst = 0, lowest = 1;
    while (wy_sim_time(made.sim) < 1) {
      double x[4];
      must(wy_sim_step(made.sim, &message), &message);
      const wy_energy now = wy_sim_energy(made.sim, 0);
      worst = fmax(worst, fabs(now.total - start.total));
      must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.25, x, &message), &message);
      lowest = fmin(lowest, x[2]);
    }
    check_below(lowest, 5e-3); /* it has touched */
    check_at_most(worst, 1e-11 * start.total);
    free_sim(&made);
  }
}

/* Of conserving rods all energies are exact: one that comes down on its end, bends and jumps, without losses and with
   all of them. */
static void conserving_rods_balance_with_any_step(void **state) {
  static const double steps[] = {1, 10};
  (void)state;
  for (int i = 0; i < 4; i++) {
    drop d = i < 2 ? elastic : tilted;
    wy_message message = {0};
    d.scheme = "conserving";
    test_sim made = make_drop(&d, "discrete_gradient", 1e-9, steps[i % 2] * hit_time);
    const wy_energy start = wy_sim_energy(made.sim, 0);
    double worst = 0;
    while (wy_sim_time(made.sim) < 0.3) {
      must(wy_sim_step(made.sim, &message), &message);
      const wy_energy now = wy_sim_energy(made.sim, 0);
      worst = fmax(worst, fabs(imbalance(&start, &now)));
    }
    check_at_most(worst, 1e-11 * start.total);
    free_sim(&made);
  }
}

/* Sliding at 0.5 m/s under mu g = 2.943 m/s^2: at rest after 0.170 s and 42.47 mm, but for the slip of the spring. All
   of its kinetic energy is lost by friction. */
static void stops(const char *scheme, const char *integrator, double tolerance, double step, double crawls,
                  double off) {
  const drop slides = {.segments = 10,
                       .height = 5e-3 - 2.187669e-5,
                       .velocity = {0.5, 0, 0},
                       .friction = 0.3,
                       .restitution = 0.5,
                       .stick = true,
                       .scheme = scheme};
  wy_message message = {0};
  test_sim made = make_drop(&slides, integrator, tolerance, step);
  const wy_energy start = wy_sim_energy(made.sim, 0);
  double x[4], v[4];
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.25, x, &message), &message);
  must(wy_sim_probe(made.sim, WY_VELOCITY, 0, 0.25, v, &message), &message);
  const wy_energy end = wy_sim_energy(made.sim, 0);
  check_close(x[0] - 0.25, 0.5 * 0.5 / (2 * 0.3 * 9.81), 2e-4);
  check_close(v[0], 0, crawls);
  check_close(end.friction, start.kinetic, fmax(1e-6, off) * start.kinetic);
  check_close(imbalance(&start, &end), 0, off * start.total);
  free_sim(&made);
}

/* A box rod balances to the error of its grid. */
static void friction_stops_what_slides(void **state) {
  (void)state;
  stops(NULL, "midpoint", 1e-9, hit_time, 1e-9, 1e-11);
  stops("box", "galpha", 1e-9, hit_time, 1e-9, 1e-4);
  for (int i = 0; added(i); i++)
    stops(NULL, added(i)->info->name, 1e-6, 0, 1e-6, 1e-4);
}

/* ---- No step goes too far ---- */

/* A hit at 0.4 of the speed of waves in the material takes the skin nearly down to its core. With long first steps
   nothing may end in the core: either the rod bounces, or the run ends with a message that names the obstacle. */
static void hits_hard(const char *integrator) {
  const drop fast = {.segments = 4,
                     .height = 0.105,
                     .velocity = {0, 0, -31},
                     .restitution = 1,
                     .scheme = strcmp(integrator, "galpha") == 0 ? "box" : NULL};
  wy_message message = {0};
  test_sim made = make_drop(&fast, integrator, 1e-2, 2e-3);
  wy_status status = WY_OK;
  double lowest = 1;
  while (!status && wy_sim_time(made.sim) < 0.01) {
    double x[4];
    status = wy_sim_step(made.sim, &message);
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.25, x, NULL), &message);
    lowest = fmin(lowest, x[2]);
  }
  check_above(lowest, 2.5e-3);
  if (status && !strstr(message.text, "obstacle 'floor'"))
    fail_msg("%s: %s", integrator, message.text);
  free_sim(&made);
}

static void nothing_passes(void **state) {
  static const char *const methods[] = {"radau5", "rodas", "dop853", "seulex", "ndf", "midpoint", "galpha"};
  (void)state;
  for (int i = 0; i < 7; i++)
    hits_hard(methods[i]);
  for (int i = 0; added(i); i++)
    hits_hard(added(i)->info->name);
}

/* ---- Snapshots and memory ---- */

/* In the middle of sliding and bouncing, with springs. */
static const drop rubs = {.segments = 5,
                          .angle = 3,
                          .height = 6e-3,
                          .velocity = {0.3, 0, -0.1},
                          .friction = 0.4,
                          .restitution = 0.5,
                          .stick = true};

static void record(const test_sim *made, double values[64]) {
  const wy_energy e = wy_sim_energy(made->sim, 0);
  const double all[] = {e.kinetic, e.elastic, e.gravity, e.contact, e.work, e.dissipated, e.friction, e.impact};
  memset(values, 0, 64 * sizeof *values);
  memcpy(values, all, sizeof all);
  const wy_view *view = wy_sim_view(made->sim, 0);
  memcpy(values + 8, view->position.values, 18 * sizeof *values);
  memcpy(values + 26, view->velocity.values, 18 * sizeof *values);
}

static void continues(const char *scheme, const char *integrator, double step) {
  wy_message message = {0};
  double want[64], got[64];
  drop d = rubs;
  d.scheme = scheme;
  test_sim made = make_drop(&d, integrator, 1e-5, step);
  const size_t size = wy_sim_save_size(made.sim);
  void *saved = malloc(size);
  for (int i = 0; i < 137; i++) /* somewhere, between two Jacobians */
    must(wy_sim_step(made.sim, &message), &message);
  check_above(wy_sim_energy(made.sim, 0).friction, 0);
  must(wy_sim_save(made.sim, saved, size, &message), &message);
  for (int i = 0; i < 50; i++)
    must(wy_sim_step(made.sim, &message), &message);
  record(&made, want);
  must(wy_sim_restore(made.sim, saved, size, &message), &message);
#ifdef COUNTS_ALLOCATIONS
  const long before = allocations;
#endif
  for (int i = 0; i < 50; i++)
    must(wy_sim_step(made.sim, &message), &message);
#ifdef COUNTS_ALLOCATIONS
  assert_int_equal(allocations - before, 0);
#endif
  record(&made, got);
  assert_memory_equal(got, want, sizeof got);
  free(saved);
  free_sim(&made);
}

static void snapshots_continue_bit_for_bit_without_allocations(void **state) {
  (void)state;
  for (int i = 0; ode_integrator_at(i); i++)
    if (!ode_integrator_at(i)->no_contact && !ode_integrator_at(i)->discrete_gradient) {
      print_message("%s\n", ode_integrator(i));
      continues(NULL, ode_integrator(i), 0);
    }
  continues(NULL, "midpoint", hit_time);
  continues("mixed", "midpoint", hit_time);
  continues("box", "galpha", hit_time);
}

/* Methods of SUNDIALS allocate in their steps. Those that have no history continue bit for bit; the others start anew,
   and go on as the tolerance allows. */
static void snapshots_continue_with_sundials(void **state) {
  static const double tolerance = 1e-6, later = 0.02;
  (void)state;
  for (int i = 0; added(i); i++) {
    wy_message message = {0};
    test_sim first = make_drop(&rubs, added(i)->info->name, tolerance, 0),
             second = make_drop(&rubs, added(i)->info->name, tolerance, 0);
    const size_t size = wy_sim_save_size(first.sim);
    void *saved = malloc(size);
    while (wy_sim_energy(first.sim, 0).friction < 1e-5)
      must(wy_sim_step(first.sim, &message), &message);
    must(wy_sim_save(first.sim, saved, size, &message), &message);
    must(wy_sim_restore(second.sim, saved, size, &message), &message);
    const double until = wy_sim_time(first.sim) + later;
    must(wy_sim_sample(first.sim, until, &message), &message);
    must(wy_sim_sample(second.sim, until, &message), &message);
    for (int k = 0; k < 3; k++) {
      double a[4], b[4];
      must(wy_sim_probe(first.sim, WY_POSITION, 0, 0.25 * k, a, &message), &message);
      must(wy_sim_probe(second.sim, WY_POSITION, 0, 0.25 * k, b, &message), &message);
      for (int x = 0; x < 3; x++)
        check_close(b[x], a[x], added(i)->info->multistep ? 30 * tolerance : 0);
    }
    const wy_energy a = wy_sim_energy(first.sim, 0), b = wy_sim_energy(second.sim, 0);
    check_close(b.friction, a.friction, added(i)->info->multistep ? 30 * tolerance : 0);
    free(saved);
    free_sim(&first), free_sim(&second);
  }
}

/* ---- Methods without contact ---- */

/* The name of the next method in a list, which begins after ": " or ", "; NULL past the last one. */
static const char *next_name(const char **list, char name[32]) {
  size_t length = strcspn(*list, ",");
  if (length == 0 || length >= 32)
    return NULL;
  memcpy(name, *list, length);
  name[length] = 0;
  *list += length + ((*list)[length] ? 2 : 0);
  return name;
}

/* Those that have no discrete gradient of their order are refused: the message names them, and all that are possible,
   each of which is. */
static void check_refused(const char *scheme, const char *integrator) {
  drop d = elastic;
  wy_status status;
  wy_message message = {0};
  char begins[80], name[32];
  int named = 0, possible = 0;
  d.scheme = scheme;
  test_sim made = try_drop(&d, integrator, 1e-4, 1e-4, &status, &message);
  assert_int_equal(status, WY_ERROR_SUPPORT);
  assert_string_equal(message.path, "solver.integrator");
  snprintf(begins, sizeof begins, "integrator %s has no contact; possible: ", integrator);
  if (strncmp(message.text, begins, strlen(begins)) != 0)
    fail_msg("%s, %s: %s", scheme, integrator, message.text);
  free_sim(&made);
  const char *list = message.text + strlen(begins);
  while (next_name(&list, name)) {
    wy_message none = {0};
    made = try_drop(&d, name, 1e-4, 1e-4, &status, &none);
    must(status, &none);
    free_sim(&made);
    named++;
  }
  const wy_scheme *of = wy_scheme_find(scheme);
  for (int i = 0; wy_integrator_at(wy_sundials(), i); i++)
    possible +=
        wy_integrator_fits(wy_integrator_at(wy_sundials(), i), of) && !wy_integrator_at(wy_sundials(), i)->no_contact;
  assert_int_equal(named, possible);
}

static void gauss_methods_of_higher_order_are_refused(void **state) {
  static const char *const schemes[] = {"staggered", "conserving"}, *const methods[] = {"gauss4", "gauss6"};
  (void)state;
  for (int i = 0; i < 4; i++)
    check_refused(schemes[i / 2], methods[i % 2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_meet_the_reference_motions),
      cmocka_unit_test(bounces_keep_the_energy_with_any_step),
      cmocka_unit_test(conserving_rods_balance_with_any_step),
      cmocka_unit_test(friction_stops_what_slides),
      cmocka_unit_test(nothing_passes),
      cmocka_unit_test(snapshots_continue_bit_for_bit_without_allocations),
      cmocka_unit_test(snapshots_continue_with_sundials),
      cmocka_unit_test(gauss_methods_of_higher_order_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
