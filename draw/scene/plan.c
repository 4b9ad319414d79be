/* SPDX-License-Identifier: MIT */
/* How much of a run the 3D page shows. Small runs are shown whole. Where the numbers would take more than the budget,
   snapshots are left out first, then points along rods and strands, then strands, and snapshots again in the end. */
#include "draw/scene/run.h"

/* What is left before the next kind of thing is left out, and up to which size positions have all their digits. */
enum { ENOUGH_SNAPSHOTS = 200, ENOUGH_POINTS = 50, ENOUGH_STRANDS = 100, SMALL = 8000000 };

int wy_scene_shown(int total, int step) {
  return total < 2 ? total : (total - 2) / step + 2;
}

int wy_scene_pick(int total, int step, int k) {
  long long at = (long long)k * step;
  return at < total - 1 ? (int)at : total - 1;
}

static int strands_shown(const wy_scene_run *run, const wy_scene_strands *strands) {
  return (strands->position->lines - 1) / run->strand_step + 1;
}

/* Bytes of positions with 4 bytes each, and of all that changes in time. */
static double count_bytes(wy_scene_run *run) {
  double snapshots = wy_scene_shown(run->snapshots, run->snapshot_step), places = 0, others = 0, strands = 0;
  others += snapshots * (28 * run->body_count + 12 * run->joint_count + 40 * run->obstacle_count);
  for (int r = 0; r < run->rod_count; r++) {
    const wy_scene_rod *rod = &run->rods[r];
    double points = wy_scene_shown(rod->position->points, run->point_step);
    places += snapshots * points * 12;
    int directors = rod->strain ? 2 : 1; /* d2 is there where shear can be seen */
    int quantities = 2 * (rod->curvature != NULL) + (rod->force != NULL) + (rod->moment != NULL) +
                     (rod->contact != NULL) + (rod->velocity != NULL);
    others += snapshots * points * (6 * directors + 2 * quantities);
  }
  for (int i = 0; i < run->strands_count; i++)
    strands += snapshots * 12 * strands_shown(run, &run->strands[i]) *
               wy_scene_shown(run->strands[i].position->points, run->point_step);
  run->rods_rounded = places >= SMALL;
  run->strands_rounded = strands >= SMALL;
  return places / (1 + run->rods_rounded) + others + strands / (1 + run->strands_rounded);
}

static int most_points(const wy_scene_run *run) {
  int most = 0;
  for (int i = 0; i < run->rod_count + run->strands_count; i++) {
    const wy_stored_field *field =
        i < run->rod_count ? run->rods[i].position : run->strands[i - run->rod_count].position;
    int points = wy_scene_shown(field->points, run->point_step);
    most = points > most ? points : most;
  }
  return most;
}

static int most_strands(const wy_scene_run *run) {
  int most = 0;
  for (int i = 0; i < run->strands_count; i++)
    most = strands_shown(run, &run->strands[i]) > most ? strands_shown(run, &run->strands[i]) : most;
  return most;
}

/* "2nd", "3rd", "4th", ... */
static const char *ordinal_ending(int number) {
  static const char *const endings[] = {"th", "st", "nd", "rd"};
  int last = number % 10;
  return last < 4 && (number / 10) % 10 != 1 ? endings[last] : "th";
}

static void add_notes(wy_scene_run *run) {
  int snapshots = run->snapshot_step, points = run->point_step, strands = run->strand_step;
  if (snapshots > 1)
    wy_scene_note(run, "Every %d%s of %d snapshots is shown.", snapshots, ordinal_ending(snapshots), run->snapshots);
  if (points > 1)
    wy_scene_note(run, "Every %d%s of the points along the rods is shown.", points, ordinal_ending(points));
  if (strands > 1)
    wy_scene_note(run, "Every %d%s strand is shown.", strands, ordinal_ending(strands));
  if (run->rods_rounded || run->strands_rounded)
    wy_scene_note(run, "Positions%s are rounded to 1/65535 of the size of the scene.",
                  run->rods_rounded ? "" : " of strands");
}

void wy_scene_plan(wy_scene_run *run, long long most, double budget) {
  run->snapshot_step = run->point_step = run->strand_step = 1;
  while (most >= 2 && wy_scene_shown(run->snapshots, run->snapshot_step) > most)
    run->snapshot_step++;
  while (count_bytes(run) > budget && wy_scene_shown(run->snapshots, run->snapshot_step + 1) >= ENOUGH_SNAPSHOTS)
    run->snapshot_step++;
  while (count_bytes(run) > budget && most_points(run) > ENOUGH_POINTS)
    run->point_step++;
  while (count_bytes(run) > budget && most_strands(run) > ENOUGH_STRANDS)
    run->strand_step++;
  while (count_bytes(run) > budget && wy_scene_shown(run->snapshots, run->snapshot_step) > 2)
    run->snapshot_step++;
  run->shown = wy_scene_shown(run->snapshots, run->snapshot_step);
  add_notes(run);
}
