/* SPDX-License-Identifier: MIT */
/* Vibration modes and buckling shapes of rods as their views show them, and of bodies. They are those of a group: the
   shapes of all its parts are made, since they are scaled together, and handed out. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "equilibrium/buckling.h"
#include "equilibrium/eigen.h"
#include "model/network.h"
#include "network/group.h"
#include "scheme/contacts.h"
#include "scheme/fluid.h"
#include "scheme/system.h"
#include "sim/sim.h"

/* Relative difference of eigenvalues or factors that are one multiple value. */
static const double same_value = 1e-6;

typedef struct mode_arrays {
  double *omega, *damping_ratio, *factor, *s, *frame_s, *displacement, *rotation, *position, *frame;
  bool *limit_point;
} mode_arrays;

/* The modes of one rod, or of a body, which is one point. */
typedef struct shapes {
  wy_mode_set *set;
  mode_arrays arrays;
  double length; /* that rotations count with */
  int rod, body; /* -1: none */
} shapes;

/* Those of all parts of a group. */
typedef struct family {
  const wy_sim_group *group;
  int count;
  shapes *members; /* NULL: there was no memory */
} family;

/* One block: the struct, then its arrays. `states` is the number of positions and frames that come with it. */
static wy_mode_set *make_set(int points, int frames, int count, int states, bool vibration, mode_arrays *arrays) {
  size_t m = (size_t)points, n = (size_t)frames, modes = (size_t)count;
  size_t doubles = 3 * modes + m + n + 3 * modes * (m + n) + (size_t)states * (3 * m + 4 * n);
  size_t head = (sizeof(wy_mode_set) + sizeof(double) - 1) / sizeof(double);
  double *block = calloc(head + doubles, sizeof *block);
  if (!block)
    return NULL;
  wy_mode_set *set = (wy_mode_set *)(void *)block;
  arrays->omega = arrays->factor = block + head;
  arrays->damping_ratio = arrays->omega + modes;
  arrays->limit_point = (bool *)(void *)(arrays->damping_ratio + modes);
  arrays->s = arrays->damping_ratio + 2 * modes;
  arrays->frame_s = arrays->s + m;
  arrays->displacement = arrays->frame_s + n;
  arrays->rotation = arrays->displacement + 3 * modes * m;
  arrays->position = arrays->rotation + 3 * modes * n;
  arrays->frame = arrays->position + 3 * (size_t)states * m;
  *set = (wy_mode_set){.count = count,
                       .omega = vibration ? arrays->omega : NULL,
                       .damping_ratio = vibration ? arrays->damping_ratio : NULL,
                       .factor = vibration ? NULL : arrays->factor,
                       .limit_point = vibration ? NULL : arrays->limit_point,
                       .points = points,
                       .frames = frames,
                       .s = arrays->s,
                       .frame_s = arrays->frame_s,
                       .displacement = arrays->displacement,
                       .rotation = arrays->rotation,
                       .position = arrays->position,
                       .frame = arrays->frame};
  return set;
}

void wy_mode_set_destroy(wy_mode_set *modes) {
  free(modes);
}

/* Hands out the sets: to entries of `rods` and `bodies`, by the numbers of parts, where these are wanted. */
static void hand_out(family *all, wy_mode_set **rods, wy_mode_set **bodies) {
  for (int i = 0; all->members && i < all->count; i++) {
    const shapes *of = &all->members[i];
    if (of->rod >= 0 && rods)
      rods[of->rod] = of->set;
    else if (of->body >= 0 && bodies)
      bodies[of->body] = of->set;
    else
      wy_mode_set_destroy(of->set);
  }
  free(all->members);
}

/* Keeps that of one rod. */
static wy_mode_set *keep_one(family *all, int rod) {
  wy_mode_set *set = NULL;
  for (int i = 0; all->members && i < all->count; i++)
    if (all->members[i].rod == rod) {
      set = all->members[i].set;
      all->members[i].set = NULL;
    }
  hand_out(all, NULL, NULL);
  return set;
}

