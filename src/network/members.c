/* SPDX-License-Identifier: MIT */
/* Where parts of the model stand in a group. */
#include "network/members.h"

int wy_find_number(const int *list, int count, int number) {
  int from = 0, to = count;
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (list[middle] < number)
      from = middle + 1;
    else
      to = middle;
  }
  return from < count && list[from] == number ? from : -1;
}

int wy_group_load_hub(const wy_model *model, const wy_group_def *def, int load) {
  const wy_load_def *on = wy_model_load(model, load);
  return on->place == WY_AT_BODY ? wy_find_number(def->hubs, def->hub_count, on->body) : -1;
}

bool wy_group_joins(const wy_model *model, int group, const wy_joint_def *joint) {
  const wy_network *network = wy_model_network(model);
  for (int i = 0; i < joint->port_count; i++) {
    const wy_port *port = &joint->ports[i];
    if (port->kind == WY_PORT_ROD)
      return network->rod_groups[port->index] == group;
    if (port->kind == WY_PORT_BODY)
      return network->hubs[port->index].group == group;
  }
  return false;
}
