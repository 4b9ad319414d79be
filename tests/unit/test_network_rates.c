/* SPDX-License-Identifier: MIT */
/* How fast springs move what hangs on them, against closed forms, and what `auto` makes of it. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "integrate/choose.h"
#include "network/rates.h"
#include "support/network.h"

/* A body of mass 2 at the origin, with springs to the ground along x. */
static void begin(test_network *net) {
  begin_network(net);
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = "bob";
  body->mass = 2;
  body->inertia[0] = body->inertia[1] = 0.5, body->inertia[2] = 0.4;
}

static wy_spring_def *add_spring(test_network *net, double y, double x, double stiffness) {
  wy_spring_def *spring = &net->springs[net->model.spring_count++];
  *spring = wy_default_spring_def();
  spring->ports[0] = wy_port_on_body(0, 0, y, 0);
  spring->ports[1] = wy_port_in_space(x, y, 0);
  spring->stiffness = stiffness, spring->length = fabs(x);
  return spring;
}

static wy_rates rates_of(test_network *net, const char **choice) {
  wy_model *model = NULL;
  wy_message message = {{0}, {0}};
  wy_rates rates = {0};
  char reason[WY_REASON_SIZE];
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "auto";
  must(wy_model_create(network_model(net), &model, &message), &message);
  assert_true(wy_spring_rates(model, 0, &rates) == (net->model.spring_count > 0));
  if (choice)
    *choice = wy_integrator_choose(model, 0, &solver, (double)INFINITY, reason)->info->name;
  wy_model_destroy(model);
  return rates;
}

static void test_one_spring(void **state) {
  (void)state;
  test_network net;
  begin(&net);
  add_spring(&net, 0, 1, 18)->damping = 4;
  wy_rates rates = rates_of(&net, NULL);
  check_close(rates.fast, 3, 1e-14);
  check_close(rates.slow, 3, 1e-14);
  check_close(rates.decay, 2, 1e-14);
  check_close(rates.damping, 4 / (2 * sqrt(18.0 * 2)), 1e-14);
  /* Off its centre it turns the body about z, too: 1/2 + 0.3^2/0.4. */
  net.springs[0].ports[0].point[1] = net.springs[0].ports[1].point[1] = 0.3;
  rates = rates_of(&net, NULL);
  check_close(rates.fast, sqrt(18 * (0.5 + 0.09 / 0.4)), 1e-13);
}

/* Two springs on both sides pull together. */
static void test_two_springs(void **state) {
  (void)state;
  test_network net;
  begin(&net);
  add_spring(&net, 0, 1, 18), add_spring(&net, 0, -1, 32);
  const wy_rates rates = rates_of(&net, NULL);
  check_close(rates.fast, 5, 1e-14);
  check_close(rates.slow, 3, 1e-14);
}

/* Springs that swing as the motion does are for the explicit method; a stiff one beside a soft one is not. */
static void test_choice(void **state) {
  (void)state;
  test_network net;
  const char *choice = NULL;
  begin(&net);
  add_spring(&net, 0, 1, 18);
  rates_of(&net, &choice);
  assert_string_equal(choice, "dop853");
  add_spring(&net, 0, -1, 1e14);
  rates_of(&net, &choice);
  assert_true(strcmp(choice, "dop853") != 0);
  net.model.spring_count = 0;
  rates_of(&net, &choice);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_spring),
      cmocka_unit_test(test_two_springs),
      cmocka_unit_test(test_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