static shapes of_rod(const wy_sim *sim, int rod, int count, int states, bool vibration) {
  const wy_view *view = &sim->rods[rod].system->view;
  shapes of = {.length = wy_model_rod(sim->model, rod)->length, .rod = rod, .body = -1};
  of.set = make_set(view->position.count, view->frame.count, count, states, vibration, &of.arrays);
  if (of.set) {
    memcpy(of.arrays.s, view->position.s, (size_t)view->position.count * sizeof(double));
    memcpy(of.arrays.frame_s, view->frame.s, (size_t)view->frame.count * sizeof(double));
  }
  return of;
}

/* Rotations count with the radius of gyration. */
static shapes of_body(const wy_sim *sim, int body, int count, int states, bool vibration) {
  const wy_body_def *def = wy_model_body(sim->model, body);
  const double *j = def->inertia;
  shapes of = {.length = sqrt(0.5 * (j[0] + j[1] + j[2]) / def->mass), .rod = -1, .body = body};
  of.set = make_set(1, 1, count, states, vibration, &of.arrays);
  return of;
}

/* Room for the shapes of all parts of a group. */
static family make_shapes(const wy_sim_group *group, int count, int states, bool vibration) {
  const wy_sim *sim = group->sim;
  const wy_group_def *def = &wy_model_network(sim->model)->groups[group - sim->groups];
  family all = {.group = group,
                .members = calloc((size_t)def->rod_count + (size_t)def->hub_count, sizeof *all.members)};
  bool there = all.members;
  for (int i = 0; there && i < def->rod_count; i++) {
    all.members[all.count] = of_rod(sim, def->rods[i], count, states, vibration);
    there = all.members[all.count++].set;
  }
  for (int i = 0; there && i < def->hub_count; i++) {
    const int body = wy_model_network(sim->model)->hubs[def->hubs[i]].body;
    if (body < 0)
      continue;
    all.members[all.count] = of_body(sim, body, count, states, vibration);
    there = all.members[all.count++].set;
  }
  if (!there) {
    hand_out(&all, NULL, NULL);
    all.members = NULL;
  }
  return all;
}

/* ---- Shapes as they are shown ---- */

/* Replaces modes a and b by c a + s b and c b - s a. */
static void mix(double *a, double *b, int count, double c, double s) {
  for (int i = 0; i < count; i++) {
    double x = a[i], y = b[i];
    a[i] = c * x + s * y;
    b[i] = c * y - s * x;
  }
}

/* The sum of products of displacements along a space axis. */
static double along(const double *a, const double *b, int points, int axis) {
  double sum = 0;
  for (int i = 0; i < points; i++)
    sum += a[3 * i + axis] * b[3 * i + axis];
  return sum;
}

static double *displacement_of(const shapes *of, int mode) {
  return of->arrays.displacement + (size_t)mode * 3 * (size_t)of->set->points;
}

static double *rotation_of(const shapes *of, int mode) {
  return of->arrays.rotation + (size_t)mode * 3 * (size_t)of->set->frames;
}

/* The same sum over all parts. */
static double along_all(const family *all, int i, int j, int axis) {
  double sum = 0;
  for (int r = 0; r < all->count; r++) {
    const shapes *of = &all->members[r];
    sum += along(displacement_of(of, i), displacement_of(of, j), of->set->points, axis);
  }
  return sum;
}

/* A double mode, as round rods have them, may be shown in any two planes: the first one gets all of the motion along
   the space axis that has most of it. */
static void align_pair(const family *all, int first) {
  const int a = first, b = first + 1;
  int axis = 0;
  double most = -1;
  for (int k = 0; k < 3; k++) {
    double sum = along_all(all, a, a, k) + along_all(all, b, b, k);
    if (sum > most * (1 + 1e-6))
      most = sum, axis = k;
  }
  double angle = 0.5 * atan2(2 * along_all(all, a, b, axis), along_all(all, a, a, axis) - along_all(all, b, b, axis));
  for (int r = 0; r < all->count; r++) {
    const shapes *of = &all->members[r];
    mix(displacement_of(of, a), displacement_of(of, b), 3 * of->set->points, cos(angle), sin(angle));
    mix(rotation_of(of, a), rotation_of(of, b), 3 * of->set->frames, cos(angle), sin(angle));
  }
}

