/* SPDX-License-Identifier: MIT */
/* What obstacles mean to a rod: its skin, how long and how hard hits are, where it feels them, how far the next one is;
   and what looks like a mistake: pieces that are too long for round obstacles, steps that are too long for hits,
   obstacles out of reach or with a jump of their velocity. docs/theory/contact.md. */
#include "model/contact.h"

#include <math.h>
#include <stdio.h>

#include "judge/subject.h"
#include "scheme/contact_view.h"

enum { PLACES = 200 }; /* along a rod, where gaps are looked for */

/* ---- The skin ---- */

/* The depth at which the skin carries a load per length. */
static double depth_under(const wy_skin *skin, double load) {
  double low = 0, high = skin->core;
  if (wy_skin_at(skin, high).load < load)
    return high;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (wy_skin_at(skin, middle).load < load)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* How long a flat hit lasts, half a swing of the mass on its skin. */
static double hit_time(double mass, double stiffness) {
  return 3.14159265358979323846 * sqrt(mass / stiffness);
}

static void report_skin(const wy_subject *in) {
  const double s = 0.5 * in->length, radius = wy_contact_radius(in->rod, s), k = wy_contact_stiffness(in->rod, s);
  const wy_skin skin = {k, in->rod->contact.blend * radius, 0.5 * radius};
  const double mass = in->section.mass, weight = in->weighed * in->strength;
  if (weight > 0)
    wy_say(in, "contact", "radius %.4g m, skin %.4g N/m^2; its weight presses it in by %.2g of the radius", radius, k,
           depth_under(&skin, weight) / radius);
  else
    wy_say(in, "contact", "radius %.4g m, skin %.4g N/m^2", radius, k);
  if (in->rod->section.shape == WY_RECTANGLE)
    wy_say(in, "", "contact sees a round rod, of half the smaller side");
  /* speeds over that of sound in the section, squeezed flat: c* = 2 r sqrt(k'/mu) */
  wy_say(in, "", "a flat hit lasts %.3g s; one of %.3g m/s reaches the core, half the radius", hit_time(mass, k),
         0.43 * 2 * radius * sqrt(k / mass));
}

/* The stations of the rod between its caps; 0: not known. A system that is made for that tells, whatever its scheme. */
static int count_stations(const wy_subject *in) {
  wy_memory memory = {0};
  wy_system *system = NULL;
  wy_message message;
  int count = 0;
  for (int pass = 0; pass < 2; pass++) {
    const wy_factor_needs none = {0};
    if (in->scheme->create(in->model, in->index, in->solver, none, &memory, &system, &message) != WY_OK ||
        (pass == 0 && (wy_arena_allocate(&memory.saved) || wy_arena_allocate(&memory.scratch))))
      break;
  }
  for (int i = 0; system && system->contacts && i < system->contacts->cap; i++)
    count += system->contacts->weight[i] > 0;
  wy_arena_release(&memory.saved);
  wy_arena_release(&memory.scratch);
  return count;
}

static void report_stations(const wy_subject *in) {
  const int count = count_stations(in);
  if (count > 0)
    wy_say(in, "", "obstacles are felt at %d points, %.3g for each %s, and at free ends", count,
           (double)count / in->rod->segments, in->scheme->piece);
}

/* ---- Gaps ---- */

/* A place on the undeformed axis, with the radius there. */
typedef struct axis_place {
  wy_v3 x;
  double radius;
} axis_place;

static void find_places(const wy_subject *in, axis_place at[PLACES + 1]) {
  double x[3] = {in->rest[WY_START][0], in->rest[WY_START][1], in->rest[WY_START][2]}, frame[4];
  wy_reference_start(in->rod, frame);
  for (int i = 0; i <= PLACES; i++) {
    const double s = in->length * i / PLACES;
    if (i > 0)
      wy_reference_advance(in->rod, in->length * (i - 1) / PLACES, s, x, frame);
    at[i] = (axis_place){wy_at3(x), wy_contact_radius(in->rod, s)};
  }
}

/* The smallest gap of the undeformed rod to an obstacle at t = 0; NAN: none is beside it. */
static double gap_to(const wy_subject *in, const axis_place at[PLACES + 1], int obstacle) {
  const wy_form_of form = wy_form_from(wy_model_obstacle(in->model, obstacle));
  const wy_carrier carrier = wy_obstacle_alone(in->model, obstacle, 0, NULL);
  double smallest = NAN;
  for (int i = 0; i <= PLACES; i++) {
    const wy_near near = wy_carrier_near(&form, &carrier, at[i].x);
    if (isfinite(near.distance))
      smallest = fmin(smallest, near.distance - at[i].radius); /* NAN gives way */
  }
  return smallest;
}

static void report_gap(const wy_subject *in) {
  double smallest = NAN;
  int nearest = -1;
  axis_place places[PLACES + 1];
  find_places(in, places);
  for (int i = 0; i < wy_model_obstacle_count(in->model); i++) {
    const double gap = gap_to(in, places, i);
    if (isfinite(gap) && !(gap >= smallest))
      smallest = gap, nearest = i;
  }
  if (nearest >= 0)
    wy_say(in, "", "undeformed it is %.4g m away from obstacle '%s', the nearest", smallest,
           wy_model_obstacle(in->model, nearest)->name);
}

/* ---- Friction ---- */

static bool same_friction(const wy_pair_laws *one, const wy_pair_laws *other) {
  return one->friction == other->friction && one->slip == other->slip && one->speed == other->speed;
}

/* Of each obstacle that differs from the one before. */
static void report_friction(const wy_subject *in) {
  wy_pair_laws before = {0};
  for (int i = 0; i < wy_model_obstacle_count(in->model); i++) {
    const wy_pair_laws laws = wy_model_pair_laws(in->model, in->index, i, in->end);
    if (!(laws.friction > 0) || same_friction(&laws, &before))
      continue;
    const bool moves = in->analysis == WY_DYNAMICS;
    const char *name = wy_model_obstacle(in->model, i)->name;
    if (laws.stick)
      wy_say(in, "friction", "%.4g on '%s': holds up to a slip of %.3g m, slides above %.3g m/s", laws.friction, name,
             moves ? laws.slip : laws.slip_rest, laws.speed);
    else
      wy_say(in, "friction", "%.4g on '%s': slides above %.3g m/s, creeps below", laws.friction, name, laws.speed);
    before = laws;
  }
}

/* ---- What looks like a mistake ---- */

/* A straight piece on a round obstacle leaves its ends above it by h^2/(8 R): a tenth of the radius at most. */
static void check_pieces(const wy_subject *in) {
  const double r = wy_contact_smallest_radius(in->rod);
  double longest = 0, smallest = INFINITY;
  int tightest = -1;
  for (int i = 0; i < in->rod->segments; i++)
    longest = fmax(longest, wy_segment_length(in->rod, i));
  for (int i = 0; i < wy_model_obstacle_count(in->model); i++) {
    const wy_form_of form = wy_form_from(wy_model_obstacle(in->model, i));
    const double round = wy_form_smallest_radius(&form);
    if (round < smallest && form.shape != WY_OBSTACLE_BOX)
      smallest = round, tightest = i;
  }
  const double limit = sqrt(0.8 * smallest * r);
  if (tightest < 0 || !(limit > 0) || !(longest > limit))
    return;
  char remedy[64];
  snprintf(remedy, sizeof remedy, "use at least %.0f segments", ceil(in->rod->segments * longest / limit));
  wy_warn(in,
          &(wy_doubt){.code = "contact_pieces", .key = ".segments", .remedy = remedy, .value = longest, .limit = limit},
          "pieces of %.3g m cut the corner at obstacle '%s' of radius %.3g by more than a tenth of the rod's radius",
          longest, wy_model_obstacle(in->model, tightest)->name, smallest);
}

static void check_steps(const wy_subject *in) {
  const double s = 0.5 * in->length, hit = hit_time(in->section.mass, wy_contact_stiffness(in->rod, s));
  double restitution = 0, friction = 0;
  for (int i = 0; i < wy_model_obstacle_count(in->model); i++) {
    const wy_pair_laws laws = wy_model_pair_laws(in->model, in->index, i, in->end);
    restitution = fmax(restitution, laws.restitution);
    friction = fmax(friction, laws.friction);
  }
  if (in->analysis != WY_DYNAMICS)
    return;
  if (in->fixed_step && restitution > 0.9 && in->solver->first_step > 10 * hit)
    wy_warn(in,
            &(wy_doubt){.code = "contact_step",
                        .path = "solver.step",
                        .remedy = "use a shorter step, or an integrator with error control",
                        .value = in->solver->first_step,
                        .limit = 10 * hit},
            "the step %.3g is more than ten times as long as a flat hit (%.3g s): rods that hit obstacles come back "
            "slower than restitution %.3g says",
            in->solver->first_step, hit, restitution);
  if (in->type && !in->type->info->implicit && friction > 0)
    wy_warn(in,
            &(wy_doubt){.code = "contact_explicit",
                        .path = "solver.integrator",
                        .remedy = "use an implicit one, such as rodas or radau5, or auto"},
            "the integrator %s is explicit: friction makes its steps very short", in->type->info->name);
}

/* ---- Out of reach ---- */

/* Where an end that is held in all directions is at t, or false. */
static bool end_at(const wy_subject *in, int end, double t, double place[3]) {
  const wy_end *def = &in->rod->ends[end];
  for (int k = 0; k < 3; k++) {
    if (def->position[k] == WY_FREE || isfinite(def->release))
      return false;
    place[k] = in->rest[end][k];
    if (def->position[k] == WY_DRIVEN)
      place[k] += wy_signal_value(&def->path[k], 0, t) - wy_signal_value(&def->path[k], 0, 0);
  }
  return true;
}

/* A rod reaches no further than its length from an end that is held. */
static bool may_reach(const wy_subject *in, int obstacle) {
  const wy_form_of form = wy_form_from(wy_model_obstacle(in->model, obstacle));
  const double reach = 1.05 * in->length + wy_contact_largest_radius(in->rod);
  double place[3];
  for (int end = 0; end < 2; end++) {
    bool held = end_at(in, end, 0, place), near = false;
    for (int k = 0; held && !near && k < wy_subject_time_count(in); k += 10) {
      const double t = wy_subject_time(in, k);
      const wy_carrier carrier = wy_obstacle_alone(in->model, obstacle, t, NULL);
      end_at(in, end, t, place);
      near = !(wy_carrier_near(&form, &carrier, wy_at3(place)).distance > reach);
    }
    if (held && !near)
      return false;
  }
  return true;
}

/* Joints and springs may carry rods anywhere, and bodies that are free obstacles. */
static bool is_reached(const wy_subject *in, int obstacle) {
  const wy_model *model = in->model;
  bool reached = wy_model_obstacle(model, obstacle)->shape == WY_OBSTACLE_TUBE ||
                 wy_obstacle_is_pushed(model, obstacle) ||
                 wy_model_joint_count(model) + wy_model_spring_count(model) > 0;
  for (int rod = 0; !reached && rod < wy_model_rod_count(model); rod++) {
    wy_audience nobody = {0};
    const wy_subject other = wy_subject_of(model, in->def, in->solver, in->analysis, rod, &nobody);
    reached = wy_rod_touches(model, rod) && may_reach(&other, obstacle);
  }
  return reached;
}

/* ---- Jumps of velocity ---- */

enum { MOVING, TURNING }; /* which velocity: of its position, or angular */

static wy_v3 velocity_at(const wy_subject *in, int obstacle, int which, double t) {
  const wy_carrier carrier = wy_obstacle_alone(in->model, obstacle, t, NULL);
  return which == TURNING ? carrier.spin : carrier.v;
}

/* Odd shares of intervals: kinks are at round times, where a derivative may be half of the jump. */
static double between(double from, double to) {
  return from + 0.4472 * (to - from);
}

/* The largest change of the velocity inside of an interval that is divided until only a jump is left of it; *to comes
   down on that. */
static double sharpen(const wy_subject *in, int obstacle, int which, double from, double *to) {
  wy_v3 a = velocity_at(in, obstacle, which, from), b = velocity_at(in, obstacle, which, *to);
  for (int i = 0; i < 16; i++) {
    const double middle = between(from, *to);
    const wy_v3 c = velocity_at(in, obstacle, which, middle);
    if (wy_norm(wy_minus(c, a)) > wy_norm(wy_minus(b, c)))
      *to = middle, b = c;
    else
      from = middle, a = c;
  }
  return wy_norm(wy_minus(b, a));
}

/* The largest jump of a velocity, at *when; 0: none above a hundredth of the largest velocity. */
static double largest_jump(const wy_subject *in, int obstacle, int which, double *when) {
  double limit = 0, largest = 0;
  const int count = wy_subject_time_count(in);
  for (int k = 0; k < count; k++)
    limit = fmax(limit, 0.01 * wy_norm(velocity_at(in, obstacle, which, wy_subject_time(in, k))));
  for (int k = 1; k < count; k++) {
    const double last = wy_subject_time(in, k - 1);
    const double now = wy_subject_time(in, k), from = k > 1 ? between(wy_subject_time(in, k - 2), last) : last;
    double to = k + 1 < count ? between(last, now) : now;
    const wy_v3 a = velocity_at(in, obstacle, which, from), b = velocity_at(in, obstacle, which, to);
    if (!(wy_norm(wy_minus(b, a)) > fmax(limit, largest)))
      continue;
    const double found = sharpen(in, obstacle, which, from, &to);
    if (found > fmax(limit, largest))
      largest = found, *when = to;
  }
  return largest;
}

/* What touches an obstacle whose velocity jumps is hit. */
static void check_smooth(const wy_subject *in, int obstacle, const char *path) {
  static const char *const name[2] = {"velocity", "angular velocity"}, *const unit[2] = {"m", "rad"};
  for (int which = MOVING; which <= TURNING; which++) {
    double when = 0;
    const double jump = largest_jump(in, obstacle, which, &when);
    if (jump > 0)
      wy_warn(in,
              &(wy_doubt){.code = "contact_shock",
                          .path = path,
                          .value = jump,
                          .remedy = "let it move smoothly, e.g. by a*(1 - cos(w*t))"},
              "its %s jumps by %.3g %s/s at t = %.4g: a shock to what touches it", name[which], jump, unit[which],
              when);
  }
}

/* Asked with the first rod, of all. */
static void check_obstacles(const wy_subject *in) {
  for (int i = 0; in->index == 0 && i < wy_model_obstacle_count(in->model); i++) {
    char path[96];
    snprintf(path, sizeof path, "obstacles.%.63s", wy_model_obstacle(in->model, i)->name);
    if (!is_reached(in, i))
      wy_warn(in, &(wy_doubt){.code = "contact_reach", .path = path, .remedy = "move it, or leave it out"},
              "no rod can reach this obstacle");
    else if (in->analysis == WY_DYNAMICS)
      check_smooth(in, i, path);
  }
}

void wy_check_contact(wy_subject *in) {
  if (wy_model_obstacle_count(in->model) == 0)
    return;
  check_obstacles(in);
  if (!wy_rod_touches(in->model, in->index)) {
    wy_say(in, "contact", "it touches nothing");
    return;
  }
  report_skin(in);
  report_stations(in);
  report_gap(in);
  report_friction(in);
  check_pieces(in);
  check_steps(in);
}
