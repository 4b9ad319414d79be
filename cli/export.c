/* withy export: a run for other programs, by draw/export/. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "withy/draw.h"

static const char help[] =
    "usage: withy export DIR --to glb|obj|csv|usda [-o FILE] [OPTION]...\n"
    "\n"
    "Writes a run for other programs. DIR is the folder of its results. The run may have failed, or it may have been\n"
    "interrupted: its snapshots so far are written.\n"
    "\n"
    "  glb    glTF 2.0: moving tubes for Blender, game engines and browsers; y up; strands as lines\n"
    "  obj    tubes, y up, one file for each snapshot: FILE.0000.obj, FILE.0001.obj, ...\n"
    "  csv    tables of the points: t,s,x,y,z,qw,qx,qy,qz,radius; one file for each rod: FILE.ROD.csv\n"
    "  usda   USD as text: moving curves with widths, for Houdini, Blender, usdview\n"
    "\n"
    "  -t, --to FORMAT     the format\n"
    "  -o, --output FILE   the file (default: DIR/result.FORMAT)\n"
    "      --as SHAPE      tubes or lines, in obj and usda (default: tubes in obj, lines in usda)\n"
    "      --rod NAME      only this rod, without strands\n"
    "      --at T          only the snapshot nearest to time T\n"
    "      --frames N      at most N snapshots, 2 or more (default: all)\n"
    "      --sides N       sides of round tubes, 3 to 256 (default: 16)\n"
    "      --up AXIS       the axis of the run that points up: x, y or z (default: against gravity)\n"
    "      --scale F       multiply all lengths by F (default: 1)\n"
    "      --speed F       speed of the motion, 0.1: ten times slower (default: 1)\n"
    "  -h, --help          print this text\n"
    "\n"
    "docs/guide/export.md describes the files.\n";

static void print_file(void *context, const char *path) {
  (void)context;
  puts(path);
}

static int export(const char *path, const wy_export_def *def) {
  wy_folder *folder = NULL;
  wy_message message = {.text = ""};
  wy_status status = wy_folder_open(path, &folder, &message);
  if (status == WY_OK)
    status = wy_export(folder, def, &message);
  if (status != WY_OK)
    fprintf(stderr, "withy export: %s\n", message.text);
  wy_folder_close(folder);
  return status == WY_OK ? WY_EXIT_DONE : status == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

/* ---- Options: each returns whether the text is what it should be ---- */

static bool read_number(const char *text, double *number) {
  char *end;
  *number = strtod(text, &end);
  return end != text && !*end && isfinite(*number);
}

static bool read_integer(const char *text, int least, int most, int *number) {
  double value;
  if (!read_number(text, &value) || value != floor(value) || value < least || value > most)
    return false;
  *number = (int)value;
  return true;
}

static bool read_format(const char *text, wy_export_format *format) {
  for (int i = 0; wy_export_format_name((wy_export_format)i); i++)
    if (strcmp(text, wy_export_format_name((wy_export_format)i)) == 0) {
      *format = (wy_export_format)i;
      return true;
    }
  return false;
}

static bool read_shape(const char *text, wy_export_shape *shape) {
  *shape = strcmp(text, "tubes") == 0   ? WY_EXPORT_TUBES
           : strcmp(text, "lines") == 0 ? WY_EXPORT_LINES
                                        : WY_EXPORT_USUAL;
  return *shape != WY_EXPORT_USUAL;
}

/* Takes the value of an option. Returns NULL, or what was expected. */
static const char *take(wy_export_def *def, int option, const char *text) {
  switch (option) {
  case 't':
    return read_format(text, &def->format) ? NULL : "glb, obj, csv or usda";
  case 'o':
    def->path = text;
    return *text ? NULL : "the name of a file";
  case 'A':
    return read_shape(text, &def->shape) ? NULL : "tubes or lines";
  case 'r':
    def->rod = text;
    return NULL;
  case 'T':
    return read_number(text, &def->at) ? NULL : "a time";
  case 'F':
    return read_integer(text, 2, INT_MAX, &def->snapshots) ? NULL : "a whole number of at least 2";
  case 'N':
    return read_integer(text, 3, 256, &def->sides) ? NULL : "a whole number from 3 to 256";
  case 'u':
    def->up = text[0];
    return text[0] && strchr("xyz", text[0]) && !text[1] ? NULL : "x, y or z";
  case 'c':
    return read_number(text, &def->scale) && def->scale > 0 ? NULL : "a positive number";
  default:
    return read_number(text, &def->speed) && def->speed > 0 ? NULL : "a positive number";
  }
}

int wy_cli_export(int argc, char **argv) {
  static const struct option options[] = {{"to", required_argument, NULL, 't'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"as", required_argument, NULL, 'A'},
                                          {"rod", required_argument, NULL, 'r'},
                                          {"at", required_argument, NULL, 'T'},
                                          {"frames", required_argument, NULL, 'F'},
                                          {"sides", required_argument, NULL, 'N'},
                                          {"up", required_argument, NULL, 'u'},
                                          {"scale", required_argument, NULL, 'c'},
                                          {"speed", required_argument, NULL, 'S'},
                                          {NULL, 0, NULL, 0}};
  wy_export_def def = wy_default_export_def();
  bool has_format = false;
  def.wrote = print_file;
  for (int option; (option = wy_cli_option(argc, argv, help, "t:o:", options)) != -1;) {
    if (option == WY_OPTION_HELP || option == WY_OPTION_WRONG)
      return option == WY_OPTION_HELP ? WY_EXIT_DONE : WY_EXIT_INPUT;
    const char *expected = take(&def, option, optarg);
    has_format = has_format || option == 't';
    for (int i = 0; expected && options[i].name; i++)
      if (options[i].val == option)
        return wy_cli_usage(help, "--%s is '%s'; expected %s", options[i].name, optarg, expected);
  }
  if (argc - optind != 1)
    return wy_cli_usage(help, argc == optind ? "no run is given; expected its folder"
                                             : "found several folders; expected one");
  if (!has_format)
    return wy_cli_usage(help, "no format is given; expected --to glb, obj, csv or usda");
  return export(argv[optind], &def);
}