/* The largest displacement, or rotation times length, of all parts becomes 1. */
static void scale_mode(const family *all, int mode) {
  double largest = 0;
  for (int r = 0; r < all->count; r++) {
    const shapes *of = &all->members[r];
    const double *translation = displacement_of(of, mode), *rotation = rotation_of(of, mode);
    for (int i = 0; i < 3 * of->set->points; i++)
      if (fabs(translation[i]) > fabs(largest) * (1 + 1e-6))
        largest = translation[i];
    for (int i = 0; i < 3 * of->set->frames; i++)
      if (of->length * fabs(rotation[i]) > fabs(largest) * (1 + 1e-6))
        largest = of->length * rotation[i];
  }
  for (int r = 0; r < all->count && largest != 0; r++) {
    const shapes *of = &all->members[r];
    double *translation = displacement_of(of, mode), *rotation = rotation_of(of, mode);
    for (int i = 0; i < 3 * of->set->points; i++)
      translation[i] /= largest;
    for (int i = 0; i < 3 * of->set->frames; i++)
      rotation[i] /= largest;
  }
}

/* Fills in the shapes of all modes; values tell which belong together. */
static void show_modes(const double *vectors, const double *values, int count, double scale, const family *all) {
  wy_system *system = all->group->system;
  for (int r = 0; r < all->count; r++)
    for (int i = 0; i < count; i++) {
      const shapes *of = &all->members[r];
      const double *vector = vectors + (size_t)i * (size_t)system->dofs;
      if (of->body >= 0)
        wy_group_show_body(system, of->body, vector, displacement_of(of, i), rotation_of(of, i));
      else
        system->type->statics->show(system, all->group->sim->rods[of->rod].part, vector, displacement_of(of, i),
                                    rotation_of(of, i));
    }
  for (int i = 0, next; i < count; i = next) {
    for (next = i + 1; next < count; next++)
      if (values[next] - values[i] > same_value * (fabs(values[next]) + scale))
        break;
    if (next == i + 2)
      align_pair(all, i);
  }
  for (int i = 0; i < count; i++)
    scale_mode(all, i);
}

/* The state number `i` that shapes belong to: what the group shows, or a configuration at time t. */
static void copy_state(const family *all, int i, double t, const double *config) {
  wy_sim *sim = all->group->sim;
  for (int r = 0; r < all->count; r++) {
    const shapes *of = &all->members[r];
    double *position = of->arrays.position + 3 * (size_t)i * (size_t)of->set->points, unused[3];
    double *frame = of->arrays.frame + 4 * (size_t)i * (size_t)of->set->frames;
    if (of->body >= 0) {
      wy_group_body(all->group->system, t, config, of->body, position, frame, unused, unused);
      continue;
    }
    wy_sim_rod *rod = &sim->rods[of->rod];
    const wy_view *view = &rod->system->view;
    wy_system_view(rod->system, t, wy_sim_part(rod, t, config), &rod->system->view);
    rod->view_ready = false;
    memcpy(position, view->position.values, 3 * (size_t)of->set->points * sizeof *position);
    memcpy(frame, view->frame.values, 4 * (size_t)of->set->frames * sizeof *frame);
  }
}

/* ---- Vibrations ---- */

/* Is this one of the directions that stability has counted as neutral: of the smallest eigenvalues, and small? A scheme
   whose tangent is not quite symmetric leaves a little of them. */
static bool is_neutral(const double *values, int count, int i, int neutral, double low) {
  int smaller = 0;
  for (int k = 0; k < count; k++)
    smaller += k != i && fabs(values[k]) <= fabs(values[i]);
  return smaller < neutral && fabs(values[i]) < 1e-2 * low;
}

