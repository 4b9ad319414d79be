/* Reading a run's folder for comparing: strictly, since a value that is not a number must not pass as a small
   difference. */
#include "draw/plot/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/compare/compare.h"
#include "run/results/file.h"
#include "run/results/summary.h"

static const char *join(wy_pool *pool, const char *folder, const char *file) {
  wy_text path = {0};
  wy_text_add(&path, "%s/%s", folder, file);
  const char *copy = wy_pool_copy(pool, path.data, path.length);
  wy_text_free(&path);
  return copy;
}

static int quantity_of(const wy_scenario *scenario, const char *probe) {
  for (int i = 0; scenario && i < scenario->probe_count; i++)
    if (strcmp(scenario->probes[i].name, probe) == 0)
      return scenario->probes[i].quantity;
  return -1;
}

/* ---- tables ---- */

static bool ascends(const double *values, int count) {
  for (int i = 1; i < count; i++)
    if (!(values[i] > values[i - 1]))
      return false;
  return true;
}

static wy_status read_tables(wy_pool *pool, wy_compare_run *run, wy_message *message) {
  const char *rows = join(pool, run->folder, "probes.csv");
  const char *modes = join(pool, run->folder, run->plot.analysis == WY_BUCKLING ? "buckling.csv" : "modes.csv");
  bool has_modes = run->plot.analysis == WY_MODES || run->plot.analysis == WY_BUCKLING;
  wy_status status = wy_csv_read(pool, rows, &run->rows, message);
  if (status == WY_OK && has_modes)
    status = wy_csv_read(pool, modes, &run->modes, message);
  if (status != WY_OK)
    return status;
  if (run->rows.columns > 0 && strcmp(run->rows.name[0], "t") != 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s:1: the first column is '%.40s'; expected t", rows,
                           run->rows.name[0]);
  if (run->rows.rows > 0 && !ascends(run->rows.values[0], run->rows.rows))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s: the times do not ascend", rows);
  if (run->modes.exists && (run->modes.columns < 2 || strcmp(run->modes.name[0], "mode") != 0))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s:1: expected the columns of `withy run`: mode, ...", modes);
  if (run->modes.columns > 2 && strcmp(run->modes.name[run->modes.columns - 1], "limit_point") == 0)
    run->modes.columns--; /* says what a factor is, and is no number to compare */
  run->probe_count = run->rows.rows > 0 ? wy_csv_probes(pool, &run->rows, 1, &run->probes) : 0;
  run->quantity = wy_pool_take(pool, ((size_t)run->probe_count + 1) * sizeof *run->quantity);
  for (int i = 0; i < run->probe_count; i++)
    run->quantity[i] = quantity_of(run->scenario, run->probes[i].name);
  return WY_OK;
}

/* ---- result.h5 ---- */

static void read_momenta(wy_pool *pool, wy_compare_run *run) {
  static const char *const names[2] = {"momentum/linear", "momentum/angular"};
  for (int k = 0; k < 2; k++) {
    int size[3];
    if (H5Lexists(run->file, "momentum", H5P_DEFAULT) <= 0)
      return;
    double *values = wy_plot_read_block(run->file, names[k], -1, size);
    for (int c = 0; c < 3 && values && size[0] >= run->plot.frames && size[1] == 3; c++) {
      run->momentum[k][c] = wy_pool_take(pool, (size_t)run->plot.frames * sizeof(double));
      for (int i = 0; i < run->plot.frames; i++)
        run->momentum[k][c][i] = values[3 * i + c];
    }
    free(values);
  }
}

/* The largest norm of a vector along one rod, in all frames. */
static double largest_on(const wy_compare_run *run, const char *rod, const char *field) {
  char path[512];
  int size[3], length = snprintf(path, sizeof path, "rods/%s/%s", rod, field);
  if (length < 0 || length >= (int)sizeof path || H5Lexists(run->file, path, H5P_DEFAULT) <= 0)
    return 0;
  double *values = wy_plot_read_block(run->file, path, -1, size), largest = 0;
  if (values && size[2] == 3) {
    size_t count = (size_t)(size[0] < run->plot.frames ? size[0] : run->plot.frames) * (size_t)size[1];
    for (size_t i = 0; i < count; i++)
      largest = fmax(largest, hypot(hypot(values[3 * i], values[3 * i + 1]), values[3 * i + 2]));
  }
  free(values);
  return largest;
}

