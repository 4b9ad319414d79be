/* SPDX-License-Identifier: MIT */
/* Contact over a step of the midpoint rule: pushes whose work is exactly the change of the skin's energy and what is
   lost, a discrete gradient (K8). */
#include "scheme/contacts.h"

/* The two ends of a step at one station and its middle, seen from an obstacle. */
static wy_push_step step_of(wy_system *system, const double *middle, const wy_contact_walk *walk) {
  const wy_contacts *self = system->contacts;
  const wy_meeting *at = walk->at;
  wy_push_step step = {.h = self->step, .between = at->between, .carrier = at->carrier, .pushed = at->pushed};
  self->type->spot(system, self->before, walk->station, &step.before);
  self->type->spot(system, middle, walk->station, &step.middle);
  self->type->spot(system, self->after, walk->station, &step.after);
  step.near_before = wy_carrier_near(&at->form, &at->before_step, step.before.x);
  step.near_middle = wy_carrier_near(&at->form, &at->between, step.middle.x);
  step.near_after = wy_carrier_near(&at->form, &at->carrier, step.after.x);
  return step;
}

static wy_cap_step cap_step_of(wy_system *system, const wy_contact_walk *walk, const wy_push_step *step) {
  const wy_contacts *self = system->contacts;
  const wy_meeting *at = walk->at;
  const int end = walk->station - self->cap;
  return (wy_cap_step){
      .h = self->step,
      .radius = self->radius[walk->station],
      .form = &at->form,
      .skin = &self->skin[walk->station],
      .carriers = {at->before_step, at->between, at->carrier},
      .end = {step->before.x, step->after.x},
      .next = {self->type->beside(system, self->before, end), self->type->beside(system, self->after, end)}};
}

void wy_contacts_push_between(wy_system *system, const double *middle, const wy_contact_walk *walk, bool slopes,
                              wy_mean_push *out) {
  const wy_contacts *self = system->contacts;
  const wy_push_step step = step_of(system, middle, walk);
  const wy_touch_law law = wy_contacts_law(self, walk->at, walk->station);
  const wy_anchor anchor = wy_contacts_anchor(self, walk->at, walk->station);
  wy_push_between(&law, &step, &anchor, &out->push, slopes ? &out->slopes : NULL);
  out->weight = self->weight[walk->station];
  out->cap_work = 0;
  if (walk->station < self->cap)
    return;
  const wy_cap_step cap = cap_step_of(system, walk, &step);
  out->cap = wy_cap_between(&cap, &out->cap_work);
  out->weight = out->cap.weight;
  if (slopes)
    out->cap_slopes = wy_cap_slopes_between(&cap);
}
