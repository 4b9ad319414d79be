/* SPDX-License-Identifier: MIT */
/* Rods and obstacles at random: any kind of rod, shape, motion, friction, scheme and integrator. Every run ends with a
   finite result whose energies balance, or with a message, and no rod goes into an obstacle beyond its core. contact
   [--seed S] [--runs N] [--only I] [--verbose] Run I of a seed is the same whatever else runs. Exit 1: some run is
   wrong; its number is printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contact/station.h"
#include "random/chance.h"
#include "scheme/contacts.h"
#include "withy/withy.h"

/* ---- Scenes ---- */

/* A place that swings: x0 + a sin(w t), or that goes on steadily where w = 0. */
typedef struct swing {
  double at, size, rate;
} swing;

typedef struct scene {
  wy_rod_def rod;
  wy_obstacle_def obstacle;
  wy_contact_def contact;
  wy_solver_def solver;
  swing places[3], angle;
  double radius, speed, end, gravity[3];
} scene;

static void swing_at(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const swing *w = context;
  (void)s, (void)wrt;
  if (w->rate == 0) {
    jet[0] = w->at + w->size * t, jet[1] = w->size, jet[2] = 0;
    return;
  }
  jet[0] = w->at + w->size * sin(w->rate * t), jet[1] = w->size * w->rate * cos(w->rate * t);
  jet[2] = -w->size * w->rate * w->rate * sin(w->rate * t);
}

static const char *const shapes[] = {"plane", "sphere", "cylinder", "capsule", "box", "torus", "tube"};

static void draw_rod(chance *c, scene *s) {
  wy_rod_def *rod = &s->rod;
  *rod = wy_default_rod_def();
  rod->name = "rod";
  rod->kind = (wy_rod_kind)one_of(c, 3);
  rod->length = between(c, 0.2, 0.8);
  rod->segments = 4 + one_of(c, 17);
  s->radius = spread(c, 2e-3, 1.2e-2);
  rod->section.shape = WY_CIRCLE;
  rod->section.radius = wy_constant(s->radius);
  rod->material.given = true;
  rod->material.density = wy_constant(between(c, 900, 3000));
  rod->material.young = wy_constant(spread(c, 1e6, 1e9));
  rod->material.poisson = wy_constant(between(c, 0.2, 0.5));
  if (any(c) < 0.7) {
    rod->damping.kind = WY_DAMPING_TIME;
    rod->damping.time = wy_constant(spread(c, 1e-4, 1e-2));
  }
  const wy_v3 along = direction(c);
  wy_put3(rod->shape.direction, along);
  wy_put3(rod->shape.origin, wy_times(-0.5 * rod->length, along));
}

/* How far a form reaches from its centre. */
static double size_of(const wy_obstacle_def *def) {
  switch (def->shape) {
  case WY_OBSTACLE_SPHERE:
    return def->radius;
  case WY_OBSTACLE_CYLINDER:
    return sqrt(def->radius * def->radius + 0.25 * def->length * def->length);
  case WY_OBSTACLE_CAPSULE:
    return def->radius + 0.5 * def->length;
  case WY_OBSTACLE_BOX:
    return 0.5 * wy_norm(wy_at3(def->dimensions));
  case WY_OBSTACLE_TORUS:
    return def->radius + def->thickness;
  default:
    return 0;
  }
}

