/* SPDX-License-Identifier: MIT */
/* withy export: a run for other programs, by draw/export/. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "withy/draw.h"

static int enter(int argc, char **argv);

static const char *format_name(int number) {
  return wy_export_format_name((wy_export_format)number);
}

enum { AS = WY_LONG_ONLY, ROD, AT, FRAMES, SIDES, UP, SCALE, SPEED };

const wy_verb wy_verb_export = {
    .name = "export",
    .summary = "write a run for other programs: glb, obj, csv or usda",
    .operands = {{.name = "DIR", .kind = WY_ARGUMENT_FOLDER}},
    .text =
        "Writes a run for other programs. DIR is the folder of its results. The run may have failed, or it may have "
        "been interrupted: its snapshots so far are written.\n"
        "\n"
        "The formats:\n"
        "- glb: glTF 2.0: moving tubes for Blender, game engines and browsers; y up; strands as lines\n"
        "- obj: tubes, y up, one file for each snapshot: FILE.0000.obj, FILE.0001.obj, ...\n"
        "- csv: tables of the points: t,s,x,y,z,qw,qx,qy,qz,radius; one file for each rod: FILE.ROD.csv\n"
        "- usda: USD as text: moving curves with widths, for Houdini, Blender, usdview\n",
    .options =
        {{.code = 't',
          .name = "to",
          .argument = {.name = "FORMAT", .word = format_name},
          .required = true,
          .text = "the format: glb, obj, csv or usda"},
         {.code = 'o',
          .name = "output",
          .argument = {.name = "FILE", .kind = WY_ARGUMENT_FILE},
          .text = "the file (default: DIR/result.FORMAT)"},
         {.code = AS,
          .name = "as",
          .argument = {.name = "SHAPE", .words = "tubes lines"},
          .text = "tubes or lines, in obj and usda (default: tubes in obj, lines in usda)"},
         {.code = ROD, .name = "rod", .argument = {.name = "NAME"}, .text = "only this rod, without strands"},
         {.code = AT, .name = "at", .argument = {.name = "T"}, .text = "only the snapshot nearest to time T"},
         {.code = FRAMES,
          .name = "frames",
          .argument = {.name = "N"},
          .text = "at most N snapshots, 2 or more (default: all)"},
         {.code = SIDES,
          .name = "sides",
          .argument = {.name = "N"},
          .text = "sides of round tubes, 3 to 256 (default: 16)"},
         {.code = UP,
          .name = "up",
          .argument = {.name = "AXIS", .words = "x y z"},
          .text = "the axis of the run that points up: x, y or z (default: against gravity)"},
         {.code = SCALE, .name = "scale", .argument = {.name = "F"}, .text = "multiply all lengths by F (default: 1)"},
         {.code = SPEED,
          .name = "speed",
          .argument = {.name = "F"},
          .text = "speed of the motion, 0.1: ten times slower (default: 1)"}},
    .exits = {"the files are written", "a file cannot be written",
              "DIR contains no run, a file in it is damaged, or an option is wrong"},
    .notes = "docs/guide/export.md describes the files.\n",
    .run = enter,
};

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
  case AS:
    return read_shape(text, &def->shape) ? NULL : "tubes or lines";
  case ROD:
    def->rod = text;
    return NULL;
  case AT:
    return read_number(text, &def->at) ? NULL : "a time";
  case FRAMES:
    return read_integer(text, 2, INT_MAX, &def->snapshots) ? NULL : "a whole number of at least 2";
  case SIDES:
    return read_integer(text, 3, 256, &def->sides) ? NULL : "a whole number from 3 to 256";
  case UP:
    def->up = text[0];
    return text[0] && strchr("xyz", text[0]) && !text[1] ? NULL : "x, y or z";
  case SCALE:
    return read_number(text, &def->scale) && def->scale > 0 ? NULL : "a positive number";
  default:
    return read_number(text, &def->speed) && def->speed > 0 ? NULL : "a positive number";
  }
}

static int enter(int argc, char **argv) {
  wy_export_def def = wy_default_export_def();
  bool has_format = false;
  def.wrote = print_file;
  for (int option; (option = wy_verb_option(argc, argv, &wy_verb_export)) != -1;) {
    if (option == WY_OPTION_HELP || option == WY_OPTION_WRONG)
      return option == WY_OPTION_HELP ? WY_EXIT_DONE : WY_EXIT_INPUT;
    const char *expected = take(&def, option, optarg);
    has_format = has_format || option == 't';
    for (const wy_option *o = wy_verb_export.options; expected && o->name; o++)
      if (o->code == option)
        return wy_verb_usage(&wy_verb_export, "--%s is '%s'; expected %s", o->name, optarg, expected);
  }
  if (argc - optind != 1)
    return wy_verb_usage(&wy_verb_export, argc == optind ? "no run is given; expected its folder"
                                                         : "found several folders; expected one");
  if (!has_format)
    return wy_verb_usage(&wy_verb_export, "no format is given; expected --to glb, obj, csv or usda");
  return export(argv[optind], &def);
}
