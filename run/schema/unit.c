/* SPDX-License-Identifier: MIT */
#include "run/schema/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table ---- */

typedef struct named_unit {
  const char *name;
  bool prefixes; /* may have one: mm, GPa */
  wy_unit unit;
} named_unit;

#define UNIT(metre, kilogram, second, radian, number, divisor, exponent, pis)                                          \
  { {(metre), (kilogram), (second), (radian)}, (number), (divisor), (exponent), (pis) }
#define LENGTH(number, exponent) UNIT(1, 0, 0, 0, number, 1, exponent, 0)
#define TIME(number) UNIT(0, 0, 1, 0, number, 1, 0, 0)
#define ANGLE(number, divisor, pis) UNIT(0, 0, 0, 1, number, divisor, 0, pis)
#define FORCE(number) UNIT(1, 1, -2, 0, number, 1, 0, 0)
#define PRESSURE(number, exponent) UNIT(-1, 1, -2, 0, number, 1, exponent, 0)
#define DEGREE ANGLE(1, 180, 1)

/* No name is another one with a prefix: the whole name counts first, so that min is a minute. */
static const named_unit table[] = {
    {"m", true, LENGTH(1, 0)},
    {"in", false, LENGTH(254, -4)},
    {"ft", false, LENGTH(3048, -4)},
    {"g", true, UNIT(0, 1, 0, 0, 1, 1, -3, 0)},
    {"lb", false, UNIT(0, 1, 0, 0, 45359237, 1, -8, 0)},
    {"s", true, TIME(1)},
    {"min", false, TIME(60)},
    {"h", false, TIME(3600)},
    {"Hz", true, UNIT(0, 0, -1, 0, 1, 1, 0, 0)},
    {"rad", true, ANGLE(1, 1, 0)},
    {"deg", false, DEGREE},
    {"degree", false, DEGREE},
    {"degrees", false, DEGREE},
    {"\302\260", false, DEGREE}, /* the sign for degrees */
    {"rev", false, ANGLE(2, 1, 1)},
    {"rpm", false, UNIT(0, 0, -1, 1, 2, 60, 0, 1)},
    {"g0", false, UNIT(1, 0, -2, 0, 980665, 1, -5, 0)}, /* standard gravity */
    {"N", true, FORCE(1)},
    {"lbf", false, FORCE(4.4482216152605)},
    {"Nm", true, UNIT(2, 1, -2, 0, 1, 1, 0, 0)},
    {"Nmm", false, UNIT(2, 1, -2, 0, 1, 1, -3, 0)},
    {"J", true, UNIT(2, 1, -2, 0, 1, 1, 0, 0)},
    {"W", true, UNIT(2, 1, -3, 0, 1, 1, 0, 0)},
    {"Pa", true, PRESSURE(1, 0)},
    {"bar", true, PRESSURE(1, 5)},
    {"psi", false, PRESSURE(6894.757293168361, 0)},
    {"%", false, UNIT(0, 0, 0, 0, 1, 1, -2, 0)},
};

static const struct {
  const char *name;
  int ten;
} prefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"\302\265", -6}, {"\316\274", -6}, {"m", -3}, {"c", -2},
                {"d", -1},  {"h", 2},  {"k", 3},  {"M", 6},         {"G", 9},         {"T", 12}};

enum { NAMES = sizeof table / sizeof *table, PREFIXES = sizeof prefixes / sizeof *prefixes };

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool find_name(const char *text, size_t length, wy_unit *unit) {
  for (int i = 0; i < NAMES; i++)
    if (is_name(table[i].name, text, length)) {
      *unit = table[i].unit;
      return true;
    }
  for (int p = 0; p < PREFIXES; p++) {
    const size_t skip = strlen(prefixes[p].name);
    if (length <= skip || memcmp(prefixes[p].name, text, skip) != 0)
      continue;
    for (int i = 0; i < NAMES; i++)
      if (table[i].prefixes && is_name(table[i].name, text + skip, length - skip)) {
        *unit = table[i].unit;
        unit->ten += prefixes[p].ten;
        return true;
      }
  }
  return false;
}

/* ---- Reading ---- */

/* Far more than any key has. */
enum { MOST_FACTORS = 8, MOST_NESTING = 4, MOST_TEN = 200 };

typedef struct parser {
  const char *at;
  int nesting, factors;
  wy_unit_fault fault;
  char *name; /* that is unknown, or NULL */
} parser;

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *c) {
  return c + strspn(c, " \t\r\n");
}

