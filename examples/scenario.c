/* SPDX-License-Identifier: MIT */
/* usage: scenario FILE.yaml FOLDER. Loads a scenario, puts it on the moon, runs it, and draws its page in 3D. */
#include <stdio.h>

#include "withy/draw.h"
#include "withy/run.h"

static void show(void *context, double t, double end) {
  (void)context;
  fprintf(stderr, "\r%3.0f %%", 100 * t / end);
}

int main(int argc, char **argv) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error = {"expected a scenario and a folder", ""};
  if (argc != 3 || wy_scenario_read_file(argv[1], NULL, 0, &scenario, &error) != WY_OK ||
      wy_scenario_set(scenario, "gravity=[0, 0, -1.62]", &error) != WY_OK) {
    fprintf(stderr, "%s\n%s", error.text, error.excerpt);
    return 2;
  }
  wy_run_def def = wy_default_run_def();
  def.scenario = scenario;
  def.folder = argv[2];
  def.progress = show;
  wy_run_report report;
  wy_message message = {"", ""};
  wy_folder *folder = NULL;
  wy_status status = wy_run(&def, &report, &message);
  if (status == WY_OK)
    status = wy_folder_open(argv[2], &folder, &message);
  if (status == WY_OK)
    status = wy_draw_page(folder, "page.html", 0, &message);
  fprintf(stderr, "\n%s", message.text);
  printf("%ld rows, %ld snapshots, energy drift %.1e\n", report.rows, report.snapshots, report.drift);
  wy_folder_close(folder);
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  return status != WY_OK;
}
