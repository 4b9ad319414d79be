/* SPDX-License-Identifier: MIT */
/* Ends with a given orientation, for all schemes: however a rotation is written, the motion and the equilibrium are the
   same; turned as a whole, the result turns; moves, releases and saved states work on top of it; and a motion must
   begin at the undeformed end. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/moving.h"
#include "support/uniform.h"
#include "withy/statics.h"

typedef struct method {
  const char *name, *scheme, *integrator;
  wy_rod_kind kind;
  bool equilibria;
} method;

static const method methods[] = {
    {"staggered", "staggered", "gauss4", WY_COSSERAT, true},
    {"staggered inextensible", "staggered", "radau5", WY_INEXTENSIBLE, true},
    {"mixed", "mixed", "midpoint", WY_COSSERAT, true},
    {"conserving", "conserving", "gauss4", WY_COSSERAT, false},
    {"box", "box", "galpha", WY_INEXTENSIBLE, true},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static wy_solver_def solver_of(const method *m) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = m->scheme;
  solver.integrator = m->integrator;
  solver.first_step = 2e-3;
  solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
  return solver;
}

/* ---- The same rotation, written in different ways ---- */

/* A turn about a fixed axis by an angle that begins at 0 with velocity 0. */
static const double axis[3] = {0.36, 0.48, 0.8}, amount = 0.7, frequency = 4;

static void angle_jet(double t, double a[3]) {
  a[0] = amount * (1 - cos(frequency * t));
  a[1] = amount * frequency * sin(frequency * t);
  a[2] = amount * frequency * frequency * cos(frequency * t);
}

static void angle_signal(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  angle_jet(t, jet);
}

/* A component of (cos a/2, sin a/2 axis) from, times a number: quaternions are divided by their length. */
typedef struct part {
  double from[4];
  int component;
} part;

static void quaternion_signal(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  const part *of = context;
  double a[3], q[4], out[4];
  angle_jet(t, a);
  const double c = cos(0.5 * a[0]), n = sin(0.5 * a[0]), half = 0.5 * a[1];
  const double re[3] = {c, -n * half, -c * half * half - n * 0.5 * a[2]};
  const double im[3] = {n, c * half, -n * half * half + c * 0.5 * a[2]};
  for (int k = 0; k < 3; k++) {
    q[0] = re[k];
    for (int i = 0; i < 3; i++)
      q[i + 1] = im[k] * axis[i];
    wy_qmul(q, of->from, out);
    jet[k] = -2.5 * out[of->component];
  }
}

/* A component of a vector that is turned along. */
static void vector_signal(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  const part *of = context;
  double a[3], turn[3], q[4], r[9], v[3], once[3], twice[3];
  angle_jet(t, a);
  for (int i = 0; i < 3; i++)
    turn[i] = a[0] * axis[i];
  wy_qexp(turn, q);
  wy_qmatrix(q, r);
  wy_mul3(r, of->from, v);
  wy_cross3(axis, v, once);
  wy_cross3(axis, once, twice);
  jet[0] = v[of->component];
  jet[1] = a[1] * once[of->component];
  jet[2] = a[2] * once[of->component] + a[1] * a[1] * twice[of->component];
}

static part quaternion_parts[2][4], vector_parts[2][3]; /* contexts of signals */

static example askew(const method *m) {
  static const double stiffness[6] = {40, 50, 90, 0.05, 0.07, 0.04};
  example e = uniform_rod(m->kind, 9, 1, stiffness);
  e.rod.shape = (wy_shape){.origin = {0.1, 0.2, -0.3}, .direction = {2, 1, 0}, .d1 = {0, 0, 1}};
  e.rod.ends[0] = wy_end_clamped();
  e.rod.ends[1] = wy_end_free();
  e.gravity[2] = -0.05;
  return e;
}

/* The frame of the undeformed start: d3 = (2, 1, 0) / sqrt(5), d1 = e3. */
static void undeformed_frame(double q[4]) {
  const double d3[3] = {2 / sqrt(5), 1 / sqrt(5), 0}, d1[3] = {0, 0, 1};
  double d2[3], r[9];
  wy_cross3(d3, d1, d2);
  for (int i = 0; i < 3; i++)
    r[3 * i] = d1[i], r[3 * i + 1] = d2[i], r[3 * i + 2] = d3[i];
  wy_qfrom_matrix(r, q);
}