/* Frequencies and damping; what may be nothing but round-off is zero. */
static void fill_frequencies(wy_equilibrium *equilibrium, double low, int count, const double *values,
                             const double *vectors, const mode_arrays *arrays) {
  wy_system *system = equilibrium->system;
  const wy_equilibrium_state *now = equilibrium->now;
  for (int i = 0; i < count; i++) {
    const double *phi = vectors + (size_t)i * (size_t)system->dofs;
    double noise = wy_eigen_noise(equilibrium, &now->stretch, now->tau, equilibrium->config, phi);
    bool counted = i < now->info.unstable && values[i] < -now->noise; /* as unstable: the neutral ones come later */
    bool zero =
        fabs(values[i]) < fmax(noise, 1e-10 * low) || (!counted && is_neutral(values, count, i, now->neutral, low));
    double value = zero ? 0 : values[i];
    arrays->omega[i] = copysign(sqrt(fabs(value)), value);
    if (value > 0)
      arrays->damping_ratio[i] = system->type->statics->dissipation(system, phi) / (2 * arrays->omega[i]);
  }
}

/* The number of a part that touches, as wy_contacts_part counts. */
static int number_of(wy_system *system, const wy_system *piece) {
  const wy_system *part;
  int i = 0;
  for (int at = 0; (part = wy_contacts_part(system, &i, &at)) && part != piece; at += part->size)
    ;
  return i - 1;
}

/* How the rods of a group are held by what they touch: in an equilibrium, or as was found, part by part (`known`). */
static void note_grip(const family *all, double t, const double *config, const wy_grip *known) {
  for (int r = 0; r < all->count; r++) {
    const shapes *of = &all->members[r];
    const wy_sim_rod *rod = of->rod >= 0 ? &all->group->sim->rods[of->rod] : NULL;
    wy_system *piece;
    int offset;
    for (int i = 0; rod && (piece = wy_sim_piece(rod, i, &offset)); i++) {
      if (!piece->contacts)
        continue;
      const wy_grip grip = known ? known[number_of(all->group->system, piece)]
                                 : wy_contacts_grip(piece, t, wy_sim_part(rod, t, config) + offset);
      of->set->touching += grip.touching, of->set->sticking += grip.sticking;
    }
  }
}

/* Bodies that are held have none. */
static wy_status no_modes(wy_sim_group *group, family *out, wy_message *message) {
  *out = make_shapes(group, 0, 1, true);
  if (!out->members)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the modes");
  copy_state(out, 0, *group->sim->time, wy_sim_shown(group));
  return WY_OK;
}

/* Those of the tangent at hand. */
static wy_status solve_modes(wy_sim_group *group, int count, family *out, wy_message *message) {
  wy_equilibrium *equilibrium = group->equilibrium;
  wy_system *system = group->system;
  const char *noun = wy_system_noun(system), *name = wy_system_name(system);
  wy_spectrum spectrum;
  int ignored;
  if (system->type->statics->negative(system, 0, &ignored) == WY_NO_POTENTIAL)
    return wy_fail(message, WY_ERROR_SUPPORT,
                   "%s '%s': moments, loads in body axes and the drag of a current have no potential energy: this "
                   "version cannot compute modes about an equilibrium under them",
                   noun, name);
  if (!wy_spectrum_find(equilibrium, &spectrum))
    return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': the tangent stiffness at its equilibrium is singular", noun,
                   name);
  size_t n = (size_t)system->dofs;
  count = count < system->dofs ? count : system->dofs; /* there are no more */
  double *values = malloc((size_t)count * (n + 1) * sizeof *values), *vectors = values ? values + count : NULL;
  if (!values)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d modes", count);
  wy_status status = wy_eigen_lowest(equilibrium, &spectrum, &count, values, vectors, message);
  if (!status)
    *out = make_shapes(group, count, 1, true);
  if (!status && out->members) {
    const mode_arrays *first = &out->members[0].arrays;
    fill_frequencies(equilibrium, spectrum.low, count, values, vectors, first);
    for (int i = 1; i < out->count; i++) {
      memcpy(out->members[i].arrays.omega, first->omega, (size_t)count * sizeof *first->omega);
      memcpy(out->members[i].arrays.damping_ratio, first->damping_ratio, (size_t)count * sizeof *first->omega);
    }
    show_modes(vectors, values, count, spectrum.noise, out);
    copy_state(out, 0, *group->sim->time, wy_sim_shown(group));
    note_grip(out, *group->sim->time, wy_sim_shown(group), NULL);
  } else if (!status) {
    status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d modes", count);
  }
  free(values);
  return status;
}

