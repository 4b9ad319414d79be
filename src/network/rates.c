/* SPDX-License-Identifier: MIT */
#include "network/rates.h"

#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/network.h"

/* w . J^-1 w of a body, w in its axes. */
static double turning(const wy_body_def *body, const double w[3]) {
  const double *j = body->inertia;
  const double m[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
  double cross[3][3];
  for (int i = 0; i < 3; i++)
    wy_cross3(m + 3 * ((i + 1) % 3), m + 3 * ((i + 2) % 3), cross[i]); /* rows of the cofactors */
  const double determinant = wy_dot3(m, cross[0]);
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += w[i] * wy_dot3(w, (double[3]){cross[0][i], cross[1][i], cross[2][i]});
  return sum / determinant;
}

/* How easily a point of a hub moves along e: 1/m of what is on it, and of a body what it turns there. */
static double mobility(const wy_model *model, const wy_spring_end *at, const double e[3]) {
  const wy_network *network = wy_model_network(model);
  const wy_hub *hub = at->hub >= 0 ? &network->hubs[at->hub] : NULL;
  if (!hub || hub->known)
    return 0;
  const wy_body_def *body = hub->body >= 0 ? wy_model_body(model, hub->body) : NULL;
  double mass = body ? body->mass : 0, turn = 0;
  for (int i = hub->first_end; i < hub->first_end + hub->end_count; i++) {
    const wy_hub_end *end = &network->ends[i];
    const wy_rod_def *rod = wy_model_rod(model, end->rod);
    mass += wy_section_at(rod, end->s).mass * rod->length / rod->segments * (end->inner ? 1 : 0.5);
  }
  if (body && body->rotation == WY_FREE) {
    double r[9], own[3], w[3];
    wy_qmatrix(body->frame, r);
    wy_tmul3(r, e, own);
    wy_cross3(at->c, own, w);
    turn = turning(body, w);
  }
  return mass > 0 ? 1 / mass + turn : 0;
}

static void direction(const wy_model *model, int spring, double e[3]) {
  const wy_network *network = wy_model_network(model);
  double place[2][3];
  for (int end = 0; end < 2; end++) {
    const wy_spring_end *at = &network->springs[spring][end];
    wy_copy3(at->c, place[end]);
    if (at->hub >= 0) {
      double r[9];
      wy_qmatrix(network->hubs[at->hub].frame, r);
      wy_mul3(r, at->c, place[end]);
      wy_add3(place[end], 1, network->hubs[at->hub].origin);
    }
  }
  wy_copy3(place[1], e);
  wy_add3(e, -1, place[0]);
  const double length = wy_norm3(e);
  for (int k = 0; k < 3; k++)
    e[k] = length > 0 ? e[k] / length : k == 0;
}

/* What springs add up to at a hub. */
typedef struct at_hub {
  double stiffness, damping; /* times mobility */
} at_hub;

/* Where several springs pull at a hub its fastest vibration is that of their sum, by Gershgorin's circles. */
static void bound(const wy_model *model, const wy_group_def *group, at_hub *hubs, wy_rates *out) {
  const wy_network *network = wy_model_network(model);
  double fast = 0, slow = INFINITY;
  for (int i = 0; i < group->spring_count; i++) {
    const wy_spring_def *spring = wy_model_spring(model, group->springs[i]);
    double e[3], both = 0;
    direction(model, group->springs[i], e);
    for (int end = 0; end < 2; end++) {
      const wy_spring_end *at = &network->springs[group->springs[i]][end];
      const double moves = mobility(model, at, e);
      both += moves;
      if (at->hub >= 0) {
        hubs[at->hub].stiffness += spring->stiffness * moves;
        hubs[at->hub].damping += spring->damping * moves;
      }
    }
    if (spring->stiffness * both > 0)
      slow = fmin(slow, spring->stiffness * both);
  }
  for (int i = 0; i < group->spring_count; i++) {
    at_hub both = {0, 0};
    for (int end = 0; end < 2; end++) {
      const int hub = network->springs[group->springs[i]][end].hub;
      both.stiffness += hub >= 0 ? hubs[hub].stiffness : 0;
      both.damping += hub >= 0 ? hubs[hub].damping : 0;
    }
    fast = fmax(fast, both.stiffness);
    out->decay = fmax(out->decay, both.damping);
  }
  out->fast = sqrt(fast);
  out->slow = isfinite(slow) ? sqrt(slow) : out->fast;
  out->damping = fast > 0 ? 0.5 * out->decay / out->fast : 0;
}

bool wy_spring_rates(const wy_model *model, int group, wy_rates *out) {
  const wy_network *network = wy_model_network(model);
  const wy_group_def *def = &network->groups[group];
  if (def->spring_count == 0)
    return false;
  at_hub *hubs = calloc((size_t)network->hub_count + 1, sizeof *hubs);
  *out = (wy_rates){.kind = "springs"};
  if (hubs)
    bound(model, def, hubs, out);
  free(hubs);
  return hubs && out->fast > 0;
}