enum { BY_ANGLE, BY_QUATERNION, BY_SPACE_QUATERNION, BY_DIRECTORS, WAYS };
static const char *const way_names[WAYS] = {"angle", "quaternion", "quaternion in space", "directors"};

static void by_quaternion(wy_end *end, wy_rotation_from from, const double frame[4]) {
  end->rotation_by = WY_BY_QUATERNION;
  end->rotation_from = from;
  for (int i = 0; i < 4; i++) {
    part *context = &quaternion_parts[from == WY_FROM_SPACE][i];
    memcpy(context->from, frame, sizeof context->from);
    context->component = i;
    end->quaternion[i] = (wy_signal){0, quaternion_signal, context, WY_TIME};
  }
}

/* d1 with a part along d3, and neither of length 1. */
static void by_directors(wy_end *end) {
  const double d3[3] = {4, 2, 0}, d1[3] = {1, 0.5, 1.5};
  end->rotation_by = WY_BY_DIRECTORS;
  end->rotation_from = WY_FROM_SPACE;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) {
      part *context = &vector_parts[k][i];
      memcpy(context->from, k ? d1 : d3, sizeof d3);
      context->component = i;
      *(k ? &end->d1[i] : &end->d3[i]) = (wy_signal){0, vector_signal, context, WY_TIME};
    }
}

static void turn_start(example *e, int way) {
  static const double none[4] = {1, 0, 0, 0};
  wy_end *end = &e->rod.ends[WY_START];
  double frame[4];
  undeformed_frame(frame);
  end->rotation = WY_DRIVEN;
  memcpy(end->axis, axis, sizeof end->axis);
  end->angle = (wy_signal){0, angle_signal, NULL, WY_TIME};
  if (way == BY_QUATERNION)
    by_quaternion(end, WY_FROM_UNDEFORMED, none);
  else if (way == BY_SPACE_QUATERNION)
    by_quaternion(end, WY_FROM_SPACE, frame);
  else if (way == BY_DIRECTORS)
    by_directors(end);
}

/* Positions, velocities, curvatures and reactions, relative to 1. Frames are compared as rotations. */
static void compare(const char *name, const char *way, const wy_view *got, const wy_view *want, double tolerance) {
  const wy_points *const pairs[][2] = {
      {&got->position, &want->position}, {&got->velocity, &want->velocity}, {&got->curvature, &want->curvature}};
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < pairs[p][0]->count * 3; i++)
      if (!(fabs(pairs[p][0]->values[i] - pairs[p][1]->values[i]) <= tolerance))
        fail_msg("%s, %s: field %d, number %d: got %.12g, want %.12g, tolerance %g", name, way, p, i,
                 pairs[p][0]->values[i], pairs[p][1]->values[i], tolerance);
  for (int i = 0; i < 3; i++) {
    check_close(got->ends[0].reaction_force[i], want->ends[0].reaction_force[i], 1e2 * tolerance);
    check_close(got->ends[0].reaction_moment[i], want->ends[0].reaction_moment[i], 1e2 * tolerance);
  }
  double along = 0;
  for (int i = 0; i < 4; i++)
    along += got->ends[0].frame[i] * want->ends[0].frame[i];
  check_close(fabs(along), 1, tolerance);
}

/* 250 fixed steps that only differ by round-off, which the stiffest vibrations of the rod carry on; radau5 chooses its
   steps by the same numbers. */
static void a_rotation_may_be_written_in_any_way(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    const wy_solver_def solver = solver_of(&methods[k]);
    test_sim made[WAYS];
    for (int way = 0; way < WAYS; way++) {
      example e = askew(&methods[k]);
      turn_start(&e, way);
      made[way] = start_moving(&e, &solver);
      move_to(&made[way], 0.5);
      compare(methods[k].name, way_names[way], wy_sim_view(made[way].sim, 0), wy_sim_view(made[0].sim, 0), 1e-7);
      free_example(&e);
    }
    for (int way = 0; way < WAYS; way++)
      free_sim(&made[way]);
  }
}

