/* SPDX-License-Identifier: MIT */
/* What gpu/cuda.cu uses of CUDA, for a machine without a GPU: the threads of a launch run one after the other, and the
   memory of the device is memory. Tests run the launches in this way, also with sanitizers; it is of no other use. */
#ifndef WY_GPU_HOST_H
#define WY_GPU_HOST_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/host_faults.h"

#define __global__
#define __launch_bounds__(...)

struct thread_place {
  unsigned x;
};
static thread_local thread_place threadIdx, blockIdx, blockDim, gridDim;

template <class kernel> void launch_on_host(int blocks, int threads, const kernel &run) {
  blockDim.x = (unsigned)threads, gridDim.x = (unsigned)blocks;
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
      run();
}

/* ---- Errors, which a test may ask for ---- */

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorNoDevice = 100,
  cudaErrorLaunchFailure = 719
};

wy_host_gpu_faults wy_host_gpu = {SIZE_MAX, false, false};

static inline const char *cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory"
         : error == cudaErrorNoDevice       ? "no CUDA-capable device is detected"
         : error == cudaErrorLaunchFailure  ? "unspecified launch failure"
                                            : "no error";
}

static inline cudaError_t cudaGetLastError() {
  const bool fails = wy_host_gpu.fail;
  wy_host_gpu.fail = false;
  return fails ? cudaErrorLaunchFailure : cudaSuccess;
}

/* ---- The device ---- */

typedef void *cudaStream_t;
enum { cudaStreamNonBlocking = 1 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount };

struct cudaDeviceProp {
  char name[256];
};

static inline cudaError_t cudaGetDeviceCount(int *count) {
  *count = wy_host_gpu.absent ? 0 : 1;
  return wy_host_gpu.absent ? cudaErrorNoDevice : cudaSuccess;
}

static inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
  strcpy(properties->name, "a CPU in the place of a GPU");
  return cudaSuccess;
}

/* So few that the threads of a launch have more than one rod. */
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
  *value = 1;
  return cudaSuccess;
}

template <class kernel>
static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, kernel, int, size_t) {
  *blocks = 1;
  return cudaSuccess;
}

/* New memory is full of what is no number, as on a device it may be. */
static inline cudaError_t cudaMalloc(void **place, size_t bytes) {
  if (bytes > wy_host_gpu.memory)
    return cudaErrorMemoryAllocation;
  *place = malloc(bytes);
  if (!*place)
    return cudaErrorMemoryAllocation;
  memset(*place, 0xff, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaMallocHost(void **place, size_t bytes) {
  *place = malloc(bytes);
  return *place ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaFree(void *place) {
  free(place);
  return cudaSuccess;
}

static inline cudaError_t cudaFreeHost(void *place) {
  free(place);
  return cudaSuccess;
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
  memcpy(to, from, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, int) {
  *stream = NULL;
  return cudaSuccess;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}

/* ---- Halves, rounded to nearest, ties to even ---- */

typedef uint16_t __half;

static inline uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline __half __float2half(float x) {
  const uint32_t bits = bits_of(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
  if (size >= 0x7f800000u)
    return (__half)(sign | (size > 0x7f800000u ? 0x7fffu : 0x7c00u));
  if (size < 0x38800000u) /* below 2^-14: in units of 2^-24 */
    return (__half)(sign | (uint32_t)rintf(ldexpf(float_of(size), 24)));
  const uint32_t rounded = size + 0xfffu + (size >> 13 & 1u);
  return (__half)(sign | (rounded >= 0x47800000u ? 0x7c00u : (rounded - 0x38000000u) >> 13));
}

static inline float __half2float(__half h) {
  const uint32_t sign = (uint32_t)(h & 0x8000u) << 16, size = h & 0x7fffu;
  if (size >= 0x7c00u)
    return float_of(sign | 0x7f800000u | (size & 0x3ffu) << 13);
  if (size < 0x400u)
    return float_of(sign | bits_of(ldexpf((float)size, -24)));
  return float_of(sign | ((size << 13) + 0x38000000u));
}

#endif
