/* SPDX-License-Identifier: MIT */
/* Compiling a hot function for several instruction sets in one portable binary. */
#ifndef WY_BASE_TARGET_H
#define WY_BASE_TARGET_H

#if defined(__linux__)
#include <features.h> /* defines __GLIBC__, whose loader picks the clone */
#endif

/* Put WY_CLONES before the definition of a function: gcc compiles it once for AVX-512, once for
   AVX2 with FMA and once for the oldest processor, and the loader chooses. Only what is inlined is cloned with it, so
   its helpers must be WY_INLINE. The AVX-512 clone uses 512-bit registers as it is; gcc 12 needs no further option for
   that. Only loops that the compiler vectorises gain. Vectors declared with vector_size are split for the oldest
   processor before the clones are made; code that uses them needs "#pragma GCC target" in a file of its own, as in
   linalg/band_v3.c. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(WY_NO_CLONES)
#define WY_HAVE_CLONES 1
#define WY_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WY_HAVE_CLONES 0
#define WY_CLONES
#endif

/* Of a table NAME that such files have, as NAME_base, NAME_v3 and NAME_v4: the one for this processor. */
#if WY_HAVE_CLONES
#define WY_KERNELS(name)                                                                                               \
  (__builtin_cpu_supports("x86-64-v4") ? &name##_v4 : __builtin_cpu_supports("x86-64-v3") ? &name##_v3 : &name##_base)
#else
#define WY_KERNELS(name) (&name##_base)
#endif

#if defined(__GNUC__)
#define WY_INLINE static inline __attribute__((always_inline))
#else
#define WY_INLINE static inline
#endif

#endif