/* Equilibria at a time at which the end is turned by 1.4 rad. */
static void an_equilibrium_does_not_know_how_it_was_written(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    if (!methods[k].equilibria)
      continue;
    const wy_solver_def solver = solver_of(&methods[k]);
    test_sim made[WAYS];
    wy_message message = {.text = ""};
    for (int way = 0; way < WAYS; way++) {
      example e = askew(&methods[k]);
      turn_start(&e, way);
      made[way] = simulate(&e, &solver);
      must(wy_sim_settle(made[way].sim, 3.14159265358979 / frequency, &message), &message);
      compare(methods[k].name, way_names[way], wy_sim_view(made[way].sim, 0), wy_sim_view(made[0].sim, 0), 1e-7);
      free_example(&e);
    }
    for (int way = 0; way < WAYS; way++)
      free_sim(&made[way]);
  }
}

/* ---- A path through way-points ---- */

static const char *const columns[7] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
enum { ROWS = 5 };

/* Five way-points from a place and a frame on; the space is turned by `turn`. */
static wy_spline *path_from(const double place[3], const double frame[4], const double turn[4]) {
  static const double moves[ROWS][3] = {
      {0, 0, 0}, {0.02, 0.03, 0}, {0.05, 0.05, 0.03}, {0.03, 0.1, 0.02}, {0, 0.08, 0}};
  static const double turns[ROWS][3] = {{0, 0, 0}, {0.3, 0, 0.1}, {0.3, 0.5, 0.1}, {-0.2, 0.8, 0.3}, {-0.3, 0.2, 0.9}};
  static const double times[ROWS] = {0, 0.1, 0.25, 0.3, 0.5};
  double values[ROWS][7], r[9];
  wy_qmatrix(turn, r);
  for (int i = 0; i < ROWS; i++) {
    double q[4], once[4], x[3];
    for (int k = 0; k < 3; k++)
      x[k] = place[k] + moves[i][k];
    wy_mul3(r, x, values[i]);
    wy_qexp(turns[i], q);
    wy_qmul(q, frame, once);
    wy_qmul(turn, once, values[i] + 3);
  }
  wy_spline_def def = wy_default_spline_def();
  wy_spline *path = NULL;
  wy_message message = {.text = ""};
  def.rows = ROWS, def.columns = 7, def.argument = times, def.values = &values[0][0], def.names = columns;
  def.outside = WY_OUTSIDE_HOLD;
  must(wy_spline_create(&def, &path, &message), &message);
  return path;
}

static void follow(wy_end *end, const wy_spline *path) {
  *end = wy_end_clamped();
  for (int i = 0; i < 3; i++) {
    end->position[i] = WY_DRIVEN;
    end->path[i] = wy_spline_signal(path, i);
  }
  end->rotation = WY_DRIVEN;
  end->rotation_by = WY_BY_QUATERNION;
  end->rotation_from = WY_FROM_SPACE;
  for (int i = 0; i < 4; i++)
    end->quaternion[i] = wy_spline_signal(path, 3 + i);
}

static const double no_turn[4] = {1, 0, 0, 0};

/* The start follows a path; everything may be turned. */
static example following(const method *m, const double turn[4], wy_spline **path) {
  example e = askew(m);
  double frame[4], r[9], turned[3];
  undeformed_frame(frame);
  *path = path_from(e.rod.shape.origin, frame, turn);
  wy_qmatrix(turn, r);
  double *const vectors[] = {e.rod.shape.origin, e.rod.shape.direction, e.rod.shape.d1, e.gravity};
  for (int i = 0; i < 4; i++) {
    wy_mul3(r, vectors[i], turned);
    memcpy(vectors[i], turned, sizeof turned);
  }
  follow(&e.rod.ends[WY_START], *path);
  return e;
}

static void the_end_stands_where_the_path_says(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    const wy_solver_def solver = solver_of(&methods[k]);
    wy_spline *path;
    example e = following(&methods[k], no_turn, &path);
    test_sim made = start_moving(&e, &solver);
    for (int i = 1; i <= 5; i++) {
      double x[4], q[4], want[7], jet[3], along = 0, square = 0;
      move_to(&made, 0.1 * i);
      probe(&made, WY_POSITION, 0, x);
      probe(&made, WY_ROTATION, 0, q);
      for (int c = 0; c < 7; c++) {
        wy_spline_evaluate(path, c, 0.1 * i, jet);
        want[c] = jet[0];
      }
      for (int c = 0; c < 4; c++)
        along += q[c] * want[3 + c], square += want[3 + c] * want[3 + c];
      check_close(apart(x, want), 0, 1e-9);
      check_close(fabs(along) / sqrt(square), 1, 1e-12);
    }
    free_sim(&made);
    free_example(&e);
    wy_spline_destroy(path);
  }
}

