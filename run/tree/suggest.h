/* SPDX-License-Identifier: MIT */
/* "Did you mean ...?": the known word closest to a mistyped one. */
#ifndef WY_RUN_TREE_SUGGEST_H
#define WY_RUN_TREE_SUGGEST_H

/* The candidate that `word` is another name of, or else the closest one by edit distance (a swap of neighbours counts
   one) if it is close enough to be meant, or NULL. */
const char *wy_suggest(const char *word, const char *const *candidates, int count);
/* What to add where the suggested word takes another value: "half of it" for a radius instead of a diameter; else "".
 */
const char *wy_suggest_remark(const char *word, const char *suggestion);

#endif
