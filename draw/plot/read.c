/* Reading a run's folder for plotting: probes.csv, steps.csv, result.h5 and summary.json; each may be missing or, after
 * a killed run, end early. */
#include "draw/plot/read.h"

#include <errno.h>
#include <libfyaml.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/folder/csv_read.h"
#include "run/results/file.h"

enum { MAX_SNAPSHOTS = 25 };

const char *const wy_plot_energy_names[WY_PLOT_ENERGIES] = {"kinetic", "elastic", "gravity",
                                                            "total",   "work",    "dissipated"};

static void *insist(void *memory) {
  if (!memory) {
    fputs("withy: out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

/* calloc, since a damaged file may ask for more than there is, or than size_t can say. */
void *wy_plot_allocate(size_t count, size_t size) {
  return insist(calloc(count ? count : 1, size));
}

char *wy_plot_copy(const char *text, size_t length) {
  char *copy = wy_plot_allocate(length + 1, 1);
  memcpy(copy, text, length);
  return copy;
}

static char *join(const char *folder, const char *file) {
  size_t size = strlen(folder) + strlen(file) + 2;
  char *path = wy_plot_allocate(size, 1);
  snprintf(path, size, "%s/%s", folder, file);
  return path;
}

/* ---- probes.csv and steps.csv ---- */

static double *copy_column(const wy_csv_table *table, int column) {
  double *values = wy_plot_allocate((size_t)table->rows, sizeof *values);
  memcpy(values, table->values[column], (size_t)table->rows * sizeof *values);
  return values;
}

/* Takes over the columns from that of the time on. */
static void keep_probes(wy_plot_run *run, wy_pool *pool, const wy_csv_table *table, int time) {
  wy_csv_probe *found;
  run->probe_count = wy_csv_probes(pool, table, time + 1, &found);
  run->probes = wy_plot_allocate((size_t)run->probe_count, sizeof *run->probes);
  run->rows = table->rows;
  run->row_time = copy_column(table, time);
  for (int i = 0; i < run->probe_count; i++) {
    wy_plot_probe *probe = &run->probes[i];
    *probe = (wy_plot_probe){.name = wy_plot_copy(found[i].name, strlen(found[i].name)),
                             .quantity = wy_plot_copy("", 0),
                             .count = found[i].count};
    for (int k = 0; k < probe->count; k++) {
      memcpy(probe->label[k], found[i].label[k], sizeof found[i].label[k]);
      probe->values[k] = copy_column(table, found[i].first + k);
    }
  }
}

/* Where every equilibrium of a path was written down, they show more than the rows at output times. */
static wy_status read_probes(const char *folder, wy_plot_run *run, wy_message *message) {
  char *rows = join(folder, "probes.csv"), *path = join(folder, "path.csv");
  wy_pool pool = {NULL};
  wy_csv_table table;
  wy_status status = wy_csv_read(&pool, path, &table, message);
  int time = table.exists ? 1 : 0; /* after the column `step` */
  if (status == WY_OK && !table.exists)
    status = wy_csv_read(&pool, rows, &table, message);
  if (status == WY_OK && table.columns > time)
    keep_probes(run, &pool, &table, time);
  wy_pool_release(&pool);
  free(path);
  free(rows);
  return status;
}

static wy_status read_steps(const char *folder, wy_plot_run *run, const wy_scenario *scenario, wy_message *message) {
  char *path = join(folder, "steps.csv");
  wy_status status = run->analysis == WY_DYNAMICS ? wy_plot_read_steps(path, run, scenario, message) : WY_OK;
  free(path);
  return status;
}

/* ---- result.h5 ---- */

/* Reads `count` doubles of a dataset whose first dimension is at least `rows`; NULL where there is no such dataset. */
static double *read_rows(hid_t file, const char *name, int rows) {
  if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
    return NULL;
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0)
    return NULL;
  hid_t space = H5Dget_space(set);
  hsize_t size[1] = {0}, start[1] = {0}, count[1] = {(hsize_t)rows};
  double *values = NULL;
  if (H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, size, NULL) == 1 &&
      size[0] >= (hsize_t)rows) {
    values = wy_plot_allocate((size_t)rows, sizeof *values);
    hid_t memory = H5Screate_simple(1, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (rows > 0 && H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) < 0) {
      free(values);
      values = NULL;
    }
    H5Sclose(memory);
  }
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

/* The number of complete frames: the counter /frames, but never more than /time has room for. */
static int count_frames(hid_t file) {
  long long frames = INT_MAX;
  hsize_t room = 0;
  if (H5Lexists(file, "time", H5P_DEFAULT) <= 0)
    return 0;
  hid_t set = H5Dopen2(file, "time", H5P_DEFAULT), space = H5Dget_space(set);
  if (H5Sget_simple_extent_ndims(space) == 1)
    H5Sget_simple_extent_dims(space, &room, NULL);
  H5Sclose(space);
  H5Dclose(set);
  if (H5Lexists(file, "frames", H5P_DEFAULT) > 0) {
    set = H5Dopen2(file, "frames", H5P_DEFAULT);
    space = H5Dget_space(set);
    if (H5Sget_simple_extent_npoints(space) != 1 ||
        H5Dread(set, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, &frames) < 0)
      frames = 0;
    H5Sclose(space);
    H5Dclose(set);
  }
  if (frames > (long long)room)
    frames = (long long)room;
  return frames > 0 && frames < INT_MAX ? (int)frames : 0;
}

int wy_plot_snapshot_frame(const wy_plot_run *run, int k) {
  return run->snapshots < 2 ? 0 : (int)((long long)k * (run->frames - 1) / (run->snapshots - 1));
}

static bool read_rod(hid_t file, const wy_plot_run *run, wy_plot_rod *rod) {
  char name[512];
  int length = snprintf(name, sizeof name, "rods/%s/position", rod->name);
  if (length < 0 || length >= (int)sizeof name || H5Lexists(file, name, H5P_DEFAULT) <= 0)
    return false;
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  hsize_t size[3] = {0};
  bool good = H5Sget_simple_extent_ndims(space) == 3 && H5Sget_simple_extent_dims(space, size, NULL) == 3 &&
              size[0] >= (hsize_t)run->frames && size[1] > 0 && size[1] < INT_MAX && size[2] == 3;
  if (good) {
    rod->points = (int)size[1];
    rod->position = wy_plot_allocate((size_t)run->snapshots * size[1] * 3, sizeof(double));
    hsize_t count[3] = {1, size[1], 3};
    hid_t memory = H5Screate_simple(3, count, NULL);
    for (int k = 0; k < run->snapshots && good; k++) {
      hsize_t start[3] = {(hsize_t)wy_plot_snapshot_frame(run, k), 0, 0};
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
      good = H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rod->position + (size_t)k * size[1] * 3) >= 0;
    }
    H5Sclose(memory);
  }
  H5Sclose(space);
  H5Dclose(set);
  return good;
}

/* In the order of the scenario; in the file they are in that of the alphabet. */
static void order_rods(wy_plot_run *run, const wy_scenario *scenario) {
  int *number = wy_plot_allocate((size_t)run->rod_count, sizeof *number);
  for (int i = 0; i < run->rod_count; i++) {
    wy_plot_rod rod = run->rods[i];
    int wanted = wy_plot_find_rod(scenario, rod.name), k = i;
    for (; k > 0 && number[k - 1] > wanted; k--) {
      run->rods[k] = run->rods[k - 1];
      number[k] = number[k - 1];
    }
    run->rods[k] = rod;
    number[k] = wanted;
  }
  free(number);
}

static void read_rods(hid_t file, wy_plot_run *run) {
  if (H5Lexists(file, "rods", H5P_DEFAULT) <= 0)
    return;
  hid_t group = H5Gopen2(file, "rods", H5P_DEFAULT);
  H5G_info_t info = {.nlinks = 0};
  if (group < 0)
    return;
  H5Gget_info(group, &info);
  run->rods = wy_plot_allocate((size_t)info.nlinks, sizeof *run->rods);
  for (hsize_t i = 0; i < info.nlinks; i++) {
    char name[256];
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) < 0)
      continue;
    wy_plot_rod *rod = &run->rods[run->rod_count];
    rod->name = wy_plot_copy(name, strlen(name));
    if (read_rod(file, run, rod))
      run->rod_count++;
    else {
      free(rod->name);
      free(rod->position);
      memset(rod, 0, sizeof *rod);
    }
  }
  H5Gclose(group);
}

