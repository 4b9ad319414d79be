/* SPDX-License-Identifier: MIT */
/* The order in which hubs are eliminated, and the blocks that come into being: the graph is eliminated hub by hub, the
   one with the fewest neighbours first and of several the first, so that the order depends on nothing else. A hub of
   conditions waits for those that it joins. What a hub's neighbours are when its turn comes are its entries. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/hubs.h"
#include "withy/base.h"

typedef struct list {
  int count, capacity;
  int *at;
} list;

typedef struct hub_graph {
  int hubs;
  list *neighbours;  /* of each hub: those left; of one that is eliminated: its entries */
  list *joins;       /* of conditions: hubs that are eliminated before them; NULL: there are none */
  int *mark, marks;  /* mark[hub] == marks: already a neighbour */
  int leaves, *best; /* a tournament: best[i] is the better hub of 2i and 2i + 1, the leaves are the hubs */
  int *hub, *step;
} hub_graph;

static int append(list *self, int hub) {
  if (self->count == self->capacity) {
    int capacity = 2 * self->capacity + 4;
    int *at = realloc(self->at, (size_t)capacity * sizeof *at);
    if (!at)
      return WY_ERROR_MEMORY;
    self->at = at;
    self->capacity = capacity;
  }
  self->at[self->count++] = hub;
  return 0;
}

static void remove_hub(list *self, int hub) {
  int i = 0;
  while (self->at[i] != hub)
    i++;
  self->at[i] = self->at[--self->count];
}

static int degree(const hub_graph *self, int hub) {
  if (hub >= self->hubs || self->step[hub] >= 0)
    return INT_MAX;
  for (int k = 0; self->joins && k < self->joins[hub].count; k++)
    if (self->step[self->joins[hub].at[k]] < 0)
      return INT_MAX - 1;
  return self->neighbours[hub].count;
}

static void play(hub_graph *self, int i) {
  const int left = self->best[2 * i], right = self->best[2 * i + 1];
  self->best[i] = degree(self, right) < degree(self, left) ? right : left;
}

static void replay(hub_graph *self, int hub) {
  for (int i = (self->leaves + hub) / 2; i > 0; i /= 2)
    play(self, i);
}

static void close_graph(hub_graph *self) {
  for (int i = 0; self->neighbours && i < self->hubs; i++)
    free(self->neighbours[i].at);
  for (int i = 0; self->joins && i < self->hubs; i++)
    free(self->joins[i].at);
  free(self->neighbours);
  free(self->joins);
  free(self->mark);
  free(self->best);
  free(self->hub);
  free(self->step);
}

static int open_graph(hub_graph *self, int hubs, bool conditions) {
  const size_t count = (size_t)hubs;
  *self = (hub_graph){.hubs = hubs, .leaves = 1};
  while (self->leaves < hubs)
    self->leaves *= 2;
  self->neighbours = calloc(count, sizeof *self->neighbours);
  self->joins = conditions ? calloc(count, sizeof *self->joins) : NULL;
  self->mark = calloc(count, sizeof *self->mark);
  self->best = malloc(2 * (size_t)self->leaves * sizeof *self->best);
  self->hub = malloc(count * sizeof *self->hub);
  self->step = malloc(count * sizeof *self->step);
  if (!self->neighbours || (conditions && !self->joins) || !self->mark || !self->best || !self->hub || !self->step)
    return WY_ERROR_MEMORY;
  for (int i = 0; i < hubs; i++)
    self->step[i] = -1;
  return 0;
}

static int connect(hub_graph *self, int edge_count, const int edges[][2]) {
  for (int e = 0; e < edge_count; e++) {
    const int a = edges[e][0], b = edges[e][1];
    assert(a >= 0 && a < self->hubs && b >= 0 && b < self->hubs);
    if (a != b && (append(&self->neighbours[a], b) || append(&self->neighbours[b], a)))
      return WY_ERROR_MEMORY;
  }
  for (int i = 0; i < self->hubs; i++) { /* each neighbour once */
    list *own = &self->neighbours[i];
    const int count = own->count;
    self->marks++;
    own->count = 0;
    for (int k = 0; k < count; k++)
      if (self->mark[own->at[k]] != self->marks) {
        self->mark[own->at[k]] = self->marks;
        own->at[own->count++] = own->at[k];
      }
  }
  return 0;
}

static int list_joins(hub_graph *self, const bool conditions[]) {
  for (int i = 0; i < self->hubs; i++)
    for (int k = 0; conditions[i] && k < self->neighbours[i].count; k++) {
      const int other = self->neighbours[i].at[k];
      if (!conditions[other] && append(&self->joins[i], other))
        return WY_ERROR_MEMORY;
    }
  return 0;
}

