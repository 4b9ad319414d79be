/* SPDX-License-Identifier: MIT */
#include "scheme/rates.h"

#include <math.h>

#include "model/contact.h"
#include "scheme/fluid.h"

/* One segment's own vibrations: what its section is, its length and its rotary inertia. */
typedef struct cell {
  wy_section_values section;
  double h, wave, rotary[3]; /* the shortest wave has the wave number wave/h */
  int constrained;
} cell;

/* An oscillator x'' + 2 delta x' + omega^2 x = 0 (I51): the fastest of its two rates, by size and by real part. */
static void add_oscillator(double omega2, double delta, const char *kind, wy_rates *rates) {
  double omega = sqrt(omega2), root = sqrt(fmax(delta * delta - omega2, 0));
  if (omega > rates->fast) {
    rates->fast = omega;
    rates->kind = kind;
    rates->damping = delta / omega;
  }
  rates->decay = fmax(rates->decay, delta + root);
}

typedef struct pair {
  double a, b, c; /* the symmetric matrix a b, b c */
} pair;

static double quotient(const pair *m, const double v[2]) {
  return m->a * v[0] * v[0] + 2 * m->b * v[0] * v[1] + m->c * v[1] * v[1];
}

/* The direction of its largest eigenvalue. */
static void largest_of(const pair *m, double v[2]) {
  double angle = 0.5 * atan2(2 * m->b, m->a - m->c);
  v[0] = cos(angle), v[1] = sin(angle);
}

/* The shortest wave of shear and bending about one axis (I50), in coordinates whose mass is one: displacement and
   rotation alternate from one vertex and segment to the next. */
static pair shortest_wave(const cell *c, int axis, double shear, double bending) {
  double x = c->wave / (c->h * sqrt(c->section.mass)), turn = 1 / sqrt(c->rotary[axis]);
  return (pair){shear * x * x, shear * x * turn, (shear + c->wave * c->wave * bending / (c->h * c->h)) * turn * turn};
}

static void add_shear_and_bending(const cell *c, int axis, wy_rates *rates) {
  const double *stiffness = c->section.stiffness, *damping = c->section.damping;
  /* Bending about d1 goes with the shear along d2. */
  pair k = shortest_wave(c, axis, stiffness[1 - axis], stiffness[3 + axis]),
       d = shortest_wave(c, axis, damping[1 - axis], damping[3 + axis]);
  double v[2];
  largest_of(&k, v);
  add_oscillator(quotient(&k, v), 0.5 * quotient(&d, v), "shear with bending", rates);
  largest_of(&d, v);
  add_oscillator(quotient(&k, v), 0.5 * quotient(&d, v), "shear with bending", rates);
}

/* The square of the largest wave number. */
static double square_of(const cell *c) {
  return c->wave * c->wave / (c->h * c->h);
}

/* Without shear rotations follow the displacements and bring their inertia along (I52). */
static double bending_mass(const cell *c, int axis) {
  return c->section.mass + square_of(c) * c->rotary[axis];
}

static void add_bending(const cell *c, int axis, wy_rates *rates) {
  double wave = square_of(c), mass = bending_mass(c, axis);
  add_oscillator(wave * wave * c->section.stiffness[3 + axis] / mass,
                 0.5 * wave * wave * c->section.damping[3 + axis] / mass, "bending", rates);
}

/* How fast bending goes in a rod that moves: `speed` is that of waves by tension, of which whips have more (I53). */
static void watch_bending(const cell *c, double speed, wy_rates *rates) {
  double wave = square_of(c), tension = wave * speed * speed;
  for (int axis = 0; axis < 2; axis++)
    rates->bending =
        fmax(rates->bending, sqrt(wave * wave * c->section.stiffness[3 + axis] / bending_mass(c, axis) + tension));
}

static void add_cell(const cell *c, wy_rates *rates) {
  const double *stiffness = c->section.stiffness, *damping = c->section.damping, wave = square_of(c);
  for (int axis = 0; axis < 2; axis++)
    (c->constrained ? add_bending : add_shear_and_bending)(c, axis, rates);
  add_oscillator(wave * stiffness[5] / c->rotary[2], 0.5 * wave * damping[5] / c->rotary[2], "torsion", rates);
  if (c->constrained < 3)
    add_oscillator(wave * stiffness[2] / c->section.mass, 0.5 * wave * damping[2] / c->section.mass, "extension",
                   rates);
}