/* Of the tangent at the present equilibrium. With friction it is not the one that the equilibrium was found with, and
   has its own unstable and neutral directions. */
static wy_status find_modes(wy_sim_group *group, int count, family *out, wy_message *message) {
  wy_status status = wy_sim_check_statics(group, true, message);
  if (status)
    return status;
  if (count < 1)
    return wy_fail(message, WY_ERROR_INPUT, "found %d modes; expected at least 1", count);
  wy_equilibrium *equilibrium = group->equilibrium;
  wy_equilibrium_state *now = equilibrium->now;
  wy_system *system = group->system;
  const char *noun = wy_system_noun(system), *name = wy_system_name(system);
  if (now->disturbed)
    return wy_fail(message, WY_ERROR_INPUT,
                   "%s '%s' is not in equilibrium since a load or an end was changed: call wy_sim_follow with the "
                   "present time first",
                   noun, name);
  if (system->type->statics->directions(system) == 0)
    return no_modes(group, out, message);
  const wy_equilibrium_state kept = *now;
  wy_system_hold(system, true);
  const bool there = wy_stretch_tangent(equilibrium, &now->stretch, now->tau, equilibrium->config) != WY_NOT_FINITE;
  if (there && wy_system_remembers(system))
    wy_stability_count(equilibrium);
  status = there ? solve_modes(group, count, out, message)
                 : wy_fail(message, WY_ERROR_SOLVER, "%s '%s': the tangent stiffness at its equilibrium is singular",
                           noun, name);
  wy_system_hold(system, false);
  *now = kept;
  return status;
}

