/* The benchmarks behind `withy bench`: each fills rows of figures; printing is the command's business. */
#ifndef WY_BENCH_BENCH_H
#define WY_BENCH_BENCH_H

/* Nanoseconds per segment of the null-space rod's kernels for one number of segments, and of a vectorised loop of
   multiply-adds that does as many floating-point operations as the right-hand side (and of 600, a round number to
   compare machines with). */
typedef struct wy_kernel_figures {
  int segments;
  double rhs, jacobian, factor, solve, factor_complex, solve_complex;
  double floor_rhs, floor_600;
} wy_kernel_figures;

/* Floating-point operations of one damped right-hand side per segment, counted by hand from the loops in kernels.c. */
enum { WY_RHS_FLOPS = 322 };

/* 0, or a negative status where the rod could not be made. */
int wy_bench_kernels(int segments, wy_kernel_figures *figures);

#endif