/* Below the rod, whatever its direction; a tube is around it. `to` is where it lies. */
static void draw_obstacle(chance *c, scene *s, wy_v3 to) {
  wy_obstacle_def *def = &s->obstacle;
  *def = wy_default_obstacle_def();
  def->name = "obstacle";
  def->shape = (wy_obstacle_shape)one_of(c, 7);
  def->radius = between(c, 0.02, 0.2), def->length = between(c, 0.05, 0.4), def->thickness = between(c, 0.01, 0.05);
  def->radius += def->shape == WY_OBSTACLE_TORUS ? def->thickness + 0.02 : 0;
  for (int k = 0; k < 3; k++)
    def->dimensions[k] = between(c, 0.05, 0.4);
  wy_v3 axis = direction(c), centre = {0, 0, 0};
  const double clear = 0.5 * s->rod.length + s->radius * between(c, 1.1, 3);
  if (def->shape == WY_OBSTACLE_PLANE) {
    axis = wy_times(-1, to);
    centre = wy_times(clear, to);
  } else if (def->shape == WY_OBSTACLE_TUBE) {
    axis = wy_at3(s->rod.shape.direction);
    def->radius = s->radius * between(c, 1.5, 8);
    def->length = any(c) < 0.5 ? (double)INFINITY : 2 * s->rod.length;
  } else {
    centre = wy_times(clear + size_of(def), to);
  }
  wy_put3(def->axis, axis);
  memset(def->d1, 0, sizeof def->d1);
  const bool moves = any(c) < 0.5, turns = any(c) < 0.4;
  const double speed = moves ? between(c, 0, 0.5) : 0, rate = moves && any(c) < 0.5 ? between(c, 5, 40) : 0;
  const double place[3] = {centre.x, centre.y, centre.z}, way[3] = {-to.x * speed, -to.y * speed, -to.z * speed};
  for (int k = 0; k < 3; k++) {
    s->places[k] = (swing){place[k], rate > 0 ? way[k] / rate : way[k], rate};
    def->position[k] = moves ? (wy_signal){0, swing_at, &s->places[k], WY_TIME} : wy_constant(place[k]);
  }
  if (turns && def->shape != WY_OBSTACLE_PLANE) {
    wy_put3(def->rotation_axis, def->shape == WY_OBSTACLE_TUBE ? axis : direction(c));
    s->angle = (swing){0, between(c, -8, 8), 0};
    def->angle = (wy_signal){0, swing_at, &s->angle, WY_TIME};
  }
  if (def->shape == WY_OBSTACLE_PLANE && any(c) < 0.3) {
    const wy_v3 across = wy_cross(axis, direction(c));
    wy_put3(def->surface_velocity, wy_times(0.3, across));
  }
  s->speed = speed;
}

/* Half of all rods are staggered ones; the others, as far as their model has other schemes, take one of these. */
static void draw_scheme(chance *c, scene *s) {
  static const char *const conserving[] = {"midpoint", "discrete_gradient", "radau5", "dop853"};
  const int kind = (int)s->rod.kind, number = one_of(c, 6);
  if (number < 3)
    return;
  s->solver.relative_tolerance = s->solver.absolute_tolerance = spread(c, 1e-6, 1e-4);
  s->solver.first_step = spread(c, 1e-5, 1e-3);
  s->rod.damping.kind = WY_UNDAMPED;
  if (number == 3 && kind == WY_COSSERAT) {
    s->solver.scheme = "conserving";
    s->solver.integrator = conserving[one_of(c, 4)];
    s->rod.segments |= 1;
  } else if (number == 3 && kind == WY_INEXTENSIBLE) {
    static const double damped[] = {1, 0.8, 0.5};
    s->solver.scheme = "box";
    s->solver.integrator = "galpha";
    s->solver.box.rho_inf = damped[one_of(c, 3)];
  } else {
    s->solver.scheme = "mixed";
    s->solver.integrator = "midpoint";
    s->solver.mixed.order = 1 + one_of(c, 2);
  }
}

static void draw_laws(chance *c, scene *s) {
  s->contact = wy_default_contact_def();
  s->contact.friction = any(c) < 0.5 ? 0 : between(c, 0.05, 0.9);
  s->contact.stick = any(c) < 0.7;
  s->contact.restitution = any(c);
  s->solver = wy_default_solver_def();
  static const char *const names[] = {"auto", "radau5", "rodas", "seulex", "ndf", "dopri5", "dop853", "midpoint"};
  const int number = one_of(c, 8);
  s->solver.integrator = names[number];
  if (number == 5 || number == 6) /* explicit methods need soft rods */
    s->rod.material.young = wy_constant(spread(c, 1e6, 2e7));
  if (number == 7)
    s->solver.first_step = spread(c, 1e-5, 1e-3);
  s->solver.relative_tolerance = s->solver.absolute_tolerance = spread(c, 1e-7, 1e-4);
  s->solver.staggered.coordinates = any(c) < 0.7 ? WY_NULLSPACE : WY_ABSOLUTE;
  draw_scheme(c, s);
}

