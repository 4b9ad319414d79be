/* The observed order of convergence of three values on grids of any ratio. */
#ifndef WY_DRAW_SWEEP_ORDER_H
#define WY_DRAW_SWEEP_ORDER_H

/* The p for which `value` is limit + c width^p at three widths, which descend: from (v0 - v1) / (v1 - v2) =
   (h0^p - h1^p) / (h1^p - h2^p), a ratio that grows with p. NAN where there is none above 0: the differences do not
   become smaller, change their sign, or vanish. At most 32. */
double wy_observed_order(const double width[3], const double value[3]);

#endif
