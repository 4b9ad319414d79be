/* SPDX-License-Identifier: MIT */
/* The reader of numbers in columns takes any bytes: it refuses them in one line of text, or gives finite numbers that,
   written down again, it reads as the same. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/tree/csv.h"

static void check_again(wy_pool *pool, const wy_csv *csv) {
  wy_yaml_error error;
  const size_t count = (size_t)csv->rows * (size_t)csv->columns;
  char *text = malloc(count * 32);
  size_t used = 0;
  if (!text)
    return;
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, 32, "%.17g%c", csv->values[i], (i + 1) % (size_t)csv->columns ? ',' : '\n');
  const wy_csv *again = wy_csv_read(pool, text, used, &error);
  if (!again || again->rows != csv->rows || again->columns != csv->columns)
    abort();
  for (size_t i = 0; i < count; i++)
    if (!isfinite(csv->values[i]) || again->values[i] != csv->values[i])
      abort();
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wy_pool pool = {0};
  wy_yaml_error error = {.text = ""};
  const wy_csv *csv = wy_csv_read(&pool, (const char *)data, size, &error);
  if (csv)
    check_again(&pool, csv);
  else if (!error.text[0] || strchr(error.text, '\n') || error.line < 0)
    abort();
  wy_pool_release(&pool);
  return 0;
}