char *wy_plot_read_text(hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0)
    return NULL;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  char *text = NULL;
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
    char *stored = NULL;
    hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Aread(attribute, memory, &stored) >= 0 && stored)
      text = wy_plot_copy(stored, strlen(stored));
    H5free_memory(stored);
    H5Tclose(memory);
  } else if (H5Tget_class(type) == H5T_STRING) {
    text = wy_plot_allocate(H5Tget_size(type) + 1, 1);
    if (H5Aread(attribute, type, text) < 0)
      text[0] = '\0';
  }
  H5Tclose(type);
  H5Aclose(attribute);
  return text;
}

static wy_analysis read_analysis(hid_t file) {
  char *name = wy_plot_read_text(file, "analysis");
  int analysis = WY_BUCKLING;
  while (analysis > WY_DYNAMICS && (!name || strcmp(name, wy_analysis_name((wy_analysis)analysis)) != 0))
    analysis--;
  free(name);
  return (wy_analysis)analysis;
}

static bool has_one_state(const wy_plot_run *run) {
  return run->analysis != WY_DYNAMICS && run->analysis != WY_QUASISTATICS;
}

hid_t wy_plot_open(const char *path) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, 0, 1);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

static void read_energies(hid_t file, wy_plot_run *run) {
  for (int i = 0; i < WY_PLOT_ENERGIES && H5Lexists(file, "energy", H5P_DEFAULT) > 0; i++) {
    char *path = join("energy", wy_plot_energy_names[i]);
    run->energy[i] = read_rows(file, path, run->frames);
    free(path);
  }
}

