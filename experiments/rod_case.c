/* See rod_case.h. */
#include "experiments/rod_case.h"

#include <math.h>

wy_case wy_case_new(void) {
  return (wy_case){.rod = wy_default_rod_def(), .load = wy_default_load_def(), .solver = wy_default_solver_def()};
}

void wy_case_section(wy_case *c, const double stiffness[6], const double inertia[4]) {
  c->rod.has_stiffness = c->rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    c->rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    c->rod.inertia[i] = wy_constant(inertia[i]);
}

wy_signal wy_case_signal(wy_case *c, const char *text, double a) {
  wy_expr *expr = NULL;
  wy_expr_scope *scope = wy_expr_scope_create();
  if (scope && c->exprs < WY_CASE_SIGNALS && wy_expr_scope_constant(scope, "a", a, NULL) == WY_OK)
    wy_expr_compile(scope, text, WY_TIME | WY_ARC, &expr, NULL);
  wy_expr_scope_destroy(scope);
  if (!expr)
    return wy_constant(NAN); /* refused by wy_model_create */
  c->expr[c->exprs++] = expr;
  return wy_expr_signal(expr);
}

wy_status wy_case_create(wy_case *c, wy_message *message) {
  wy_model_def model_def = wy_default_model_def();
  model_def.rods = &c->rod;
  model_def.rod_count = 1;
  model_def.loads = &c->load;
  model_def.load_count = c->loaded;
  model_def.actuators = c->actuator;
  model_def.actuator_count = c->actuators;
  for (int i = 0; i < 3; i++)
    model_def.gravity[i] = c->gravity[i];
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver = c->solver;
  sim_def.statics = c->statics;
  wy_status status = wy_model_create(&model_def, &c->model, message);
  return status == WY_OK ? wy_sim_create(c->model, &sim_def, &c->sim, message) : status;
}

void wy_case_destroy(wy_case *c) {
  wy_sim_destroy(c->sim);
  wy_model_destroy(c->model);
  for (int i = 0; i < c->exprs; i++)
    wy_expr_destroy(c->expr[i]);
  *c = (wy_case){0};
}

wy_status wy_case_tip(wy_case *c, double tip[4], wy_message *message) {
  return wy_sim_probe(c->sim, WY_POSITION, 0, wy_model_rod(c->model, 0)->length, tip, message);
}

wy_status wy_case_move(wy_case *c, double t, double tip[4], wy_message *message) {
  wy_status status = wy_sim_advance(c->sim, t, message);
  return status == WY_OK ? wy_case_tip(c, tip, message) : status;
}

void wy_case_draw(wy_case *c, wy_chart *chart, int curve, int x, int y) {
  const wy_points line = wy_sim_view(c->sim, 0)->position;
  for (int i = 0; i < line.count; i++)
    wy_chart_point(chart, curve, line.values[3 * i + x], line.values[3 * i + y]);
}

double wy_distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

double wy_order(double coarse, double fine) {
  return log2(coarse / fine);
}
