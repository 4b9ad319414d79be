/* SPDX-License-Identifier: MIT */
/* Vibration modes and buckling shapes of a rod as the view shows it. They are those of the rod's group: the shapes of
   all its rods are made, since they are scaled together, and those of one are handed out. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "equilibrium/buckling.h"
#include "equilibrium/eigen.h"
#include "scheme/fluid.h"
#include "scheme/system.h"
#include "sim/sim.h"

/* Relative difference of eigenvalues or factors that are one multiple value. */
static const double same_value = 1e-6;

typedef struct mode_arrays {
  double *omega, *damping_ratio, *factor, *s, *frame_s, *displacement, *rotation, *position, *frame;
  bool *limit_point;
} mode_arrays;

/* The modes of one rod. */
typedef struct shapes {
  wy_mode_set *set;
  mode_arrays arrays;
  double length;
} shapes;

/* One block: the struct, then its arrays. `states` is the number of positions and frames that come with it. */
static wy_mode_set *make_set(const wy_view *view, int count, int states, bool vibration, mode_arrays *arrays) {
  size_t points = (size_t)view->position.count, frames = (size_t)view->frame.count, modes = (size_t)count;
  size_t doubles = 3 * modes + points + frames + 3 * modes * (points + frames);
  doubles += (size_t)states * (3 * points + 4 * frames);
  size_t head = (sizeof(wy_mode_set) + sizeof(double) - 1) / sizeof(double);
  double *block = calloc(head + doubles, sizeof *block);
  if (!block)
    return NULL;
  wy_mode_set *set = (wy_mode_set *)(void *)block;
  arrays->omega = arrays->factor = block + head;
  arrays->damping_ratio = arrays->omega + modes;
  arrays->limit_point = (bool *)(void *)(arrays->damping_ratio + modes);
  arrays->s = arrays->damping_ratio + 2 * modes;
  arrays->frame_s = arrays->s + points;
  arrays->displacement = arrays->frame_s + frames;
  arrays->rotation = arrays->displacement + 3 * modes * points;
  arrays->position = arrays->rotation + 3 * modes * frames;
  arrays->frame = arrays->position + 3 * (size_t)states * points;
  memcpy(arrays->s, view->position.s, points * sizeof(double));
  memcpy(arrays->frame_s, view->frame.s, frames * sizeof(double));
  *set = (wy_mode_set){.count = count,
                       .omega = vibration ? arrays->omega : NULL,
                       .damping_ratio = vibration ? arrays->damping_ratio : NULL,
                       .factor = vibration ? NULL : arrays->factor,
                       .limit_point = vibration ? NULL : arrays->limit_point,
                       .points = view->position.count,
                       .frames = view->frame.count,
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

/* Hands out one of the sets; -1: none. */
static wy_mode_set *hand_out(shapes *all, int rods, int which) {
  wy_mode_set *set = which >= 0 ? all[which].set : NULL;
  for (int r = 0; r < rods; r++)
    if (r != which)
      wy_mode_set_destroy(all[r].set);
  free(all);
  return set;
}

/* Room for the shapes of all rods of a group. */
static shapes *make_shapes(const wy_sim_group *group, int count, int states, bool vibration) {
  shapes *all = calloc((size_t)group->rod_count, sizeof *all);
  bool there = all;
  for (int r = 0; there && r < group->rod_count; r++) {
    const wy_sim *sim = group->sim;
    all[r].set = make_set(&sim->rods[group->rods[r]].system->view, count, states, vibration, &all[r].arrays);
    all[r].length = wy_model_rod(sim->model, group->rods[r])->length;
    there = all[r].set;
  }
  if (all && !there)
    hand_out(all, group->rod_count, -1);
  return there ? all : NULL;
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

/* The same sum over all rods. */
static double along_all(const shapes *all, int rods, int i, int j, int axis) {
  double sum = 0;
  for (int r = 0; r < rods; r++)
    sum += along(displacement_of(&all[r], i), displacement_of(&all[r], j), all[r].set->points, axis);
  return sum;
}

/* A double mode, as round rods have them, may be shown in any two planes: the first one gets all of the motion along
   the space axis that has most of it. */
static void align_pair(const shapes *all, int rods, int first) {
  const int a = first, b = first + 1;
  int axis = 0;
  double most = -1;
  for (int k = 0; k < 3; k++) {
    double sum = along_all(all, rods, a, a, k) + along_all(all, rods, b, b, k);
    if (sum > most * (1 + 1e-6))
      most = sum, axis = k;
  }
  double angle = 0.5 * atan2(2 * along_all(all, rods, a, b, axis),
                             along_all(all, rods, a, a, axis) - along_all(all, rods, b, b, axis));
  for (int r = 0; r < rods; r++) {
    const shapes *of = &all[r];
    mix(displacement_of(of, a), displacement_of(of, b), 3 * of->set->points, cos(angle), sin(angle));
    mix(rotation_of(of, a), rotation_of(of, b), 3 * of->set->frames, cos(angle), sin(angle));
  }
}

/* The largest displacement, or rotation times length, of all rods becomes 1. */
static void scale_mode(const shapes *all, int rods, int mode) {
  double largest = 0;
  for (int r = 0; r < rods; r++) {
    const double *translation = displacement_of(&all[r], mode), *rotation = rotation_of(&all[r], mode);
    for (int i = 0; i < 3 * all[r].set->points; i++)
      if (fabs(translation[i]) > fabs(largest) * (1 + 1e-6))
        largest = translation[i];
    for (int i = 0; i < 3 * all[r].set->frames; i++)
      if (all[r].length * fabs(rotation[i]) > fabs(largest) * (1 + 1e-6))
        largest = all[r].length * rotation[i];
  }
  for (int r = 0; r < rods && largest != 0; r++) {
    double *translation = displacement_of(&all[r], mode), *rotation = rotation_of(&all[r], mode);
    for (int i = 0; i < 3 * all[r].set->points; i++)
      translation[i] /= largest;
    for (int i = 0; i < 3 * all[r].set->frames; i++)
      rotation[i] /= largest;
  }
}

/* Fills in the shapes of all modes; values tell which belong together. */
static void show_modes(const wy_sim_group *group, const double *vectors, const double *values, int count, double scale,
                       const shapes *all) {
  wy_system *system = group->system;
  const int rods = group->rod_count;
  for (int r = 0; r < rods; r++)
    for (int i = 0; i < count; i++)
      system->type->statics->show(system, r, vectors + (size_t)i * (size_t)system->dofs, displacement_of(&all[r], i),
                                  rotation_of(&all[r], i));
  for (int i = 0, next; i < count; i = next) {
    for (next = i + 1; next < count; next++)
      if (values[next] - values[i] > same_value * (fabs(values[next]) + scale))
        break;
    if (next == i + 2)
      align_pair(all, rods, i);
  }
  for (int i = 0; i < count; i++)
    scale_mode(all, rods, i);
}

static void copy_state(const wy_view *view, double *position, double *frame) {
  memcpy(position, view->position.values, 3 * (size_t)view->position.count * sizeof *position);
  memcpy(frame, view->frame.values, 4 * (size_t)view->frame.count * sizeof *frame);
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

wy_status wy_sim_modes(wy_sim *sim, int rod, int count, wy_mode_set **modes, wy_message *message) {
  if (!modes)
    return wy_fail_missing(message, "modes");
  *modes = NULL;
  wy_status status = wy_sim_check_statics(sim, rod, true, message);
  if (status)
    return status;
  if (count < 1)
    return wy_fail(message, WY_ERROR_INPUT, "found %d modes; expected at least 1", count);
  const wy_sim_group *group = sim->rods[rod].group;
  wy_equilibrium *equilibrium = group->equilibrium;
  const wy_equilibrium_state *now = equilibrium->now;
  if (now->disturbed)
    return wy_fail(message, WY_ERROR_INPUT,
                   "rod '%s' is not in equilibrium since a load or an end was changed: call wy_sim_follow with the "
                   "present time first",
                   wy_model_rod(sim->model, rod)->name);
  wy_spectrum spectrum;
  wy_system *system = group->system;
  const char *name = wy_model_rod(sim->model, rod)->name;
  int ignored;
  bool there = wy_stretch_tangent(equilibrium, &now->stretch, now->tau, equilibrium->config) != WY_NOT_FINITE;
  if (there && system->type->statics->negative(system, 0, &ignored) == WY_NO_POTENTIAL)
    return wy_fail(message, WY_ERROR_SUPPORT,
                   "rod '%s': moments, loads in body axes and the drag of a current have no potential energy: this "
                   "version cannot compute modes about an equilibrium under them",
                   name);
  if (!there || !wy_spectrum_find(equilibrium, &spectrum))
    return wy_fail(message, WY_ERROR_SOLVER, "rod '%s': the tangent stiffness at its equilibrium is singular", name);
  size_t n = (size_t)system->dofs;
  count = count < system->dofs ? count : system->dofs; /* there are no more */
  double *values = malloc((size_t)count * (n + 1) * sizeof *values), *vectors = values ? values + count : NULL;
  if (!values)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d modes", count);
  status = wy_eigen_lowest(equilibrium, &spectrum, &count, values, vectors, message);
  const wy_view *view = status ? NULL : wy_sim_view(sim, rod);
  shapes *all = status ? NULL : make_shapes(group, count, 1, true);
  if (all) {
    const mode_arrays *arrays = &all[sim->rods[rod].part].arrays;
    fill_frequencies(equilibrium, spectrum.low, count, values, vectors, arrays);
    show_modes(group, vectors, values, count, spectrum.noise, all);
    copy_state(view, arrays->position, arrays->frame);
    *modes = hand_out(all, group->rod_count, sim->rods[rod].part);
  } else if (!status) {
    status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d modes", count);
  }
  free(values);
  return status;
}

/* ---- Buckling ---- */

/* Shapes and the states that they belong to, seen at rest under the critical loads. */
static wy_mode_set *buckling_set(const wy_sim_rod *rod, double t, const wy_buckling *found) {
  const wy_sim_group *group = rod->group;
  wy_system *system = group->system;
  shapes *all = make_shapes(group, found->count, found->count, false);
  if (!all)
    return NULL;
  const shapes *own = &all[rod->part];
  const wy_view *view = &rod->system->view;
  assert(own->arrays.factor && own->arrays.limit_point); /* those of buckling */
  memcpy(own->arrays.factor, found->factor, (size_t)found->count * sizeof *found->factor);
  memcpy(own->arrays.limit_point, found->limit, (size_t)found->count * sizeof *found->limit);
  show_modes(group, found->direction, found->factor, found->count, 0, all);
  for (int i = 0; i < found->count; i++) {
    const double *config = found->config + (size_t)i * (size_t)system->config_size;
    system->type->statics->apply(system, true, found->factor[i], 1);
    wy_system_view(rod->system, t, wy_sim_part(rod, t, config), &rod->system->view);
    copy_state(view, own->arrays.position + (size_t)i * 3 * own->set->points,
               own->arrays.frame + (size_t)i * 4 * own->set->frames);
  }
  return hand_out(all, group->rod_count, rod->part);
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

wy_status wy_sim_buckling(wy_sim *sim, int rod, double t, int count, wy_mode_set **modes, wy_message *message) {
  if (!modes)
    return wy_fail_missing(message, "modes");
  *modes = NULL;
  wy_status status = wy_sim_check_statics(sim, rod, false, message);
  if (!status)
    status = wy_sim_check_time(sim, t, message);
  if (status)
    return status;
  if (count < 1)
    return wy_fail(message, WY_ERROR_INPUT, "found %d factors; expected at least 1", count);
  status = refuse_currents(sim->rods[rod].group, message);
  if (status)
    return status;
  wy_equilibrium *equilibrium = sim->rods[rod].group->equilibrium;
  size_t n = (size_t)equilibrium->system->dofs, size = (size_t)equilibrium->system->config_size;
  count = count < equilibrium->system->dofs ? count : equilibrium->system->dofs; /* there are no more */
  size_t saved = wy_sim_save_size(sim);
  double *block = malloc((size_t)count * (2 + n + size) * sizeof *block); /* with room for `limit` at the end */
  void *saved_state = malloc(saved);
  if (!block || !saved_state) {
    free(block), free(saved_state);
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d buckling shapes", count);
  }
  wy_buckling found = {.count = count,
                       .factor = block,
                       .config = block + count,
                       .direction = block + (size_t)count * (1 + size),
                       .limit = (bool *)(void *)(block + (size_t)count * (1 + size + n))};
  wy_sim_save(sim, saved_state, saved, NULL);
  status = wy_buckling_find(equilibrium, t, &found, message);
  if (!status) {
    *modes = buckling_set(&sim->rods[rod], t, &found);
    if (!*modes)
      status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d buckling shapes", count);
  }
  /* The search has moved the rod about: back to where it was. */
  wy_sim_restore(sim, saved_state, saved, NULL);
  free(block), free(saved_state);
  return status;
}