/* The neighbours of the hub become neighbours of each other. */
static int eliminate(hub_graph *self, int hub) {
  const list *around = &self->neighbours[hub];
  for (int k = 0; k < around->count; k++) {
    list *own = &self->neighbours[around->at[k]];
    self->marks++;
    remove_hub(own, hub);
    self->mark[around->at[k]] = self->marks;
    for (int i = 0; i < own->count; i++)
      self->mark[own->at[i]] = self->marks;
    for (int i = 0; i < around->count; i++)
      if (self->mark[around->at[i]] != self->marks && append(own, around->at[i]))
        return WY_ERROR_MEMORY;
    replay(self, around->at[k]);
  }
  return 0;
}

static int find_order(hub_graph *self) {
  for (int i = 0; i < self->leaves; i++)
    self->best[self->leaves + i] = i;
  for (int i = self->leaves - 1; i > 0; i--)
    play(self, i);
  for (int k = 0; k < self->hubs; k++) {
    const int hub = self->best[1];
    self->hub[k] = hub;
    self->step[hub] = k;
    replay(self, hub);
    if (eliminate(self, hub))
      return WY_ERROR_MEMORY;
  }
  return 0;
}

static int ascending(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int *take_ints(wy_arena *arena, int count) {
  return wy_arena_take(arena, (size_t)count * sizeof(int));
}

/* Takes the memory and, unless the arena only counts, writes the pattern. */
static void lay_out(const hub_graph *graph, wy_hub_pattern *pattern, wy_arena *arena, const int orders[],
                    const bool conditions[]) {
  const int hubs = graph->hubs;
  int entries = 0, most = 0, unknowns = 0, joining = 0;
  for (int i = 0; i < hubs; i++) {
    entries += graph->neighbours[i].count;
    assert(orders[i] >= 1 && orders[i] <= WY_HUB_MOST);
    unknowns += orders[i];
    joining += conditions && conditions[i];
    most = orders[i] > most ? orders[i] : most;
  }
  int *order = take_ints(arena, hubs), *offset = take_ints(arena, hubs + 1), *hub = take_ints(arena, hubs),
      *step = take_ints(arena, hubs), *first = take_ints(arena, hubs + 1), *later = take_ints(arena, entries),
      *first_back = take_ints(arena, hubs + 2), *back_step = take_ints(arena, entries),
      *back_entry = take_ints(arena, entries);
  unsigned char *condition = joining > 0 ? wy_arena_take(arena, (size_t)hubs) : NULL;
  *pattern = (wy_hub_pattern){.hubs = hubs,
                              .unknowns = unknowns,
                              .entries = entries,
                              .most = most,
                              .order = order,
                              .conditions = joining,
                              .condition = condition,
                              .offset = offset,
                              .hub = hub,
                              .step = step,
                              .first = first,
                              .later = later,
                              .first_back = first_back,
                              .back_step = back_step,
                              .back_entry = back_entry};
  if (!order)
    return;
  memcpy(order, orders, (size_t)hubs * sizeof *order);
  for (int i = 0; condition && i < hubs; i++)
    condition[i] = conditions[i];
  memcpy(hub, graph->hub, (size_t)hubs * sizeof *hub);
  memcpy(step, graph->step, (size_t)hubs * sizeof *step);
  for (int i = 0; i < hubs; i++)
    offset[i + 1] = offset[i] + orders[i];
  for (int k = 0; k < hubs; k++) {
    const list *own = &graph->neighbours[hub[k]];
    first[k + 1] = first[k] + own->count;
    for (int i = 0; i < own->count; i++)
      later[first[k] + i] = step[own->at[i]];
    if (own->count > 0)
      qsort(later + first[k], (size_t)own->count, sizeof *later, ascending);
  }
  /* Where the entries of each later step end, counted one further on; filling them moves each end to its place. */
  for (int p = 0; p < entries; p++)
    first_back[later[p] + 2]++;
  for (int j = 0; j < hubs; j++)
    first_back[j + 2] += first_back[j + 1];
  for (int k = 0; k < hubs; k++)
    for (int p = first[k]; p < first[k + 1]; p++) {
      const int q = first_back[later[p] + 1]++;
      back_step[q] = k;
      back_entry[q] = p;
    }
}

int wy_hub_pattern_layout(wy_hub_pattern *pattern, wy_arena *arena, int hubs, const int orders[],
                          const bool conditions[], int edge_count, const int edges[][2]) {
  assert(hubs >= 1);
  hub_graph graph;
  int status = open_graph(&graph, hubs, conditions != NULL);
  if (!status)
    status = connect(&graph, edge_count, edges);
  if (!status && conditions)
    status = list_joins(&graph, conditions);
  if (!status)
    status = find_order(&graph);
  if (!status)
    lay_out(&graph, pattern, arena, orders, conditions);
  close_graph(&graph);
  return status;
}
