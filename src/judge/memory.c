/* The memory that a simulation would need, from definitions alone: withy/method.h. */
#include <math.h>

#include "integrate/integrator.h"
#include "withy/method.h"

/* Bytes of a segment, generously: of a vector of the size of the state; of a Maxwell branch; of a load along the rod,
   with two places in a segment; of an actuator. */
static const double vector_bytes = 200, branch_bytes = 2000, load_bytes = 100, actuator_bytes = 400;
/* Where a scheme says nothing. */
static const wy_segment_memory usual = {.implicit = 21000, .equilibria = 16000, .actuators = 12000};

static bool is_explicit(const wy_integrator_type *type) {
  return type && !type->info->implicit;
}

static double segment_bytes(const wy_rod_def *rod, const wy_solver_def *solver, bool statics, bool actuated) {
  const wy_scheme *scheme = solver->scheme ? wy_scheme_find(solver->scheme) : NULL;
  const wy_integrator_type *type = scheme && solver->integrator ? wy_integrator_find(solver, scheme) : NULL;
  const wy_segment_memory memory =
      scheme && wy_scheme_options(scheme)->memory ? wy_scheme_options(scheme)->memory(solver) : usual;
  const double moving = vector_bytes * (type ? type->info->vectors : 16) + memory.implicit * !is_explicit(type);
  return moving + memory.equilibria * statics + branch_bytes * rod->maxwell_count + memory.actuators * actuated;
}

static int actuators_of(const wy_model_def *model, int rod) {
  int count = 0;
  for (int i = 0; model->actuators && i < model->actuator_count; i++)
    count += model->actuators[i].rod == rod;
  return count;
}

double wy_memory_estimate(const wy_model_def *model, const wy_sim_def *def) {
  double bytes = 0;
  if (!model || !def || !model->rods)
    return NAN;
  for (int i = 0; i < model->rod_count; i++) {
    const wy_solver_def *solver = def->rod_solvers ? &def->rod_solvers[i] : &def->solver;
    const int actuators = actuators_of(model, i);
    bytes += model->rods[i].segments *
             (segment_bytes(&model->rods[i], solver, def->statics, actuators > 0) + actuator_bytes * actuators);
  }
  for (int i = 0; model->loads && i < model->load_count; i++) {
    const wy_load_def *load = &model->loads[i];
    if (load->place == WY_ALONG && load->rod >= 0 && load->rod < model->rod_count)
      bytes += load_bytes * model->rods[load->rod].segments;
  }
  return bytes;
}