static void draw(chance *c, scene *s) {
  memset(s, 0, sizeof *s);
  draw_rod(c, s);
  const wy_v3 to = direction(c);
  draw_obstacle(c, s, to);
  draw_laws(c, s);
  /* it falls and is thrown, no faster than its skin can bear: 0.2 of the speed of sound */
  const double sound =
      sqrt(wy_signal_value(&s->rod.material.young, 0, 0) / wy_signal_value(&s->rod.material.density, 0, 0));
  const double speed = fmin(between(c, 0.5, 4), 0.1 * sound);
  wy_put3(s->gravity, wy_times(9.81, to));
  const wy_v3 v = wy_plus(wy_times(speed, to), wy_times(between(c, 0, 0.5), direction(c)));
  s->rod.initial.velocity[0] = wy_constant(v.x);
  s->rod.initial.velocity[1] = wy_constant(v.y);
  s->rod.initial.velocity[2] = wy_constant(v.z);
  s->end = between(c, 0.05, 0.25);
}

/* ---- One run ---- */

typedef enum verdict { GOOD, TOUCHED, SAID, LONG, WRONG } verdict;

typedef struct outcome {
  verdict verdict;
  char text[2048];
} outcome;

/* Where the obstacle is. */
static wy_carrier carrier_at(const scene *s, double t) {
  wy_carrier carrier = {0};
  double jet[3][3], angle[3], turn[3], q[4], rows[9], frame[4];
  for (int k = 0; k < 3; k++)
    wy_signal_rates(&s->obstacle.position[k], 0, t, jet[k]);
  wy_signal_rates(&s->obstacle.angle, 0, t, angle);
  carrier.x = (wy_v3){jet[0][0], jet[1][0], jet[2][0]};
  const wy_v3 z = wy_at3(s->obstacle.axis), x = wy_at3(s->obstacle.d1);
  const wy_m3 columns = {x, wy_cross(z, x), z};
  wy_to_rows(columns, rows);
  wy_qfrom_matrix(rows, frame);
  for (int k = 0; k < 3; k++)
    turn[k] = angle[0] * s->obstacle.rotation_axis[k];
  wy_qexp(turn, q);
  carrier.frame = wy_qproduct(wy_at4(q), wy_at4(frame));
  return carrier;
}

/* Legendre's roots on [0, 1], where the stations of a segment are. */
static double gauss_point(int count, int i) {
  double z = cos(pi * (i + 0.75) / (count + 0.5));
  for (int k = 0; k < 20; k++) {
    double now = z, before = 1;
    for (int n = 2; n <= count; n++) {
      const double next = ((2 * n - 1) * z * now - (n - 1) * before) / n;
      before = now, now = next;
    }
    z -= now * (z * z - 1) / (count * (z * now - before));
  }
  return 0.5 * (1 - z);
}

/* The smallest distance of a station from the obstacle, in radii of the rod. */
static double closest(const scene *s, const wy_model *model, const wy_view *view) {
  const wy_form_of form = wy_form_from(&s->obstacle);
  const wy_carrier carrier = carrier_at(s, view->time);
  const int count = wy_contacts_stations(model, 0, s->rod.length / s->rod.segments);
  double least = INFINITY;
  for (int i = 0; i + 1 < view->position.count; i++)
    for (int j = 0; j < count; j++) {
      const wy_v3 a = wy_at3(view->position.values + (size_t)3 * (size_t)i),
                  b = wy_at3(view->position.values + (size_t)3 * (size_t)(i + 1));
      const wy_v3 x = wy_plus(a, wy_times(gauss_point(count, j), wy_minus(b, a)));
      least = fmin(least, wy_carrier_near(&form, &carrier, x).distance);
    }
  return least / s->radius;
}