/* Is there such a rod or group? */
static wy_status check_asked(const char *what, int index, int count, wy_message *message) {
  if (index < 0 || index >= count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no %s number %d", what, index);
  return WY_OK;
}

wy_status wy_sim_modes(wy_sim *sim, int rod, int count, wy_mode_set **modes, wy_message *message) {
  if (modes)
    *modes = NULL;
  if (!sim || !modes)
    return wy_fail_missing(message, sim ? "modes" : "sim");
  wy_status status = check_asked("rod", rod, sim->rod_count, message);
  if (status)
    return status;
  family all = {0};
  status = find_modes(sim->rods[rod].group, count, &all, message);
  if (!status)
    *modes = keep_one(&all, rod);
  return status;
}

wy_status wy_sim_group_modes(wy_sim *sim, int group, int count, wy_mode_set **rods, wy_mode_set **bodies,
                             wy_message *message) {
  if (!sim || (!rods && !bodies))
    return wy_fail_missing(message, sim ? "modes" : "sim");
  wy_status status = check_asked("group", group, sim->group_count, message);
  if (status)
    return status;
  family all = {0};
  status = find_modes(&sim->groups[group], count, &all, message);
  if (!status)
    hand_out(&all, rods, bodies);
  return status;
}

/* ---- Buckling ---- */

/* Shapes and the states that they belong to, seen at rest under the critical loads. */
static family buckling_shapes(const wy_sim_group *group, double t, const wy_buckling *found) {
  wy_system *system = group->system;
  family all = make_shapes(group, found->count, found->count, false);
  if (!all.members)
    return all;
  for (int i = 0; i < all.count; i++) {
    const mode_arrays *arrays = &all.members[i].arrays;
    assert(arrays->factor && arrays->limit_point); /* those of buckling */
    memcpy(arrays->factor, found->factor, (size_t)found->count * sizeof *found->factor);
    memcpy(arrays->limit_point, found->limit, (size_t)found->count * sizeof *found->limit);
  }
  note_grip(&all, t, NULL, found->grip);
  show_modes(found->direction, found->factor, found->count, 0, &all);
  for (int i = 0; i < found->count; i++) {
    system->type->statics->apply(system, true, found->factor[i], 1);
    copy_state(&all, i, t, found->config + (size_t)i * (size_t)system->config_size);
  }
  return all;
}

/* Is there a current about one of the rods? */
static wy_status refuse_currents(const wy_sim_group *group, wy_message *message) {
  for (int i = 0; i < group->rod_count; i++) {
    const wy_rod_def *rod = wy_model_rod(group->sim->model, group->rods[i]);
    if (wy_fluid_flows(rod))
      return wy_fail(
          message, WY_ERROR_SUPPORT,
          "rod '%s': this version cannot compute buckling in a current, since its drag has no potential energy",
          rod->name);
  }
  return WY_OK;
}

static wy_status find_buckling(wy_sim_group *group, double t, int count, family *out, wy_message *message) {
  wy_sim *sim = group->sim;
  wy_status status = wy_sim_check_statics(group, false, message);
  if (!status)
    status = wy_sim_check_time(sim, t, message);
  if (status)
    return status;
  if (count < 1)
    return wy_fail(message, WY_ERROR_INPUT, "found %d factors; expected at least 1", count);
  status = refuse_currents(group, message);
  if (status)
    return status;
  wy_equilibrium *equilibrium = group->equilibrium;
  size_t n = (size_t)equilibrium->system->dofs, size = (size_t)equilibrium->system->config_size;
  count = count < equilibrium->system->dofs ? count : equilibrium->system->dofs; /* there are no more */
  size_t saved = wy_sim_save_size(sim);
  double *block = malloc((size_t)count * (2 + n + size) * sizeof *block); /* with room for `limit` at the end */
  void *saved_state = malloc(saved);
  wy_grip *grip = calloc((size_t)wy_part_count(group->system), sizeof *grip);
  if (!block || !saved_state || !grip) {
    free(block), free(saved_state), free(grip);
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d buckling shapes", count);
  }
  wy_buckling found = {.count = count,
                       .factor = block,
                       .config = block + count,
                       .direction = block + (size_t)count * (1 + size),
                       .limit = (bool *)(void *)(block + (size_t)count * (1 + size + n)),
                       .grip = grip};
  wy_sim_save(sim, saved_state, saved, NULL);
  status = wy_buckling_find(equilibrium, t, &found, message);
  if (!status) {
    *out = buckling_shapes(group, t, &found);
    if (!out->members)
      status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d buckling shapes", count);
  }
  /* The search has moved the rod about: back to where it was. */
  wy_sim_restore(sim, saved_state, saved, NULL);
  free(block), free(saved_state), free(grip);
  return status;
}

wy_status wy_sim_buckling(wy_sim *sim, int rod, double t, int count, wy_mode_set **modes, wy_message *message) {
  if (modes)
    *modes = NULL;
  if (!sim || !modes)
    return wy_fail_missing(message, sim ? "modes" : "sim");
  wy_status status = check_asked("rod", rod, sim->rod_count, message);
  if (status)
    return status;
  family all = {0};
  status = find_buckling(sim->rods[rod].group, t, count, &all, message);
  if (!status)
    *modes = keep_one(&all, rod);
  return status;
}

wy_status wy_sim_group_buckling(wy_sim *sim, int group, double t, int count, wy_mode_set **rods, wy_mode_set **bodies,
                                wy_message *message) {
  if (!sim || (!rods && !bodies))
    return wy_fail_missing(message, sim ? "modes" : "sim");
  wy_status status = check_asked("group", group, sim->group_count, message);
  if (status)
    return status;
  family all = {0};
  status = find_buckling(&sim->groups[group], t, count, &all, message);
  if (!status)
    hand_out(&all, rods, bodies);
  return status;
}
