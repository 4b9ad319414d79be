/* SPDX-License-Identifier: MIT */
/* The schema of tables. */
#include "run/schema/schema.h"

static const wy_word variables[] = {{.name = "t", .meaning = "time", .value = WY_TIME},
                                    {.name = "s", .meaning = "arc length of the undeformed rod", .value = WY_ARC},
                                    {0}};

static const wy_word interpolations[] = {
    {.name = "cubic", .meaning = "cubic splines: twice continuously differentiable, of order 4"}, {0}};

static const wy_word outsides[] = {
    {.name = "refuse", .meaning = "nothing: a run that needs the table there is refused", .value = WY_OUTSIDE_REFUSE},
    {.name = "hold",
     .meaning = "the first or the last row; the table begins and ends at rest, without a jump of the acceleration",
     .value = WY_OUTSIDE_HOLD},
    {0}};

static const wy_key table_keys[] = {
    {.name = "file",
     .forms = WY_FORM_FILE,
     .fallback = "one of `file`, `rows`",
     .expected = "the name of a file with columns of numbers",
     .meaning = "A CSV file, relative to the scenario. Its first column is the argument."},
    {.name = "rows",
     .forms = WY_FORM_ROWS,
     .fallback = "one of `file`, `rows`",
     .expected = "a list of rows, each a list of numbers",
     .meaning = "The numbers themselves: a list of rows. The first number of a row is the argument."},
    {.name = "of",
     .forms = WY_FORM_WORD,
     .words = variables,
     .fallback = "`t`",
     .meaning = "What the first column is."},
    {.name = "columns",
     .forms = WY_FORM_NAMES,
     .fallback = "the names in the first line of the file",
     .expected = "a list of names, one for each column after the first",
     .meaning = "Names of the columns after the first. They replace those in the file."},
    {.name = "interpolation",
     .forms = WY_FORM_WORD,
     .words = interpolations,
     .fallback = "`cubic`",
     .meaning = "What is between the rows."},
    {.name = "outside",
     .forms = WY_FORM_WORD,
     .words = outsides,
     .fallback = "`refuse`",
     .meaning = "What is before the first row and after the last."},
    {0}};

static const wy_example table_examples[] = {
    {"{file: hand.csv, of: t, columns: [x, y, z], interpolation: cubic, outside: hold}", "used as hand.x"},
    {"{rows: [[0, 0], [0.5, 0.02], [1, 0]], columns: [x]}", "no file"},
    {0}};

const wy_mapping wy_schema_table = {.path = "tables.NAME",
                                    .what = "a table",
                                    .plural = "tables",
                                    .named = "hand",
                                    .summary =
                                        "Columns of numbers that become smooth functions: `hand.x` in expressions.",
                                    .more = "[Tables](tables.md)",
                                    .keys = table_keys,
                                    .examples = table_examples};