/* Have both the same vibrations? Then one of them tells all. */
static bool is_alike(const cell *a, const cell *b) {
  bool same = a->h == b->h && a->section.mass == b->section.mass;
  for (int k = 0; k < 6; k++)
    same = same && a->section.stiffness[k] == b->section.stiffness[k] && a->section.damping[k] == b->section.damping[k];
  for (int k = 0; k < 3; k++)
    same = same && a->rotary[k] == b->rotary[k];
  return same;
}

/* What surroundings and branches add: drag slows all vibrations, branches relax by themselves (I53). */
static void add_losses(const wy_rod_def *def, wy_rates *rates) {
  rates->decay += fmax(def->drag.translation, def->drag.rotation);
  rates->loss = 0.5 * fmin(def->drag.translation, def->drag.rotation);
  if (wy_fluid_drags(def)) { /* linear about the flow in the middle of the undeformed rod */
    double place[3], frame[4];
    const double middle = 0.5 * def->length;
    wy_reference_at(def, middle, place, frame);
    const wy_fluid_section section = wy_fluid_section_at(def, middle);
    const double speed = wy_norm(wy_fluid_flow(def, wy_at3(place), 0).velocity);
    rates->decay += 2 * fmax(section.across, section.along) * speed / wy_section_at(def, middle).mass;
  }
  for (int i = 0; i < def->maxwell_count; i++) {
    rates->decay = fmax(rates->decay, 1 / def->maxwell[i].time);
    rates->loss += 0.5 * def->maxwell[i].share / def->maxwell[i].time;
  }
}

double wy_rate_of_hits(const wy_model *model, int rod) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  if (!wy_rod_touches(model, rod))
    return 0;
  const double middle = 0.5 * def->length;
  return sqrt(wy_contact_stiffness(def, middle) / wy_section_at(def, middle).mass);
}

/* The skin of a rod that touches vibrates, and friction damps under the load of a hit at the speed of the motion: what
   explicit steps then cost, and what they lose in the balance of energies, is more than the mean load tells (I53a). */
static void add_contact(const wy_model *model, int rod, double speed, wy_rates *rates) {
  const double omega = wy_rate_of_hits(model, rod);
  if (omega > rates->fast) {
    rates->fast = omega;
    rates->kind = "the skin in contact";
    rates->damping = 0;
  }
  for (int i = 0; omega > 0 && i < wy_model_obstacle_count(model); i++) {
    const wy_pair_laws laws = wy_model_pair_laws(model, rod, i, INFINITY);
    if (laws.friction > 0)
      rates->decay = fmax(rates->decay, 2 * laws.friction * omega * speed / laws.speed);
  }
}

static int constrained_strains(wy_rod_kind kind) {
  return kind == WY_COSSERAT ? 0 : kind == WY_KIRCHHOFF ? 2 : 3;
}

void wy_rates_of_segment(const wy_section_values *section, wy_rod_kind kind, double h, double wave, wy_rates *rates) {
  cell c = {.section = *section, .h = h, .wave = wave, .constrained = constrained_strains(kind)};
  for (int k = 0; k < 3; k++)
    c.rotary[k] = section->rotary[k];
  add_cell(&c, rates);
}

void wy_rates_of_rod(const wy_model *model, int rod, double wave, bool cylinder, wy_rates *rates) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const double *g = wy_model_gravity(model), two_pi = 6.283185307179586, whip = 3.15;
  double gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), s = 0;
  cell c = {.wave = wave, .constrained = constrained_strains(def->kind)};
  *rates = (wy_rates){.slow = fmax(two_pi / wy_model_period(model, rod), sqrt(gravity / def->length)),
                      .wave = wave,
                      .kind = "",
                      .constrained = c.constrained > 0};
  cell last = {0};
  for (int i = 0; i < def->segments; i++) {
    double own = wy_segment_length(def, i), before = i > 0 ? wy_segment_length(def, i - 1) : own,
           after = i + 1 < def->segments ? wy_segment_length(def, i + 1) : own;
    c.h = 0.25 * (before + 2 * own + after); /* the shortest wave reaches into the neighbours */
    c.section = wy_section_at(def, s + 0.5 * own);
    s += own;
    for (int k = 0; k < 3; k++)
      c.rotary[k] = c.section.rotary[k];
    for (int k = 0; k < 2 && cylinder; k++)
      c.rotary[k] += c.section.mass * own * own / 12;
    if (is_alike(&c, &last))
      continue;
    last = c;
    add_cell(&c, rates);
    watch_bending(&c, whip * rates->slow * def->length, rates);
  }
  add_losses(def, rates);
  add_contact(model, rod, sqrt(gravity * def->length), rates);
}