/* Turned as a whole, with its gravity and its way-points. */
static void the_motion_turns_with_everything(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    const wy_solver_def solver = solver_of(&methods[k]);
    wy_spline *paths[2];
    double turn[4], r[9];
    wy_qexp((double[3]){0.7, -1.1, 1.9}, turn);
    wy_qmatrix(turn, r);
    example plain = following(&methods[k], no_turn, &paths[0]), turned = following(&methods[k], turn, &paths[1]);
    test_sim a = start_moving(&plain, &solver), b = start_moving(&turned, &solver);
    move_to(&a, 0.5);
    move_to(&b, 0.5);
    const wy_points *x = &wy_sim_view(a.sim, 0)->position, *y = &wy_sim_view(b.sim, 0)->position;
    for (int i = 0; i < x->count; i++) {
      double want[3];
      wy_mul3(r, x->values + 3 * i, want);
      check_close(apart(y->values + 3 * i, want), 0, 1e-7);
    }
    free_sim(&a), free_sim(&b);
    free_example(&plain), free_example(&turned);
    wy_spline_destroy(paths[0]), wy_spline_destroy(paths[1]);
  }
}

static void a_saved_state_goes_on_bit_for_bit(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    const wy_solver_def solver = solver_of(&methods[k]);
    wy_spline *path;
    wy_message message = {.text = ""};
    example e = following(&methods[k], no_turn, &path);
    test_sim one = start_moving(&e, &solver), other = start_moving(&e, &solver);
    move_to(&one, 0.2);
    const size_t size = wy_sim_save_size(one.sim);
    void *saved = malloc(size);
    must(wy_sim_save(one.sim, saved, size, &message), &message);
    move_to(&one, 0.5);
    must(wy_sim_restore(other.sim, saved, size, &message), &message);
    move_to(&other, 0.5);
    same_state(&one, &other);
    free(saved);
    free_sim(&one), free_sim(&other);
    free_example(&e);
    wy_spline_destroy(path);
  }
}

/* Another path is another simulation. */
static void a_saved_state_knows_its_path(void **state) {
  (void)state;
  const wy_solver_def solver = solver_of(&methods[0]);
  wy_spline *path;
  wy_message message = {.text = ""};
  example e = following(&methods[0], no_turn, &path);
  test_sim one = start_moving(&e, &solver);
  const size_t size = wy_sim_save_size(one.sim);
  void *saved = malloc(size);
  must(wy_sim_save(one.sim, saved, size, &message), &message);
  double *values = malloc(7 * ROWS * sizeof *values);
  wy_spline_def def = *wy_spline_definition(path);
  memcpy(values, def.values, 7 * ROWS * sizeof *values);
  values[7 * 3 + 4] += 1e-12; /* one component of one orientation */
  def.values = values;
  wy_spline *changed = NULL;
  must(wy_spline_create(&def, &changed, &message), &message);
  follow(&e.rod.ends[WY_START], changed);
  test_sim other = start_moving(&e, &solver);
  assert_int_equal(wy_sim_restore(other.sim, saved, size, &message), WY_ERROR_INPUT);
  follow(&e.rod.ends[WY_START], path);
  test_sim same = start_moving(&e, &solver);
  must(wy_sim_restore(same.sim, saved, size, &message), &message);
  free(saved);
  free(values);
  free_sim(&one), free_sim(&other), free_sim(&same);
  free_example(&e);
  wy_spline_destroy(path), wy_spline_destroy(changed);
}

/* ---- Moves and releases ---- */

