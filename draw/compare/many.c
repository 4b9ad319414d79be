/* SPDX-License-Identifier: MIT */
#include "draw/compare/many.h"

#include <assert.h>
#include <string.h>

/* "A" to "Z", then "AA", as columns of tables are called. */
static const char *label_of(wy_memory *memory, int run) {
  enum { LETTERS = 26 };
  const char last[2] = {(char)('A' + run % LETTERS), '\0'};
  return run < LETTERS ? wy_memory_copy(memory, last, 1)
                       : wy_memory_print(memory, "%s%s", label_of(memory, run / LETTERS - 1), last);
}

/* ---- The table ---- */

static wy_compare_line *find_line(wy_comparisons *c, const wy_difference *d) {
  for (int i = 0; i < c->line_count; i++)
    if (c->lines[i].kind == d->kind && strcmp(c->lines[i].name, d->name) == 0)
      return &c->lines[i];
  wy_compare_line *line = &c->lines[c->line_count++];
  line->kind = d->kind;
  line->name = d->name;
  line->of = wy_memory_take(&c->memory, (size_t)c->count, sizeof *line->of);
  return line;
}

/* Kinds one after the other, and within them as they come: those of the first pair, then what others have beside. */
static void make_lines(wy_comparisons *c) {
  static const wy_compared order[] = {WY_COMPARED_MODE,     WY_COMPARED_PROBE,      WY_COMPARED_ENERGY,
                                      WY_COMPARED_MOMENTUM, WY_COMPARED_CENTRELINE, WY_COMPARED_BATCH};
  size_t most = 0;
  for (int p = 0; p < c->count; p++)
    most += (size_t)c->pair[p].count;
  c->lines = wy_memory_take(&c->memory, most, sizeof *c->lines);
  for (size_t kind = 0; kind < sizeof order / sizeof *order; kind++)
    for (int p = 0; p < c->count; p++)
      for (int i = 0; i < c->pair[p].count; i++)
        if (c->pair[p].differences[i].kind == order[kind])
          find_line(c, &c->pair[p].differences[i])->of[p] = &c->pair[p].differences[i];
}

/* ---- All of it ---- */

wy_status wy_compare_many(const char *const *folders, int count, wy_comparisons *c, wy_message *message) {
  assert(count >= 2);
  memset(c, 0, sizeof *c);
  if (setjmp(c->memory.begin) != 0)
    return wy_memory_failed(message);
  c->label = wy_memory_take(&c->memory, (size_t)count, sizeof *c->label);
  for (int i = 0; i < count; i++)
    c->label[i] = label_of(&c->memory, i);
  c->pair = wy_memory_take(&c->memory, (size_t)count - 1, sizeof *c->pair);
  for (wy_status status; c->count < count - 1;) {
    const int next = ++c->count;
    status = wy_compare((const char *const[2]){folders[0], folders[next]},
                        (const char *const[2]){c->label[0], c->label[next]}, &c->pair[next - 1], message);
    if (status != WY_OK)
      return status;
  }
  make_lines(c);
  return WY_OK;
}

void wy_compare_many_close(wy_comparisons *c) {
  for (int p = 0; p < c->count; p++)
    wy_compare_close(&c->pair[p]);
  wy_memory_release(&c->memory);
}

void wy_compare_many_judge(wy_comparisons *c, double relative, double absolute, bool common) {
  for (int p = 0; p < c->count; p++)
    wy_compare_judge(&c->pair[p], relative, absolute, common);
}

bool wy_compare_many_well(const wy_comparisons *c) {
  bool well = true;
  for (int p = 0; p < c->count; p++)
    well = well && wy_compare_well(&c->pair[p]);
  return well;
}

const wy_compare_run *wy_compare_many_run(const wy_comparisons *c, int run) {
  return run == 0 ? &c->pair[0].run[0] : &c->pair[run - 1].run[1];
}