static bool refuse(parser *p, wy_unit_fault fault) {
  p->fault = fault;
  return false;
}

/* Signs of more than one byte: the small digits, and the point for a product. */
static const char *const small_digits[] = {"\302\262", "\302\263", "\342\201\264"}; /* 2, 3, 4 */
static const char product_sign[] = "\302\267";

static int find_small_digit(const char *c) {
  for (int i = 0; i < 3; i++)
    if (strncmp(c, small_digits[i], strlen(small_digits[i])) == 0)
      return i;
  return -1;
}

/* Letters, and bytes of the signs for degrees and for a millionth; not those above. */
static size_t name_length(const char *c) {
  size_t length = 0;
  if (*c == '%')
    return 1;
  while (is_letter(c[length]) || ((unsigned char)c[length] >= 0x80 && find_small_digit(c + length) < 0 &&
                                  strncmp(c + length, product_sign, strlen(product_sign)) != 0))
    length++;
  return length;
}

static void raise(wy_unit *unit, int power) {
  const wy_unit base = *unit;
  *unit = (wy_unit){.over = 1, .under = 1, .ten = power * base.ten, .pi = power * base.pi};
  unit->dimension = (wy_dimension){power * base.dimension.length, power * base.dimension.mass,
                                   power * base.dimension.time, power * base.dimension.angle};
  for (int i = 0; i < (power < 0 ? -power : power); i++) {
    unit->over *= power < 0 ? base.under : base.over;
    unit->under *= power < 0 ? base.over : base.under;
  }
}

static void multiply(wy_unit *unit, const wy_unit *by) {
  unit->over *= by->over;
  unit->under *= by->under;
  unit->ten += by->ten;
  unit->pi += by->pi;
  unit->dimension.length += by->dimension.length;
  unit->dimension.mass += by->dimension.mass;
  unit->dimension.time += by->dimension.time;
  unit->dimension.angle += by->dimension.angle;
}

/* "^2", "2", "^-1", or the small digit; 1 where there is none. */
static bool read_power(parser *p, int *power) {
  const int small = find_small_digit(p->at);
  *power = 1;
  if (small >= 0) {
    *power = small + 2;
    p->at += strlen(small_digits[small]);
    return true;
  }
  const bool has_sign = *p->at == '^';
  const char *digits = has_sign ? skip_blanks(p->at + 1) : p->at;
  const bool negative = has_sign && *digits == '-';
  digits += negative;
  if (!is_digit(*digits))
    return has_sign ? refuse(p, WY_UNIT_MALFORMED) : true;
  *power = negative ? '0' - *digits : *digits - '0';
  p->at = digits + 1;
  return is_digit(*p->at) || *p->at == '.' || *power == 0 ? refuse(p, WY_UNIT_MALFORMED) : true;
}

static bool read_product(parser *p, wy_unit *unit);

static bool read_factor(parser *p, wy_unit *unit) {
  int power;
  if (++p->factors > MOST_FACTORS)
    return refuse(p, WY_UNIT_MALFORMED);
  if (*p->at == '(') {
    p->at++;
    if (++p->nesting > MOST_NESTING || !read_product(p, unit) || *p->at != ')')
      return refuse(p, p->fault ? p->fault : WY_UNIT_MALFORMED);
    p->nesting--;
    p->at++;
  } else {
    size_t length = name_length(p->at);
    if (strncmp(p->at, "g0", 2) == 0 && !is_digit(p->at[2]) && !is_letter(p->at[2]))
      length = 2; /* the one name with a digit */
    if (length == 0)
      return refuse(p, WY_UNIT_MALFORMED);
    if (!find_name(p->at, length, unit)) {
      if (p->name)
        snprintf(p->name, 24, "%.*s", length < 20 ? (int)length : 20, p->at);
      return refuse(p, WY_UNIT_UNKNOWN);
    }
    p->at += length;
  }
  if (!read_power(p, &power))
    return false;
  raise(unit, power);
  return true;
}

/* The sign between two factors: '*' for the point and for a blank, too; '\0' at the end. */
static char read_sign(parser *p) {
  const char *at = skip_blanks(p->at);
  const bool blank = at > p->at;
  p->at = at;
  if (*at == '\0' || *at == ')')
    return '\0';
  if (*at == '*' || *at == '/') {
    p->at = skip_blanks(at + 1);
    return *at;
  }
  if (strncmp(at, product_sign, strlen(product_sign)) == 0) {
    p->at = skip_blanks(at + strlen(product_sign));
    return '*';
  }
  return blank ? '*' : '?';
}