/* wy_sim_move_end takes over where the path has led the end. */
static void a_move_takes_over(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    const wy_solver_def solver = solver_of(&methods[k]);
    wy_spline *path;
    wy_message message = {.text = ""};
    example e = following(&methods[k], no_turn, &path);
    test_sim made = start_moving(&e, &solver);
    double x[4], q[4], before[4], target[4];
    move_to(&made, 0.2);
    probe(&made, WY_ROTATION, 0, before);
    wy_qexp((double[3]){0.5, -0.4, 0.3}, target);
    const wy_pose pose = {.position = (double[3]){0.12, 0.22, -0.28}, .frame = target};
    must(wy_sim_move_end(made.sim, 0, WY_START, &pose, 0.3, &message), &message);
    move_to(&made, 0.204);
    probe(&made, WY_ROTATION, 0, q);
    double relative[4], turn[3];
    wy_qrelative(before, q, relative);
    wy_qlog(relative, turn);
    check_below(wy_norm3(turn), 0.004 * 20); /* no jump: below the angular velocity times the time */
    move_to(&made, 0.6);
    probe(&made, WY_POSITION, 0, x);
    probe(&made, WY_ROTATION, 0, q);
    check_close(apart(x, pose.position), 0, 1e-9);
    double along = 0;
    for (int i = 0; i < 4; i++)
      along += q[i] * target[i];
    check_close(fabs(along), 1, 1e-12);
    free_sim(&made);
    free_example(&e);
    wy_spline_destroy(path);
  }
}

/* After the release nothing holds the end, wherever the path goes: the reaction is gone. */
static void a_release_ends_the_path(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    const wy_solver_def solver = solver_of(&methods[k]);
    wy_spline *path;
    example e = following(&methods[k], no_turn, &path);
    e.rod.ends[WY_START].release = 0.2;
    test_sim made = start_moving(&e, &solver);
    move_to(&made, 0.4);
    const wy_view *view = wy_sim_view(made.sim, 0);
    assert_false(view->ends[0].position_held || view->ends[0].rotation_held);
    check_close(wy_norm3(view->ends[0].reaction_force), 0, 0);
    free_sim(&made);
    free_example(&e);
    wy_spline_destroy(path);
  }
}

/* ---- Beginnings ---- */

