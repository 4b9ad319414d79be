/* SPDX-License-Identifier: MIT */
/* Networks that several tests use: rods between points, joints by the names of ends, one network with everything. */
#ifndef WY_TESTS_SUPPORT_NETWORK_H
#define WY_TESTS_SUPPORT_NETWORK_H

#include "support/rods.h"

/* Definitions as they are collected, with room for small networks. */
enum { NETWORK_RODS = 32, NETWORK_JOINTS = 24, NETWORK_PORTS = 8 };

typedef struct test_network {
  wy_rod_def rods[NETWORK_RODS];
  char names[NETWORK_RODS][8];
  wy_body_def bodies[8];
  wy_joint_def joints[NETWORK_JOINTS];
  wy_port ports[NETWORK_JOINTS][NETWORK_PORTS];
  wy_spring_def springs[4];
  wy_load_def loads[8];
  wy_model_def model; /* counts; arrays by network_model */
} test_network;

void begin_network(test_network *net);
/* The definition with its arrays, which stand in `net`. */
const wy_model_def *network_model(test_network *net);

/* A straight rod between two points with the section of `like`; its number. */
int add_rod(test_network *net, const wy_rod_def *like, const double from[3], const double to[3]);
/* A joint of no ports yet; its number. Then its ports. */
int add_joint(test_network *net, wy_joint_kind kind);
void add_end(test_network *net, int joint, int rod, wy_end_name end);
void add_ground(test_network *net, int joint);
/* The point of a body that is at a place in space. */
wy_port port_at(const test_network *net, int body, const double place[3]);
void add_port(test_network *net, int joint, wy_port port);
/* Joins free ends that lie at one place, wherever there are two or more: all with kind `kind`. */
void join_all(test_network *net, wy_joint_kind kind);

/* The system of group 0, with one real and one complex slot and equilibria. */
test_system make_group(const wy_model_def *def, const wy_solver_def *solver);
/* The same without equilibria. */
test_system make_moving_group(const wy_model_def *def, const wy_solver_def *solver);

/* Weld to the ground; a body with welded and ball-jointed rods off its centre; a ball of two rods; a weld of two rods;
   a spring between the body and the end of a rod, and one to the ground; loads on rods and body; damping, drag,
   gravity. All sizes are of order 1. */
void rich_network(test_network *net, int segments);

#endif
