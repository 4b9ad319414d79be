#include "io/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Edit distance with swaps of neighbours (optimal string alignment), upper and lower case alike. */
static int distance(const char *a, const char *b) {
  int rows[3][LONGEST + 2];
  int *before = rows[0], *last = rows[1], *now = rows[2];
  int m = (int)strlen(a), n = (int)strlen(b);
  for (int j = 0; j <= n; j++)
    last[j] = j;
  for (int i = 1; i <= m; i++) {
    now[0] = i;
    for (int j = 1; j <= n; j++) {
      int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (ca != cb));
      if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) && cb == tolower((unsigned char)a[i - 2]))
        now[j] = least(now[j], before[j - 2] + 1);
    }
    int *spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[n];
}

/* What others call it: meaning counts more than letters, since `fixed` is much like `pinned` and means clamped. */
static const char *translate(const char *word, const char *const *candidates, int count) {
  static const char *const names[][2] = {
      {"fixed", "clamped"}, {"fix", "clamped"},   {"encastre", "clamped"},     {"built-in", "clamped"},
      {"hinge", "pinned"},  {"hinged", "pinned"}, {"pin", "pinned"},           {"simply_supported", "pinned"},
      {"E", "young"},       {"modulus", "young"}, {"youngs_modulus", "young"}, {"G", "shear"},
      {"nu", "poisson"},    {"rho", "density"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int k = 0; strcmp(word, names[i][0]) == 0 && k < count; k++)
      if (strcmp(candidates[k], names[i][1]) == 0)
        return candidates[k];
  return NULL;
}

const char *wy_suggest(const char *word, const char *const *candidates, int count) {
  const char *best = translate(word, candidates, count);
  int best_distance = 0;
  size_t length = strlen(word);
  if (best || length > LONGEST)
    return best;
  for (int i = 0; i < count; i++) {
    size_t other = strlen(candidates[i]);
    if (other > LONGEST)
      continue;
    int d = distance(word, candidates[i]);
    int allowed = least(3, (int)(length > other ? length : other) / 3);
    bool extends = length >= 3 && strncmp(word, candidates[i], length) == 0;
    if (extends)
      d = 1;
    if (d <= allowed && d < (int)other && (!best || d < best_distance)) {
      best = candidates[i];
      best_distance = d;
    }
  }
  return best;
}