static bool read_product(parser *p, wy_unit *unit) {
  bool divided = false;
  char sign = '*';
  *unit = (wy_unit){.over = 1, .under = 1};
  p->at = skip_blanks(p->at);
  if (*p->at == '1') { /* of 1/s */
    p->at++;
    sign = read_sign(p);
    if (sign != '/')
      return refuse(p, WY_UNIT_MALFORMED);
  }
  for (; sign != '\0'; sign = read_sign(p)) {
    wy_unit factor;
    if (sign == '?' || !read_factor(p, &factor))
      return refuse(p, p->fault ? p->fault : WY_UNIT_MALFORMED);
    if (sign == '*' && divided)
      return refuse(p, WY_UNIT_AMBIGUOUS);
    divided = divided || sign == '/';
    if (sign == '/')
      raise(&factor, -1);
    multiply(unit, &factor);
  }
  return true;
}

/* Powers of powers may overflow. */
static bool is_usable(const wy_unit *unit) {
  return isfinite(unit->over) && isfinite(unit->under) && abs(unit->ten) <= MOST_TEN && abs(unit->pi) <= MOST_FACTORS;
}

wy_unit_fault wy_unit_read(const char *text, wy_unit *unit, char name[24]) {
  parser p = {.at = text, .name = name};
  if (name)
    name[0] = '\0';
  if (read_product(&p, unit) && (*p.at != '\0' || !is_usable(unit)))
    p.fault = WY_UNIT_MALFORMED;
  return p.fault;
}

/* ---- Where a unit begins ---- */

/* Digits with a point and an exponent, as expressions have them. */
static const char *skip_number(const char *c) {
  while (is_digit(*c))
    c++;
  if (*c == '.')
    c++;
  while (is_digit(*c))
    c++;
  if (*c == 'e' || *c == 'E') {
    const char *digits = c + 1 + (c[1] == '+' || c[1] == '-');
    for (c = is_digit(*digits) ? digits : c; is_digit(*c);)
      c++;
  }
  return c;
}

/* With points within it: the column of a table is a name, too. */
static const char *skip_name(const char *c) {
  while (is_letter(*c) || is_digit(*c) || (*c == '.' && is_letter(c[1])))
    c++;
  return c;
}

size_t wy_unit_begin(const char *text, bool *inside) {
  const char *c = text;
  bool behind = false; /* an operand */
  int depth = 0;
  for (c = skip_blanks(c); *c; c = skip_blanks(c)) {
    const bool number = is_digit(*c) || (*c == '.' && is_digit(c[1])), name = is_letter(*c);
    const bool sign = *c == '%' || (unsigned char)*c >= 0x80;
    if (behind && (number || name || sign || *c == '('))
      break;
    depth += (*c == '(') - (*c == ')');
    behind = number || name || *c == ')';
    c = number ? skip_number(c) : name ? skip_name(c) : c + 1;
    if (name && *skip_blanks(c) == '(')
      behind = false; /* the arguments of a function */
  }
  *inside = depth > 0;
  return (size_t)(c - text);
}

/* ---- Values in SI ---- */

/* Digits alone: -1.5e3. Its exponent is found at `*exponent`, behind the `*digits` characters before it. */
static bool is_plain(const char *text, size_t length, int *digits, long *exponent) {
  const char *c = text + strspn(text, "+- "), *start = c;
  if (!is_digit(*c) && *c != '.')
    return false;
  *exponent = 0;
  c = skip_number(c);
  if (c != text + length)
    return false;
  *digits = (int)length;
  for (const char *e = start; e < c; e++)
    if (*e == 'e' || *e == 'E') {
      *digits = (int)(e - text);
      return sscanf(e + 1, "%6ld", exponent) == 1;
    }
  return true;
}

static double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; i++)
    power *= 10;
  return power;
}