/* A probe that should be zero is noise of the solver. It is not measured by itself, but by a share of what the same
   quantity is elsewhere on the rods. Momenta have no elsewhere: what moves with the largest speed at the largest
   distance takes its place. */
static void measure_by_others(wy_compare_run *run) {
  static const struct {
    const char *field;
    wy_quantity quantity, too;
  } fields[] = {{"position", WY_POSITION, WY_CENTRE_OF_MASS},
                {"velocity", WY_VELOCITY, WY_VELOCITY},
                {"angular_velocity", WY_ANGULAR_VELOCITY, WY_ANGULAR_VELOCITY},
                {"strain", WY_STRAIN, WY_STRAIN},
                {"curvature", WY_CURVATURE, WY_CURVATURE},
                {"force", WY_FORCE, WY_REACTION_FORCE},
                {"moment", WY_MOMENT, WY_REACTION_MOMENT}};
  const double share = 1e-3;
  double largest[WY_QUANTITY_COUNT] = {0}, kinetic = 0;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    for (int r = 0; r < run->plot.rod_count; r++)
      largest[fields[i].quantity] =
          fmax(largest[fields[i].quantity], largest_on(run, run->plot.rods[r].name, fields[i].field));
    largest[fields[i].too] = largest[fields[i].quantity];
  }
  for (int i = 0; i < run->plot.frames && run->plot.energy[WY_PLOT_KINETIC]; i++)
    kinetic = fmax(kinetic, run->plot.energy[WY_PLOT_KINETIC][i]);
  if (largest[WY_VELOCITY] > 0)
    largest[WY_LINEAR_MOMENTUM] = 2 * kinetic / largest[WY_VELOCITY];
  largest[WY_ANGULAR_MOMENTUM] = largest[WY_LINEAR_MOMENTUM] * largest[WY_POSITION];
  for (int q = 0; q < WY_QUANTITY_COUNT; q++)
    run->least[q] = fmax(run->least[q], share * largest[q]);
}

/* Of a rod at rest all values are noise. They are measured by what turns or displaces a rod by a millionth (of its
   length, during the run), by strains of 1e-9, and energies by strains of 1e-10. */
static void measure_by_rods(wy_compare_run *run, const wy_model *model) {
  double length = 0, mass = 0, extension = 0, bending = 0, small = 1e-6;
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    double own = wy_model_rod(model, i)->length;
    wy_section_values section = wy_model_section(model, i, 0.5 * own);
    length = fmax(length, own);
    mass += section.mass * own;
    extension = fmax(extension, section.stiffness[2]);
    bending = fmax(bending, fmax(section.stiffness[3], section.stiffness[4]));
  }
  run->least[WY_POSITION] = run->least[WY_CENTRE_OF_MASS] = small * length;
  run->least[WY_CURVATURE] = small / length;
  run->least[WY_MOMENT] = run->least[WY_REACTION_MOMENT] = small * bending / length;
  run->least[WY_STRAIN] = 1e-9;
  run->least[WY_FORCE] = run->least[WY_REACTION_FORCE] = fmax(1e-9 * extension, small * bending / (length * length));
  if (run->scenario->end > 0) {
    run->least[WY_VELOCITY] = small * length / run->scenario->end;
    run->least[WY_ANGULAR_VELOCITY] = small / run->scenario->end;
    run->least[WY_LINEAR_MOMENTUM] = mass * run->least[WY_VELOCITY];
    run->least[WY_ANGULAR_MOMENTUM] = length * run->least[WY_LINEAR_MOMENTUM];
  }
  run->energy = 1e6 * wy_energy_round_off(model, WY_ALL_RODS);
}

static void measure(wy_compare_run *run) {
  wy_model *model = NULL;
  if (run->scenario && wy_model_create(&run->scenario->model, &model, NULL) == WY_OK)
    measure_by_rods(run, model);
  wy_model_destroy(model);
  if (run->plot.frames > 0)
    measure_by_others(run);
  for (int i = 0; i < run->plot.frames; i++)
    for (int k = WY_PLOT_KINETIC; k <= WY_PLOT_ELASTIC; k++)
      run->energy = fmax(run->energy, run->plot.energy[k] ? run->plot.energy[k][i] : 0);
}

