/* SPDX-License-Identifier: MIT */
/* Products of small matrices, row by row: those of hubs and of the ends of rods. */
#ifndef WY_LINALG_PRODUCT_H
#define WY_LINALG_PRODUCT_H

/* c = a b: a has `rows` rows of `inner` entries, b has `inner` rows of `columns`, at most 16. */
void wy_product(int rows, int inner, int columns, const double *a, const double *b, double *c);

#endif
