/* SPDX-License-Identifier: MIT */
/* Counts calls that allocate, for tests that nothing is allocated; to be included by one file of a test. Not under a
   sanitizer, which brings its own allocator: COUNTS_ALLOCATIONS is undefined there. */
#ifndef WY_TESTS_SUPPORT_ALLOCATIONS_H
#define WY_TESTS_SUPPORT_ALLOCATIONS_H

#include <stdlib.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1
static long allocations;
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}
#endif

#endif