static wy_status check_finite(const wy_compare_run *run, const char *name, const double *values, wy_message *message) {
  for (int i = 0; i < run->plot.frames && values; i++)
    if (!isfinite(values[i]))
      return wy_results_fail(message, WY_ERROR_INPUT,
                             "%s/result.h5: %s of frame %d is not a finite number; the file is damaged", run->folder,
                             name, i);
  return WY_OK;
}

static wy_status check_result(const wy_compare_run *run, wy_message *message) {
  wy_status status = check_finite(run, "time", run->plot.frame_time, message);
  for (int i = 0; i < WY_PLOT_ENERGIES && status == WY_OK; i++)
    status = check_finite(run, "an energy", run->plot.energy[i], message);
  for (int i = 0; i < 6 && status == WY_OK; i++)
    status = check_finite(run, "a momentum", run->momentum[i / 3][i % 3], message);
  if (status == WY_OK && run->plot.frames > 0 && !ascends(run->plot.frame_time, run->plot.frames))
    status = wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: the times do not ascend", run->folder);
  return status;
}

/* ---- the folder ---- */

wy_status wy_compare_read(wy_pool *pool, const char *folder, wy_compare_run *run, wy_message *message) {
  *run = (wy_compare_run){.folder = folder, .file = -1};
  wy_status status = wy_plot_read(folder, &run->plot, message);
  if (status != WY_OK)
    return status;
  run->scenario = wy_plot_scenario(&run->plot);
  status = read_tables(pool, run, message);
  if (status == WY_OK && run->plot.frames > 0) {
    run->file = wy_plot_open(join(pool, folder, "result.h5"));
    read_momenta(pool, run);
    status = check_result(run, message);
  }
  if (status == WY_OK)
    measure(run);
  return status;
}

void wy_compare_close(wy_compare_run *run) {
  if (run->file >= 0)
    H5Fclose(run->file);
  wy_scenario_destroy(run->scenario);
  wy_plot_free(&run->plot);
  *run = (wy_compare_run){.file = -1};
}

/* ---- how it was made ---- */

static const char *fact(const wy_compare_run *run, const char *name) {
  return wy_plot_find_fact(&run->plot, name);
}

/* What the scenario says about the first rod's method, where the summary does not. */
static void add_method(const wy_scenario *scenario, wy_text *text) {
  int segments = 0;
  for (int i = 0; i < scenario->model.rod_count; i++)
    segments += scenario->model.rods[i].segments;
  const wy_solver_def *solver = wy_results_solver(scenario, 0);
  if (scenario->analysis == WY_DYNAMICS && wy_method_has_fixed_step(solver))
    wy_text_add(text, ", step %g", solver->first_step);
  else if (scenario->analysis == WY_DYNAMICS)
    wy_text_add(text, ", tolerance %g", solver->relative_tolerance);
  if (scenario->model.rod_count > 1)
    wy_text_add(text, ", %d rods", scenario->model.rod_count);
  wy_text_add(text, ", %d %s%s", segments, wy_results_piece(solver), segments == 1 ? "" : "s");
}

void wy_compare_made(const wy_compare_run *run, wy_text *text) {
  static const char *const names[] = {"scheme", "model", "integrator", "continuation"};
  wy_text_add(text, "%s", wy_analysis_name(run->plot.analysis));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (fact(run, names[i]))
      wy_text_add(text, ", %s", fact(run, names[i]));
  if (run->scenario)
    add_method(run->scenario, text);
  const char *steps = fact(run, "steps"), *equilibria = fact(run, "equilibria"),
             *wall = fact(run, "wall time in seconds");
  if (steps || equilibria)
    wy_text_add(text, "; %s %s", steps ? steps : equilibria, steps ? "steps" : "equilibria");
  if (wall)
    wy_text_add(text, " in %.2g s", strtod(wall, NULL));
  for (const char *line = run->plot.settings; line && *line;) {
    int length = (int)strcspn(line, "\n");
    wy_text_add(text, "%s %.*s", line == run->plot.settings ? "; set" : ",", length, line);
    line += length + (line[length] == '\n');
  }
}