/* The same where stations are not on chords: of the nodes, and what the rod says itself of its stations. */
static double closest_of_nodes(const scene *s, const wy_view *view, const wy_contact_view *contact) {
  const wy_form_of form = wy_form_from(&s->obstacle);
  const wy_carrier carrier = carrier_at(s, view->time);
  const bool ends_count = strcmp(s->solver.scheme, "conserving") == 0; /* other nodes are between stations */
  double least = INFINITY;
  for (int i = 0; ends_count && i < view->position.count; i++)
    least =
        fmin(least, wy_carrier_near(&form, &carrier, wy_at3(view->position.values + (size_t)3 * (size_t)i)).distance);
  for (int i = 0; i < contact->gap.count; i++)
    least = fmin(least, contact->gap.values[i] + s->radius);
  return least / s->radius;
}

static bool has_chords(const scene *s) {
  return strcmp(s->solver.scheme, "staggered") == 0 || strcmp(s->solver.scheme, "box") == 0;
}

static bool all_finite(const wy_points *points) {
  for (int i = 0; i < points->count * points->components; i++)
    if (!isfinite(points->values[i]))
      return false;
  return true;
}

#define SAY(result, ...)                                                                                               \
  do {                                                                                                                 \
    snprintf((result).text, sizeof(result).text, __VA_ARGS__);                                                         \
  } while (0)

enum { OUTPUTS = 25, MOST_STEPS = 30000 };

static outcome watch(const scene *s, const wy_model *model, wy_sim *sim) {
  outcome result = {GOOD, ""};
  const wy_energy first = wy_sim_energy(sim, 0);
  double least = INFINITY, largest = fabs(first.kinetic) + fabs(first.elastic);
  wy_message message = {0};
  for (int i = 1; i <= OUTPUTS; i++) {
    const wy_status status = wy_sim_sample(sim, i < OUTPUTS ? s->end * i / OUTPUTS : s->end, &message);
    const wy_view *view = wy_sim_view(sim, 0);
    const wy_energy e = wy_sim_energy(sim, 0);
    if (status) {
      result.verdict = message.text[0] ? SAID : WRONG;
      SAY(result, "%s", message.text[0] ? message.text : "it fails without a message");
      return result;
    }
    largest = fmax(largest, e.kinetic + e.elastic + e.contact + fabs(e.work) + e.dissipated);
    if (!all_finite(&view->position) || !all_finite(&view->velocity) || !isfinite(e.total)) {
      result.verdict = WRONG;
      SAY(result, "not finite at t = %g", wy_sim_time(sim));
      return result;
    }
    least = fmin(least, has_chords(s) ? closest(s, model, view) : closest_of_nodes(s, view, wy_sim_contact(sim, 0)));
    if (least < 0.5) { /* the core; output is between steps */
      result.verdict = WRONG;
      SAY(result, "in the obstacle at t = %g: the axis is %.3g radii from it", wy_sim_time(sim), least);
      return result;
    }
    if (wy_sim_statistics(sim, 0).steps > MOST_STEPS) {
      result.verdict = LONG;
      SAY(result, "%d steps to t = %g of %g", MOST_STEPS, wy_sim_time(sim), s->end);
      return result;
    }
  }
  const wy_energy e = wy_sim_energy(sim, 0);
  const double off = e.total - first.total - e.work + e.dissipated;
  result.verdict = least < 1 ? TOUCHED : GOOD;
  SAY(result, "closest %.3f radii, balance off by %.1e of %.2e", least, off / largest, largest);
  /* a tolerance is one of states; of energies over some thousand steps it is a few hundred times that */
  /* box rods lose energy with rho_inf below 1, and never gain any */
  const bool damps = strcmp(s->solver.scheme, "box") == 0 && s->solver.box.rho_inf < 1;
  if (!((damps ? off : fabs(off)) <= fmax(1e-2, 300 * s->solver.relative_tolerance) * largest))
    result.verdict = WRONG;
  return result;
}