static void read_states(hid_t file, wy_plot_run *run, const wy_scenario *scenario) {
  run->frames = count_frames(file);
  run->frame_time = read_rows(file, "time", run->frames);
  if (!run->frame_time)
    run->frames = 0;
  if (run->frames > 0) {
    read_energies(file, run);
    run->snapshots = run->frames < MAX_SNAPSHOTS ? run->frames : MAX_SNAPSHOTS;
    run->snapshot_time = wy_plot_allocate((size_t)run->snapshots, sizeof(double));
    for (int k = 0; k < run->snapshots; k++)
      run->snapshot_time[k] = run->frame_time[wy_plot_snapshot_frame(run, k)];
    read_rods(file, run);
    if (scenario)
      order_rods(run, scenario);
    wy_plot_read_strands(file, run);
    wy_plot_read_maps(file, run);
  }
  if (has_one_state(run)) {
    wy_plot_read_forces(file, run);
    wy_plot_read_modes(file, run);
  }
}

/* Why result.h5 cannot be opened; it may be missing. */
static wy_status explain(const char *path, wy_message *message) {
  if (access(path, R_OK) == 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is not a readable HDF5 file", path);
  return errno == ENOENT ? WY_OK : wy_file_error(message, errno, "reading", path);
}

/* The scenario as it was run is left in *scenario, or NULL. */
static wy_status read_result(const char *folder, wy_plot_run *run, wy_scenario **scenario, wy_message *message) {
  char *path = join(folder, "result.h5");
  hid_t file = wy_plot_open(path);
  wy_status status = file < 0 ? explain(path, message) : WY_OK;
  free(path);
  if (file < 0)
    return status;
  run->scenario = wy_plot_read_text(file, "scenario");
  run->settings = wy_plot_read_text(file, "settings");
  run->analysis = read_analysis(file);
  *scenario = wy_plot_scenario(run);
  read_states(file, run, *scenario);
  H5Fclose(file);
  return WY_OK;
}

/* ---- the scenario's text and summary.json ---- */

static struct fy_document *parse(const char *text) {
  struct fy_parse_cfg settings = {.flags = FYPCF_QUIET};
  return fy_document_build_from_string(&settings, text, FY_NT);
}

/* The lines of a text, in place. */
static int split_lines(char *text, const char **lines, int most) {
  int count = 0;
  for (char *line = text; line && *line && count < most;) {
    char *end = strchr(line, '\n');
    lines[count++] = line;
    if (end)
      *end = '\0';
    line = end ? end + 1 : NULL;
  }
  return count;
}

wy_scenario *wy_plot_scenario(const wy_plot_run *run) {
  enum { MOST_SETTINGS = 1000 };
  const char *settings[MOST_SETTINGS];
  char *lines = wy_plot_copy(run->settings ? run->settings : "", run->settings ? strlen(run->settings) : 0);
  int count = split_lines(lines, settings, MOST_SETTINGS);
  wy_scenario *scenario = NULL;
  if (run->scenario)
    wy_scenario_read("scenario", "scenario", run->scenario, settings, count, &scenario, NULL);
  free(lines);
  return scenario;
}

/* Title and probes' quantities as they were run, and where the rods of a single state were before. */
static void apply_scenario(wy_plot_run *run, const wy_scenario *scenario) {
  if (scenario->title[0]) {
    free(run->title);
    run->title = wy_plot_copy(scenario->title, strlen(scenario->title));
  }
  for (int k = 0; k < scenario->probe_count; k++)
    for (int i = 0; i < run->probe_count; i++) {
      if (strcmp(run->probes[i].name, scenario->probes[k].name) != 0)
        continue;
      const char *quantity = wy_quantity_name(scenario->probes[k].quantity);
      free(run->probes[i].quantity);
      run->probes[i].quantity = wy_plot_copy(quantity, strlen(quantity));
      for (char *c = run->probes[i].quantity; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    }
  if (has_one_state(run))
    wy_plot_add_undeformed(run, scenario);
}

static void add_fact(wy_plot_run *run, struct fy_node *root, const char *name, const char *path) {
  struct fy_node *node = fy_node_by_path(root, path, FY_NT, FYNWF_DONT_FOLLOW);
  size_t length = 0;
  const char *value = node && fy_node_is_scalar(node) ? fy_node_get_scalar(node, &length) : NULL;
  if (!value || length == 0 || (length == 4 && memcmp(value, "null", 4) == 0))
    return;
  wy_plot_fact *fact = &run->facts[run->fact_count++];
  fact->name = wy_plot_copy(name, strlen(name));
  fact->value = wy_plot_copy(value, length);
  char *end;
  double number = strtod(fact->value, &end);
  if (*end == '\0' && strpbrk(fact->value, ".eE")) { /* fewer digits for people */
    char shorter[32];
    snprintf(shorter, sizeof shorter, "%.4g", number);
    free(fact->value);
    fact->value = wy_plot_copy(shorter, strlen(shorter));
  }
}

static wy_status read_summary(const char *folder, wy_plot_run *run, wy_message *message) {
  enum { MOVING = 1, RESTING = 2, ANY = MOVING | RESTING };
  static const struct {
    const char *name, *path;
    int analyses;
  } facts[] = {{"analysis", "/analysis", ANY},
               {"status", "/status", ANY},
               {"message", "/message", ANY},
               {"scheme", "/scheme", ANY},
               {"model", "/model", ANY},
               {"integrator", "/integrator", MOVING},
               {"continuation", "/integrator", RESTING},
               {"unknowns", "/unknowns", ANY},
               {"simulated time", "/t_end", MOVING},
               {"loads of t =", "/t_end", RESTING},
               {"steps", "/steps", MOVING},
               {"equilibria", "/steps", RESTING},
               {"rejected steps", "/rejected", ANY},
               {"right-hand sides", "/rhs", MOVING},
               {"Jacobians", "/jacobians", ANY},
               {"factorisations", "/factorisations", ANY},
               {"Newton iterations", "/newton_iterations", ANY},
               {"unstable directions", "/equilibrium/unstable", ANY},
               {"bifurcations passed", "/equilibrium/bifurcations", ANY},
               {"first bifurcation", "/equilibrium/first_bifurcation", ANY},
               {"limit points passed", "/equilibrium/limit_points", ANY},
               {"wall time in seconds", "/wall_seconds", ANY},
               {"real-time factor", "/realtime_factor", MOVING},
               {"energy at the start", "/energy/start", MOVING},
               {"energy at the end", "/energy/end", ANY},
               {"work", "/energy/work", MOVING},
               {"dissipated", "/energy/dissipated", MOVING},
               {"energy drift", "/energy/drift", MOVING},
               {"quaternion drift", "/constraint_drift/quaternion", MOVING},
               {"velocity drift", "/constraint_drift/velocity", MOVING},
               {"strain drift", "/constraint_drift/strain", MOVING},
               {"position drift", "/constraint_drift/position", MOVING},
               {"compatibility drift", "/constraint_drift/compatibility", MOVING},
               {"sawtooth", "/constraint_drift/sawtooth", MOVING},
               {"withy version", "/version", ANY}};
  int kind = run->analysis == WY_DYNAMICS ? MOVING : RESTING;
  char *path = join(folder, "summary.json"), *text = NULL;
  size_t size = 0;
  wy_status status = wy_file_read(path, &text, &size, message);
  struct fy_document *document = status == WY_OK && text ? parse(text) : NULL;
  struct fy_node *root = document ? fy_document_root(document) : NULL;
  if (root && fy_node_is_mapping(root)) {
    run->facts = wy_plot_allocate(sizeof facts / sizeof *facts, sizeof *run->facts);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
      if (facts[i].analyses & kind)
        add_fact(run, root, facts[i].name, facts[i].path);
  }
  fy_document_destroy(document);
  free(text);
  free(path);
  return status;
}

const char *wy_plot_find_fact(const wy_plot_run *run, const char *name) {
  for (int i = 0; i < run->fact_count; i++)
    if (strcmp(run->facts[i].name, name) == 0)
      return run->facts[i].value;
  return NULL;
}

/* The probes of a single state are a table, not curves. */
static void add_probe_facts(wy_plot_run *run) {
  int columns = 0;
  for (int i = 0; i < run->probe_count; i++)
    columns += run->probes[i].count;
  run->facts = insist(realloc(run->facts, (size_t)(run->fact_count + columns + 1) * sizeof *run->facts));
  for (int i = 0; i < run->probe_count; i++)
    for (int k = 0; k < run->probes[i].count; k++) {
      const wy_plot_probe *probe = &run->probes[i];
      char name[100], value[32];
      int length =
          snprintf(name, sizeof name, "%.80s%s%s", probe->name, probe->label[k][0] ? "." : "", probe->label[k]);
      int digits = snprintf(value, sizeof value, "%.7g", probe->values[k][run->rows - 1]);
      run->facts[run->fact_count++] =
          (wy_plot_fact){wy_plot_copy(name, (size_t)length), wy_plot_copy(value, (size_t)digits)};
    }
}

/* ---- the folder ---- */

wy_status wy_plot_read(const char *folder, wy_plot_run *run, wy_message *message) {
  struct stat status;
  memset(run, 0, sizeof *run);
  if (stat(folder, &status) != 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s: %s", folder, strerror(errno));
  if (!S_ISDIR(status.st_mode))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is not a folder; expected the folder that `withy run` wrote",
                           folder);
  char *copy = wy_plot_copy(folder, strlen(folder)), *name = basename(copy);
  run->title = wy_plot_copy(name, strlen(name));
  free(copy);
  wy_scenario *scenario = NULL;
  wy_status result = read_probes(folder, run, message);
  if (result == WY_OK)
    result = read_result(folder, run, &scenario, message);
  if (result == WY_OK && run->rows == 0 && run->frames == 0 && run->mode_count == 0)
    result = wy_results_fail(message, WY_ERROR_INPUT,
                             "%s holds no results: neither probes.csv nor result.h5 has any row", folder);
  if (result == WY_OK && scenario) {
    apply_scenario(run, scenario);
    result = read_steps(folder, run, scenario, message);
  }
  wy_scenario_destroy(scenario);
  if (result != WY_OK)
    return result;
  char *view = join(folder, "view.html");
  run->has_view = stat(view, &status) == 0;
  free(view);
  result = read_summary(folder, run, message);
  if (has_one_state(run) && run->rows > 0)
    add_probe_facts(run);
  return result;
}

static void free_along(wy_plot_along *along) {
  free(along->s);
  for (int c = 0; c < 3; c++)
    free(along->values[c]);
}

void wy_plot_free(wy_plot_run *run) {
  for (int i = 0; i < run->probe_count; i++) {
    free(run->probes[i].name);
    free(run->probes[i].quantity);
    for (int k = 0; k < 4; k++)
      free(run->probes[i].values[k]);
  }
  for (int i = 0; i < run->rod_count; i++) {
    free(run->rods[i].name);
    free(run->rods[i].position);
    free(run->rods[i].s);
    free_along(&run->rods[i].force);
    free_along(&run->rods[i].moment);
    wy_plot_free_maps(&run->rods[i]);
  }
  wy_plot_free_strands(run);
  for (int i = 0; i < run->mode_count; i++) {
    free(run->modes[i].rod);
    free(run->modes[i].rest);
    free(run->modes[i].shape);
    free(run->modes[i].other);
  }
  wy_plot_free_steps(run);
  for (int i = 0; i < run->fact_count; i++) {
    free(run->facts[i].name);
    free(run->facts[i].value);
  }
  for (int i = 0; i < WY_PLOT_ENERGIES; i++)
    free(run->energy[i]);
  free(run->title);
  free(run->scenario);
  free(run->settings);
  free(run->row_time);
  free(run->probes);
  free(run->frame_time);
  free(run->snapshot_time);
  free(run->rods);
  free(run->modes);
  free(run->facts);
  memset(run, 0, sizeof *run);
}
