#include "run/scenario/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"

/* ---- A number with a unit ---- */

static const struct unit {
  const char *name;
  double factor;
  const char *plain; /* what it is a multiple of */
} units[] = {
    {"m", 1, "m"},
    {"mm", 1e-3, "m"},
    {"cm", 1e-2, "m"},
    {"dm", 0.1, "m"},
    {"km", 1e3, "m"},
    {"um", 1e-6, "m"},
    {"\302\265m", 1e-6, "m"},
    {"\316\274m", 1e-6, "m"},
    {"in", 0.0254, "m"},
    {"ft", 0.3048, "m"},
    {"mm^2", 1e-6, "m^2"},
    {"cm^2", 1e-4, "m^2"},
    {"m^2", 1, "m^2"},
    {"mm^4", 1e-12, "m^4"},
    {"cm^4", 1e-8, "m^4"},
    {"m^4", 1, "m^4"},
    {"1/m", 1, "1/m"},
    {"1/mm", 1e3, "1/m"},
    {"s", 1, "s"},
    {"ms", 1e-3, "s"},
    {"us", 1e-6, "s"},
    {"min", 60, "s"},
    {"h", 3600, "s"},
    {"1/s", 1, "1/s"},
    {"Hz", 1, "1/s"},
    {"m/s", 1, "m/s"},
    {"mm/s", 1e-3, "m/s"},
    {"km/h", 1 / 3.6, "m/s"},
    {"m/s^2", 1, "m/s^2"},
    {"m/s2", 1, "m/s^2"},
    {"g", 9.81, "m/s^2"},
    {"Pa", 1, "Pa"},
    {"kPa", 1e3, "Pa"},
    {"MPa", 1e6, "Pa"},
    {"GPa", 1e9, "Pa"},
    {"N/mm^2", 1e6, "Pa"},
    {"N/m^2", 1, "Pa"},
    {"bar", 1e5, "Pa"},
    {"psi", 6894.757, "Pa"},
    {"N", 1, "N"},
    {"mN", 1e-3, "N"},
    {"kN", 1e3, "N"},
    {"N m^2", 1, "N m^2"},
    {"N*m^2", 1, "N m^2"},
    {"Nm^2", 1, "N m^2"},
    {"N mm^2", 1e-6, "N m^2"},
    {"N m", 1, "N m"},
    {"Nm", 1, "N m"},
    {"N*m", 1, "N m"},
    {"Nmm", 1e-3, "N m"},
    {"N mm", 1e-3, "N m"},
    {"kg/m^3", 1, "kg/m^3"},
    {"kg/m3", 1, "kg/m^3"},
    {"g/cm^3", 1e3, "kg/m^3"},
    {"g/cm3", 1e3, "kg/m^3"},
    {"kg/m", 1, "kg/m"},
    {"g/m", 1e-3, "kg/m"},
    {"rad", 1, "rad"},
    {"rad/s", 1, "rad/s"},
    {"%", 0.01, ""},
    {"deg", 0, "rad"},
    {"degree", 0, "rad"},
    {"degrees", 0, "rad"},
    {"\302\260", 0, "rad"},
    {"deg/s", 0, "rad/s"},
    {"degrees/s", 0, "rad/s"},
    {"\302\260/s", 0, "rad/s"},
};

static const struct unit *find_unit(const char *name, const char *wanted) {
  const struct unit *found = NULL;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(units[i].name, name) == 0 && (!found || (wanted && strcmp(units[i].plain, wanted) == 0)))
      found = &units[i];
  return found;
}

bool wy_units_expected(const char *text, const char *unit, char *out, size_t size) {
  char name[16], *rest;
  const char *digits = text + strspn(text, " +-");
  if (!*digits || !strchr("0123456789.", *digits))
    return false;
  const double value = strtod(text, &rest);
  const size_t number = (size_t)(rest - text);
  rest += strspn(rest, " ");
  rest += *rest == '*';
  rest += strspn(rest, " ");
  size_t length = strlen(rest);
  while (length > 0 && rest[length - 1] == ' ')
    length--;
  if (number == 0 || length >= sizeof name)
    return false;
  snprintf(name, sizeof name, "%.*s", (int)length, rest);
  const struct unit *found = length > 0 ? find_unit(name, unit) : NULL;
  if (!found)
    return false;
  const bool fits = !unit || strcmp(found->plain, unit) == 0;
  int used = snprintf(out, size, "a plain number in %s", unit ? unit : "SI units");
  if (fits && found->factor > 0)
    snprintf(out + used, size - (size_t)used, ": %.10g", value * found->factor);
  else if (fits)
    snprintf(out + used, size - (size_t)used, ": %.*s*pi/180", (int)number, text);
  return true;
}

/* ---- Millimetres and degrees ---- */