static void add_factor(char *out, size_t size, char sign, double factor, int pis) {
  size_t used = strlen(out);
  if (factor != 1)
    used += (size_t)snprintf(out + used, size - used, "%c%.17g", sign, factor);
  for (int i = 0; i < pis && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%cpi", sign);
}

bool wy_unit_apply(const wy_unit *unit, const char *text, size_t length, char *out, size_t size) {
  int digits;
  long exponent;
  while (length > 0 && strchr(" \t\r\n", text[length - 1]))
    length--;
  if (length + 200 > size)
    return false;
  /* A number and a power of ten are written as one number, which is rounded once. */
  if (unit->over == 1 && unit->under == 1 && unit->pi == 0 && is_plain(text, length, &digits, &exponent)) {
    snprintf(out, size, "%.*se%ld", digits, text, exponent + unit->ten);
    return true;
  }
  snprintf(out, size, "(%.*s)", (int)length, text);
  add_factor(out, size, '*', unit->over * power_of_ten(unit->ten), unit->pi);
  add_factor(out, size, '/', unit->under * power_of_ten(-unit->ten), -unit->pi);
  return true;
}

/* ---- Dimensions ---- */

static const wy_unit_kind kinds[] = {
    {"", "a number without a unit", "%"},
    {"m", "a length", "m, mm, cm or in"},
    {"m^2", "an area", "m^2 or mm^2"},
    {"m^4", "a second moment of area", "m^4 or mm^4"},
    {"1/m", "a curvature", "1/m, 1/mm or deg/m"},
    {"s", "a time", "s, ms or min"},
    {"1/s", "a rate", "1/s or Hz"},
    {"m/s", "a velocity", "m/s, mm/s or km/h"},
    {"m/s^2", "an acceleration", "m/s^2 or g0"},
    {"rad", "an angle", "rad or deg"},
    {"rad/s", "an angular velocity", "rad/s, deg/s or rpm"},
    {"kg", "a mass", "kg or g"},
    {"kg/m", "a mass per length", "kg/m or g/m"},
    {"kg m^2", "a moment of inertia", "kg m^2 or g mm^2"},
    {"kg m", "a rotary inertia per length", "kg m or g mm"},
    {"kg/m^3", "a density", "kg/m^3 or g/cm^3"},
    {"Pa", "a modulus or a pressure", "Pa, MPa, GPa or N/mm^2"},
    {"N", "a force", "N, mN or kN"},
    {"N/m", "a force per length", "N/m, N/mm or kN/m"},
    {"N m", "a moment", "N m or N mm"},
    {"N m^2", "a stiffness against bending", "N m^2 or N mm^2"},
    {"N m/rad", "a stiffness against rotation", "N m/rad or N m"},
    {"N m s/rad", "a damping of rotation", "N m s/rad or N m s"},
    {"N s/m", "a damping of a spring", "N s/m"},
    {"N s", "a damping of stretching", "N s"},
    {"N m^2 s", "a damping of bending", "N m^2 s"},
};

static bool is_same(const wy_dimension *a, const wy_dimension *b) {
  return a->length == b->length && a->mass == b->mass && a->time == b->time && a->angle == b->angle;
}

static bool is_curvature(const wy_dimension *of) {
  return of->length == -1 && of->mass == 0 && of->time == 0 && (of->angle == 0 || of->angle == 1);
}

/* What is per angle may be written without the angle. */
static bool is_same_per_angle(const wy_dimension *found, const wy_dimension *wanted) {
  wy_dimension per_angle = *found;
  per_angle.angle = -1;
  return found->angle == 0 && is_same(&per_angle, wanted);
}

bool wy_unit_fits(const wy_unit *found, const wy_unit *wanted) {
  return is_same(&found->dimension, &wanted->dimension) || is_same_per_angle(&found->dimension, &wanted->dimension) ||
         (is_curvature(&found->dimension) && is_curvature(&wanted->dimension));
}

const wy_unit_kind *wy_unit_kind_of(const wy_dimension *dimension) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    wy_unit unit = {.over = 1};
    if (kinds[i].unit[0])
      wy_unit_read(kinds[i].unit, &unit, NULL);
    if (is_same(&unit.dimension, dimension))
      return &kinds[i];
  }
  return is_curvature(dimension) ? wy_unit_kind_of(&(wy_dimension){.length = -1}) : NULL;
}

void wy_unit_write(const wy_dimension *dimension, char *out, size_t size) {
  static const char *const names[] = {"kg", "m", "s", "rad"};
  const int powers[] = {dimension->mass, dimension->length, dimension->time, dimension->angle};
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < 4 && used < size; i++)
    if (powers[i] == 1)
      used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", names[i]);
    else if (powers[i] != 0)
      used += (size_t)snprintf(out + used, size - used, "%s%s^%d", used ? " " : "", names[i], powers[i]);
}
