/* SPDX-License-Identifier: MIT */
#include "run/scenario/units.h"

#include <stdio.h>
#include <string.h>

#include "run/schema/unit.h"
#include "run/tree/suggest.h"

/* Expressions are shorter; with a factor behind them. */
enum { MOST_TEXT = 4096 + 256 };

/* Of a number in the rows of a table: any will do, but the first column has that of time or arc length. */
static const char *unit_in_table(const wy_node *cell) {
  const wy_node *of = wy_yaml_find(cell->parent->parent->parent, "of");
  const bool arc = of && of->kind == WY_SCALAR && strcmp(of->text, "s") == 0;
  return cell->index > 0 ? NULL : arc ? "m" : "s";
}

/* The unit that the key has at this place: "" if it has none, NULL if any will do: for names of the file's own,
   and in tables. */
static const char *unit_of(const wy_node *node) {
  bool entry;
  const wy_key *key = wy_read_key(node, &entry);
  const wy_node *mapping = entry ? node->parent->parent : node->parent;
  if (key->forms & WY_FORM_NAMED)
    return NULL;
  if ((key->forms & WY_FORM_ROWS) && !key->unit)
    return unit_in_table(node);
  if ((key->forms & WY_FORM_WHOLE) && !entry)
    return ""; /* a count */
  const char *unit = key->beside.key && wy_yaml_find(mapping, key->beside.key) ? key->beside.unit : key->unit;
  return unit ? unit : "";
}

/* The unit of the schema. */
static wy_unit read_wanted(const char *unit) {
  wy_unit wanted = {.over = 1, .under = 1};
  if (unit[0])
    wy_unit_read(unit, &wanted, NULL);
  return wanted;
}

/* "a length, in m, mm, cm or in". */
static void describe_wanted(const char *unit, char *out, size_t size) {
  const wy_unit wanted = read_wanted(unit);
  const wy_unit_kind *kind = wy_unit_kind_of(&wanted.dimension);
  if (!unit[0])
    snprintf(out, size, "a number without a unit, or in %%");
  else if (kind)
    snprintf(out, size, "%s, in %s; a number without a unit is in %s", kind->name, kind->examples, unit);
  else
    snprintf(out, size, "a number in %s", unit);
}

/* "a force", or "in kg m^3". */
static void describe_found(const wy_unit *found, char *out, size_t size) {
  const wy_unit_kind *kind = wy_unit_kind_of(&found->dimension);
  char dimension[64];
  wy_unit_write(&found->dimension, dimension, sizeof dimension);
  if (kind)
    snprintf(out, size, "%s", kind->name);
  else
    snprintf(out, size, "a number in %s", dimension);
}

/* The unit that is often written there and looks like the name, or NULL. */
static const char *suggest_unit(const char *name) {
  static const char *const names[] = {"m",  "mm",  "cm",  "um",  "s",  "ms", "min", "N",   "mN",  "kN",
                                      "Pa", "kPa", "MPa", "GPa", "kg", "g",  "deg", "rad", "rpm", "Hz"};
  return wy_suggest(name, names, sizeof names / sizeof *names);
}

static void refuse_unknown(wy_reader *r, const wy_node *node, const char *name, const char *unit) {
  char found[128], expected[256];
  const char *close = suggest_unit(name);
  wy_yaml_describe(node, found, sizeof found);
  if (unit)
    describe_wanted(unit, expected, sizeof expected);
  else
    snprintf(expected, sizeof expected, "a unit such as mm, N or GPa");
  wy_read_fail(r, node, "found %s, where '%s' is no unit; %s%s%sexpected %s; to multiply, write '*'", found, name,
               close ? "did you mean '" : "", close ? close : "", close ? "'? " : "", expected);
}

/* Does the text begin with a unit? */
static bool begins_with_unit(const char *text) {
  char word[24];
  wy_unit unit;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t*/^()+-<>=!?:,"), text);
  return wy_unit_read(word, &unit, NULL) == WY_UNIT_GOOD;
}

/* Says what is wrong, if it is the unit; else the compiler of expressions will. */
static void refuse(wy_reader *r, const wy_node *node, wy_unit_fault fault, const char *name, const char *text,
                   bool inside) {
  char found[128];
  wy_yaml_describe(node, found, sizeof found);
  if (fault == WY_UNIT_UNKNOWN && !inside)
    refuse_unknown(r, node, name, unit_of(node));
  else if (fault == WY_UNIT_AMBIGUOUS && !inside)
    wy_read_fail(r, node, "found %s, a product behind a quotient; expected parentheses, such as N/(m s), or N s/m",
                 found);
  else if (begins_with_unit(text))
    wy_read_fail(r, node,
                 "found %s, with a unit inside of the expression; expected it once, after the whole expression, such "
                 "as (2 + 3) mm",
                 found);
}

static void refuse_dimension(wy_reader *r, const wy_node *node, const wy_unit *unit, const char *wanted) {
  char found[128], what[96], expected[256];
  wy_yaml_describe(node, found, sizeof found);
  describe_found(unit, what, sizeof what);
  describe_wanted(wanted, expected, sizeof expected);
  wy_read_fail(r, node, "found %s, %s; expected %s", found, what, expected);
}

const char *wy_units_text(wy_reader *r, const wy_node *node, const char **bare) {
  bool inside;
  const size_t length = wy_unit_begin(node->text, &inside);
  const char *unit = node->text + length;
  wy_unit found;
  char name[24], converted[MOST_TEXT];
  *bare = node->text;
  if (!*unit)
    return node->text;
  const wy_unit_fault fault = wy_unit_read(unit, &found, name);
  if (fault || inside) {
    refuse(r, node, fault, name, unit, inside);
    return r->failed ? NULL : node->text;
  }
  const char *wanted = unit_of(node);
  const wy_unit of_key = read_wanted(wanted ? wanted : "");
  if (wanted && !wy_unit_fits(&found, &of_key)) {
    refuse_dimension(r, node, &found, wanted);
    return NULL;
  }
  *bare = wy_read_copy(r, node->text, length);
  if (!wy_unit_apply(&found, node->text, length, converted, sizeof converted))
    return *bare; /* too long for an expression, too */
  return wy_read_copy(r, converted, strlen(converted));
}

bool wy_units_multiplied(const char *text, int column, char *out, size_t size) {
  const char *sign = strrchr(text, '*');
  wy_unit unit;
  if (!sign || column <= sign - text)
    return false;
  const char *name = sign + 1 + strspn(sign + 1, " ");
  if (wy_unit_read(name, &unit, NULL) != WY_UNIT_GOOD)
    return false;
  snprintf(out, size, "%.*s %s: a unit stands behind the expression, without *", (int)(sign - text), text, name);
  return true;
}
