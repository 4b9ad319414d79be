/* SPDX-License-Identifier: MIT */
/* How much of a run the 3D page shows. Small runs are shown whole. Where the numbers would take more than the budget,
   snapshots are left out first, then points along rods and strands, then strands, and snapshots again in the end. Of
   batches no more rods are shown than a browser draws without delay. */
#include <math.h>

#include "draw/scene/run.h"

/* What is left before the next kind of thing is left out, and up to which size positions have all their digits. */
enum { ENOUGH_SNAPSHOTS = 200, ENOUGH_POINTS = 50, ENOUGH_STRANDS = 100, SMALL = 8000000 };

/* Of all batches together a browser draws so many rods, of so many points, and tips, without delay. */
enum { MOST_RODS = 4000, MOST_POINTS = 120000, MOST_TIPS = 20000 };

int wy_scene_shown(int total, int step) {
  return total < 2 ? total : (total - 2) / step + 2;
}

int wy_scene_pick(int total, int step, int k) {
  long long at = (long long)k * step;
  return at < total - 1 ? (int)at : total - 1;
}

/* So many more than `most` there are, of which at least one is shown. */
static int step_for(const wy_scene_run *run, double all, double most) {
  return (int)fmax(ceil(all * run->strand_step / fmax(most, 1)), 1);
}

int wy_scene_line_step(const wy_scene_run *run, const wy_scene_strands *strands) {
  double rods = 0, points = 0;
  for (int i = 0; i < run->strands_count; i++) {
    const wy_scene_strands *others = &run->strands[i];
    rods += others->batch ? others->position->lines : 0;
    points +=
        others->batch ? (double)others->position->lines * wy_scene_shown(others->position->points, run->point_step) : 0;
  }
  return strands->batch ? step_for(run, fmax(rods / MOST_RODS, points / MOST_POINTS), 1) : run->strand_step;
}

int wy_scene_tip_step(const wy_scene_run *run, const wy_scene_strands *strands) {
  double tips = 0;
  for (int i = 0; i < run->strands_count; i++)
    tips += run->strands[i].batch && run->strands[i].batch->tip ? run->strands[i].batch->tip->lines : 0;
  return strands->batch ? step_for(run, tips, MOST_TIPS) : 1;
}

static int strands_shown(const wy_scene_run *run, const wy_scene_strands *strands) {
  return (strands->position->lines - 1) / wy_scene_line_step(run, strands) + 1;
}

static int tips_shown(const wy_scene_run *run, const wy_scene_strands *strands) {
  const bool some = strands->batch && strands->batch->tip;
  return some ? (strands->batch->tip->lines - 1) / wy_scene_tip_step(run, strands) + 1 : 0;
}

/* Bytes of positions with 4 bytes each, and of all that changes in time. */
static double count_bytes(wy_scene_run *run) {
  double snapshots = wy_scene_shown(run->snapshots, run->snapshot_step), places = 0, others = 0, strands = 0;
  others += snapshots * (28 * run->body_count + 12 * run->joint_count + 40 * run->obstacle_count);
  for (int i = 0; i < run->obstacle_count; i++)
    others += 12.0 * (run->obstacles[i].surface.vertices + run->obstacles[i].surface.triangles);
  for (int r = 0; r < run->rod_count; r++) {
    const wy_scene_rod *rod = &run->rods[r];
    double points = wy_scene_shown(rod->position->points, run->point_step);
    places += snapshots * points * 12;
    int directors = rod->strain ? 2 : 1; /* d2 is there where shear can be seen */
    int quantities = 2 * (rod->curvature != NULL) + (rod->force != NULL) + (rod->moment != NULL) +
                     (rod->contact != NULL) + (rod->velocity != NULL);
    others += snapshots * points * (6 * directors + 2 * quantities);
  }
  for (int i = 0; i < run->strands_count; i++) {
    const double points = wy_scene_shown(run->strands[i].position->points, run->point_step);
    const wy_scene_batch *batch = run->strands[i].batch;
    strands += snapshots * 12 * (strands_shown(run, &run->strands[i]) * points + tips_shown(run, &run->strands[i]));
    others += batch && batch->velocity ? snapshots * 2 * strands_shown(run, &run->strands[i]) * points : 0;
  }
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

/* "1000 of 20000 rods of head are shown, and 5000 of their tips." */
static void note_batch(wy_scene_run *run, const wy_scene_strands *strands) {
  const wy_folder_batch *batch = strands->batch->of;
  const int shown = strands_shown(run, strands), tips = tips_shown(run, strands);
  wy_text text = {0};
  if (shown < batch->count)
    wy_text_add(&text, "%d of %d rods of %.80s are shown", shown, batch->count, batch->name);
  if (tips > 0 && tips < batch->count)
    wy_text_add(&text, ", and %d of their tips", tips);
  if (shown < batch->count && !text.failed)
    wy_scene_note(run, "%s.", text.data);
  wy_text_free(&text);
}

static void add_notes(wy_scene_run *run) {
  bool followers = false;
  for (int i = 0; i < run->strands_count; i++)
    followers = followers || !run->strands[i].batch;
  int snapshots = run->snapshot_step, points = run->point_step, strands = run->strand_step;
  if (snapshots > 1)
    wy_scene_note(run, "Every %d%s of %d snapshots is shown.", snapshots, ordinal_ending(snapshots), run->snapshots);
  if (points > 1)
    wy_scene_note(run, "Every %d%s of the points along the rods is shown.", points, ordinal_ending(points));
  if (strands > 1 && followers)
    wy_scene_note(run, "Every %d%s strand is shown.", strands, ordinal_ending(strands));
  for (int i = 0; i < run->strands_count; i++)
    if (run->strands[i].batch)
      note_batch(run, &run->strands[i]);
  if (run->rods_rounded || run->strands_rounded)
    wy_scene_note(run, "Positions%s are rounded to 1/65535 of the size of the scene.",
                  run->rods_rounded ? ""
                  : followers       ? " of strands"
                                    : " of batches");
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
