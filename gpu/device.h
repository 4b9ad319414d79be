/* SPDX-License-Identifier: MIT */
/* The device: CUDA, or, for a compiler of C++ alone, the stand-ins of gpu/host.h. */
#ifndef WY_GPU_DEVICE_H
#define WY_GPU_DEVICE_H

#ifdef __CUDACC__
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define LAUNCH(kernel, blocks, threads, stream, ...) (kernel)<<<(blocks), (threads), 0, (stream)>>>(__VA_ARGS__)
#define FN static __host__ __device__ __forceinline__
#define FN_APART static __host__ __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#define OWN_LANES 1 /* that a thread is */
#define FN_MEMBER __host__ __device__ __forceinline__

#else
#include "gpu/host.h"

#define LAUNCH(kernel, blocks, threads, stream, ...) launch_on_host(blocks, threads, [&] { (kernel)(__VA_ARGS__); })
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define FN static inline /* checks make inlined kernels too large for the compiler */
#else
#define FN static inline __attribute__((always_inline))
#endif
#define FN_APART static __attribute__((noinline))
#define UNROLL
#define NO_UNROLL
#define OWN_LANES 32
#define __shared__
#define FN_MEMBER
#endif

/* Rods of a tile, one for each thread of a warp. */
enum { TILE = 32 };

/* ---- What measurements have chosen: docs/benchmarks.md ---- */

/* Threads of a block, and how many blocks a multiprocessor must hold at least: 1 leaves a thread its 255 registers. */
#ifndef GPU_THREADS
#define GPU_THREADS 128
#endif
#ifndef GPU_BLOCKS
#define GPU_BLOCKS 1
#endif
/* How many cells ahead memory is asked for; 0: not at all. Into the cache of the multiprocessor (1) or of the device
   (2). */
#ifndef GPU_AHEAD
#define GPU_AHEAD 0
#endif
#ifndef GPU_AHEAD_INTO
#define GPU_AHEAD_INTO 1
#endif
/* So many rods for each multiprocessor are few enough for a warp each: gpu/warp.h. Not where bits count. */
#ifndef GPU_WARP_RODS
#define GPU_WARP_RODS 36
#endif
#if WY_STRICT_FP
#define GPU_WARPS 0
#else
#define GPU_WARPS 1
#endif
/* Factors of single precision as halves. Not where bits count. */
#ifndef GPU_HALVES
#if WY_STRICT_FP
#define GPU_HALVES 0
#else
#define GPU_HALVES 1
#endif
#endif

/* The device is asked to have what stands at `at` in its cache. */
FN void fetch(const void *at) {
#ifdef __CUDA_ARCH__
#if GPU_AHEAD_INTO == 1
  asm volatile("prefetch.global.L1 [%0];" ::"l"(at));
#else
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#endif
#else
  (void)at;
#endif
}

/* Entries [from, to) of a rod that are read soon. */
template <class number> FN void fetch_entries(const number *array, int from, int to) {
  UNROLL for (int k = from; k < to; k++) fetch(array + k * TILE);
}

/* ---- Arithmetic ---- */

/* ---- Lanes of a warp ---- */

/* Behind it lanes see what the others have written before. */
FN void sync_warp() {
#ifdef __CUDA_ARCH__
  __syncwarp();
#endif
}

/* Of this thread's lanes, of which it is the only one, or which it all is. */
FN int first_lane() {
#ifdef __CUDA_ARCH__
  return (int)(threadIdx.x % TILE);
#else
  return 0;
#endif
}

/* A thread that is all lanes takes the place of the others. */
FN bool leads_lanes() {
#ifdef __CUDA_ARCH__
  return true;
#else
  return threadIdx.x % TILE == 0;
#endif
}

FN float inverse(float x) {
  return 1.0f / x;
}
FN double inverse(double x) {
  return 1.0 / x;
}
FN float root(float x) {
  return sqrtf(x);
}
FN double root(double x) {
  return sqrt(x);
}

#if WY_STRICT_FP || !defined __CUDACC__
FN float inverse_root(float x) {
  return inverse(root(x));
}
FN double inverse_root(double x) {
  return inverse(root(x));
}
#else
FN float inverse_root(float x) {
  return rsqrtf(x);
}
FN double inverse_root(double x) {
  return rsqrt(x);
}
#endif

/* A half in memory that is a float in registers. */
struct half_at {
  __half *place;
  explicit FN_MEMBER half_at(const __half *at) : place(const_cast<__half *>(at)) {}
  FN_MEMBER operator float() const {
    return __half2float(*place);
  }
  FN_MEMBER void operator=(float x) const {
    *place = __float2half(x);
  }
};

#endif
