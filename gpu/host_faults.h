/* SPDX-License-Identifier: MIT */
/* What a test may ask of the stand-ins of gpu/host.h: faults of a device. */
#ifndef WY_GPU_HOST_FAULTS_H
#define WY_GPU_HOST_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "batch/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_host_gpu_faults {
  size_t memory; /* larger requests are refused */
  bool absent;   /* there is no device */
  bool fail;     /* the next launch fails */
} wy_host_gpu_faults;
extern wy_host_gpu_faults wy_host_gpu;

/* What libwithy_cuda.so exports. */
const wy_batch_backend *wy_batch_backend_of(const char *version, const char **reason);

#ifdef __cplusplus
}
#endif
#endif