static double at(const wy_signal *signal, wy_variable wrt, double s, double t) {
  double jet[3] = {signal->value, 0, 0};
  if (signal->evaluate)
    signal->evaluate(signal->context, wrt, s, t, jet);
  return jet[0];
}

/* The largest size along the rod. */
static double largest(const wy_signal *size, double length) {
  double most = 0;
  for (int k = 0; k <= 20; k++)
    most = fmax(most, at(size, WY_ARC, length * k / 20, 0));
  return most;
}

/* The sizes of a section that are given as lengths: half of each is compared with the rod, of a radius all. */
typedef struct size {
  const char *key;
  double value, radius;
} size;

static int section_sizes(const wy_rod_def *rod, double length, size out[2]) {
  const wy_section *section = &rod->section;
  const double radius = largest(&section->radius, length), outer = largest(&section->outer, length);
  const double width = largest(&section->width, length), height = largest(&section->height, length);
  switch (section->shape) {
  case WY_CIRCLE:
    out[0] = (size){"radius", radius, radius};
    return 1;
  case WY_ANNULUS:
    out[0] = (size){"outer", outer, outer};
    return 1;
  case WY_RECTANGLE:
    out[0] = (size){"width", width, width / 2};
    out[1] = (size){"height", height, height / 2};
    return 2;
  default:
    return 0;
  }
}

/* A rod is much longer than thick, and nothing that bends is solid and meters thick. */
static void find_sizes(const wy_rod_def *rod, wy_scenario_findings *out) {
  const double length = wy_rod_length(rod);
  size sizes[2];
  const int count = rod->has_stiffness && rod->has_inertia ? 0 : section_sizes(rod, length, sizes);
  bool solid = rod->section.shape == WY_CIRCLE || rod->section.shape == WY_RECTANGLE;
  for (int i = 0; i < count; i++)
    solid = solid && sizes[i].radius >= 1;
  for (int i = 0; i < count; i++) {
    const bool wide = 2 * sizes[i].radius > length;
    char path[96], remedy[200];
    snprintf(path, sizeof path, "rods.%s.section.%s", rod->name, sizes[i].key);
    if (wide) {
      snprintf(remedy, sizeof remedy, "if millimetres are meant, write %g (numbers are plain SI)",
               sizes[i].value * 1e-3);
      wy_add_finding(out, "millimetres", path, remedy, "%g m is thicker than the rod is long (%g m)", sizes[i].value,
                     length);
    } else if (solid) {
      snprintf(remedy, sizeof remedy,
               "if millimetres are meant, write %g, and the length %g m as %g (numbers are plain SI)",
               sizes[i].value * 1e-3, length, length * 1e-3);
      wy_add_finding(out, "millimetres", path, remedy, "%g m of solid material", sizes[i].value);
    }
  }
}

/* Degrees come in steps of 15 and up to two turns; an angle of so many radians is more than two turns. */
static void find_angle(const char *rod, const char *key, double angle, wy_scenario_findings *out) {
  const double step = 15, nearest = step * round(angle / step);
  if (!(nearest >= step && nearest <= 720 && fabs(angle - nearest) <= 1e-4 * nearest))
    return;
  char path[96];
  snprintf(path, sizeof path, "rods.%s.%s", rod, key);
  wy_add_finding(out, "degrees", path, "if degrees are meant, multiply by pi/180 (angles are in radians)",
                 "reaches %g rad, which are %.3g turns", nearest, nearest / 6.28318530717958648);
}

/* Angles of driven ends over the run, and of an initial twist along the rod. */
static void find_angles(const wy_scenario *scenario, const wy_rod_def *rod, wy_scenario_findings *out) {
  static const char *const keys[2] = {"ends.start.rotation.angle", "ends.end.rotation.angle"};
  enum { TIMES = 1000 };
  for (int e = 0; e < 2; e++) {
    double most = 0;
    for (int k = 0; k <= TIMES && rod->ends[e].rotation == WY_DRIVEN; k++)
      most = fmax(most, fabs(at(&rod->ends[e].angle, WY_TIME, 0, scenario->end * k / TIMES)));
    find_angle(rod->name, keys[e], most, out);
  }
  double twist = 0;
  for (int k = 0; k <= 20; k++)
    twist = fmax(twist, fabs(at(&rod->initial.twist, WY_ARC, wy_rod_length(rod) * k / 20, 0)));
  find_angle(rod->name, "initial.twist", twist, out);
}

void wy_find_units(const wy_scenario *scenario, wy_scenario_findings *to) {
  for (int i = 0; i < scenario->model.rod_count; i++) {
    find_sizes(&scenario->model.rods[i], to);
    find_angles(scenario, &scenario->model.rods[i], to);
  }
}