static void check_refused(const example *e, bool statics, const char *key, const char *want) {
  wy_message message = {.text = ""};
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_sim_def def = wy_default_sim_def();
  const wy_model_def model_def = example_model(e);
  def.statics = statics;
  wy_status status = wy_model_create(&model_def, &model, &message);
  if (status == WY_OK)
    status = wy_sim_create(model, &def, &sim, &message);
  if (status == WY_OK)
    status = wy_sim_advance(sim, 0.01, &message);
  assert_int_equal(status, WY_ERROR_INPUT);
  if (strcmp(message.path, key) != 0 || !strstr(message.text, want))
    fail_msg("got '%s': '%s', want '%s': '%s' in it", message.path, message.text, key, want);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

static void a_motion_begins_at_the_undeformed_end(void **state) {
  (void)state;
  double frame[4];
  undeformed_frame(frame);
  for (int statics = 0; statics < 2; statics++) {
    example e = askew(&methods[0]);
    wy_end *end = &e.rod.ends[WY_START];
    end->rotation = WY_DRIVEN;
    end->rotation_by = WY_BY_QUATERNION;
    end->quaternion[0] = wy_constant(1);
    end->quaternion[1] = wy_constant(1);
    check_refused(&e, statics, "rods[0].ends.start.rotation.quaternion", "found a rotation by 1.5708 rad at t = 0");
    end->rotation_from = WY_FROM_SPACE;
    check_refused(&e, statics, "rods[0].ends.start.rotation.quaternion", "turned by");
    end->rotation_by = WY_BY_DIRECTORS;
    end->d3[0] = end->d1[1] = wy_constant(1);
    check_refused(&e, statics, "rods[0].ends.start.rotation.d3", "against that of the undeformed rod");
    free_example(&e);
  }
}

/* Digits that a file has lost are no jump: the end begins where the rod has it, and goes on from there. */
static void rounded_numbers_begin_at_the_undeformed_end(void **state) {
  (void)state;
  example e = askew(&methods[0]);
  const wy_solver_def solver = solver_of(&methods[0]);
  double frame[4], q[4], along = 0;
  undeformed_frame(frame);
  wy_end *end = &e.rod.ends[WY_START];
  end->rotation = WY_DRIVEN;
  end->rotation_by = WY_BY_QUATERNION;
  end->rotation_from = WY_FROM_SPACE;
  for (int i = 0; i < 4; i++)
    end->quaternion[i] = wy_constant(round(1e4 * frame[i]) / 1e4);
  test_sim made = start_moving(&e, &solver);
  probe(&made, WY_ROTATION, 0, q);
  for (int i = 0; i < 4; i++)
    along += q[i] * frame[i];
  check_close(fabs(along), 1, 1e-15);
  free_sim(&made);
  free_example(&e);
}

/* A run that is longer than its table is refused before it starts, but not one that ends with it. */
static void a_table_reaches_to_the_end_of_the_run(void **state) {
  (void)state;
  wy_spline *path;
  wy_message message = {.text = ""};
  example e = following(&methods[0], no_turn, &path);
  wy_spline_def def = *wy_spline_definition(path);
  def.outside = WY_OUTSIDE_REFUSE;
  wy_spline *refusing = NULL;
  must(wy_spline_create(&def, &refusing, &message), &message);
  follow(&e.rod.ends[WY_START], refusing);
  const double ends[] = {0.5, 0.6, 0.6};
  for (int i = 0; i < 3; i++) {
    wy_model *model = NULL;
    wy_sim *sim = NULL;
    wy_sim_def sim_def = wy_default_sim_def();
    sim_def.end = ends[i];
    e.rod.ends[WY_START].release = i == 2 ? 0.4 : (double)INFINITY;
    const wy_model_def model_def = example_model(&e);
    must(wy_model_create(&model_def, &model, &message), &message);
    const wy_status status = wy_sim_create(model, &sim_def, &sim, &message);
    assert_int_equal(status, i == 1 ? WY_ERROR_INPUT : WY_OK);
    if (i == 1 && (strcmp(message.path, "rods[0].ends.start.position[0]") != 0 ||
                   !strstr(message.text, "reaches from t = 0 to 0.5, and the run needs it from 0 to 0.6")))
      fail_msg("got '%s': '%s'", message.path, message.text);
    if (status == WY_OK)
      must(wy_sim_advance(sim, ends[i], &message), &message);
    wy_sim_destroy(sim);
    wy_model_destroy(model);
  }
  free_example(&e);
  wy_spline_destroy(path), wy_spline_destroy(refusing);
}

static void wrong_definitions_are_refused(void **state) {
  (void)state;
  example e = askew(&methods[0]);
  wy_end *end = &e.rod.ends[WY_END];
  end->rotation = WY_DRIVEN;
  end->rotation_by = WY_BY_QUATERNION;
  check_refused(&e, false, "rods[0].ends.end.rotation.quaternion", "found [0, 0, 0, 0] at t = 0; expected a rotation");
  end->quaternion[2] = wy_constant(NAN);
  check_refused(&e, false, "rods[0].ends.end.rotation.quaternion", "expected a rotation: finite numbers");
  end->rotation_by = WY_BY_DIRECTORS;
  check_refused(&e, false, "rods[0].ends.end.rotation.d3", "found [0, 0, 0] at t = 0; expected a direction in space");
  end->d3[0] = wy_constant(1);
  check_refused(&e, false, "rods[0].ends.end.rotation.d1", "found [0, 0, 0] at t = 0; expected a direction in space");
  end->d1[0] = wy_constant(2);
  check_refused(&e, false, "rods[0].ends.end.rotation.d1", "is parallel to d3 at t = 0");
  end->d1[1] = wy_constant(2);
  check_refused(&e, false, "rods[0].ends.end.rotation", "found directors relative to the undeformed end");
  end->rotation_by = (wy_rotation_by)3;
  check_refused(&e, false, "rods[0].ends", "found a kind of rotation that does not exist");
  end->rotation_by = WY_BY_ANGLE, end->rotation_from = (wy_rotation_from)2;
  check_refused(&e, false, "rods[0].ends", "found a kind of rotation that does not exist");
  free_example(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_rotation_may_be_written_in_any_way),
                                     cmocka_unit_test(an_equilibrium_does_not_know_how_it_was_written),
                                     cmocka_unit_test(the_end_stands_where_the_path_says),
                                     cmocka_unit_test(the_motion_turns_with_everything),
                                     cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
                                     cmocka_unit_test(a_saved_state_knows_its_path),
                                     cmocka_unit_test(a_table_reaches_to_the_end_of_the_run),
                                     cmocka_unit_test(a_move_takes_over),
                                     cmocka_unit_test(a_release_ends_the_path),
                                     cmocka_unit_test(a_motion_begins_at_the_undeformed_end),
                                     cmocka_unit_test(rounded_numbers_begin_at_the_undeformed_end),
                                     cmocka_unit_test(wrong_definitions_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