static outcome run(scene *s) {
  outcome result = {SAID, ""};
  wy_message message = {0};
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim_def = wy_default_sim_def();
  def.rods = &s->rod, def.rod_count = 1;
  def.obstacles = &s->obstacle, def.obstacle_count = 1;
  def.contact = &s->contact;
  memcpy(def.gravity, s->gravity, sizeof def.gravity);
  sim_def.solver = s->solver;
  sim_def.end = s->end;
  wy_status status = wy_model_create(&def, &model, &message);
  if (!status) {
    s->obstacle = *wy_model_obstacle(model, 0); /* with all directions chosen */
    status = wy_sim_create(model, &sim_def, &sim, &message);
  }
  if (status) {
    result.verdict = message.text[0] ? SAID : WRONG;
    SAY(result, "%s: %s", message.path, message.text);
  } else {
    result = watch(s, model, sim);
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return result;
}

/* Cells of box rods that bend much have an error in space, which energy tells and more cells mend: a fault is one that
   four times as many do not. */
static outcome run_refined(scene *s) {
  outcome result = run(s);
  for (int i = 0; i < 2 && result.verdict == WRONG && strcmp(s->solver.scheme, "box") == 0; i++) {
    s->rod.segments *= 2;
    result = run(s);
  }
  return result;
}

static void print_run(int number, const scene *s, const outcome *o, double seconds) {
  static const char *const verdicts[] = {"free", "touched", "message", "long", "WRONG"};
  static const char *const kinds[] = {"cosserat", "kirchhoff", "inextensible"};
  printf("%4d %-8s %-12s %-10s %-8s %-8s mu %.2f%s e %.2f tol %.0e N %2d r %.1e E %.0e %.2f s: %s\n", number,
         verdicts[o->verdict], kinds[s->rod.kind], s->solver.scheme, shapes[s->obstacle.shape], s->solver.integrator,
         s->contact.friction, s->contact.stick ? " stick" : "", s->contact.restitution, s->solver.relative_tolerance,
         s->rod.segments, s->radius, wy_signal_value(&s->rod.material.young, 0, 0), seconds, o->text);
}

int main(int argc, char **argv) {
  long seed = 1, runs = 60, only = -1;
  bool verbose = false;
  for (int i = 1; i < argc; i++) {
    const bool more = i + 1 < argc;
    if (strcmp(argv[i], "--verbose") == 0)
      verbose = true;
    else if (strcmp(argv[i], "--seed") == 0 && more)
      seed = strtol(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--runs") == 0 && more)
      runs = strtol(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--only") == 0 && more)
      only = strtol(argv[++i], NULL, 10);
    else {
      fprintf(stderr, "contact: found '%s'; expected --seed S, --runs N, --only I, --verbose\n", argv[i]);
      return 2;
    }
  }
  int counts[WRONG + 1] = {0};
  for (int i = only >= 0 ? (int)only : 0; i < (only >= 0 ? only + 1 : runs); i++) {
    chance c = {(uint64_t)seed * 1000003u + (uint64_t)i * 7919u};
    scene s;
    any(&c);
    draw(&c, &s);
    const clock_t start = clock();
    const outcome o = run_refined(&s);
    counts[o.verdict]++;
    if (verbose || o.verdict == WRONG)
      print_run(i, &s, &o, (double)(clock() - start) / CLOCKS_PER_SEC);
    fflush(stdout);
  }
  printf("seed %ld: %d free, %d touched, %d ended with a message, %d too long, %d wrong\n", seed, counts[GOOD],
         counts[TOUCHED], counts[SAID], counts[LONG], counts[WRONG]);
  return counts[WRONG] > 0;
}
