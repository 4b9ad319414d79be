/* SPDX-License-Identifier: MIT */
/* GPUs for batches. They are in a separate library, libwithy_gpu, which loads libwithy_cuda.so where that is: beside
   the program or the library that calls, in ../lib of it, or in the library path; the variable WITHY_CUDA of the
   environment names another file, or is `off`. libwithy does not need it.

     wy_batch_def def = wy_default_batch_def();
     def.gpu = wy_gpu();
*/
#ifndef WITHY_GPU_H
#define WITHY_GPU_H

#include "withy/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value for wy_batch_def.gpu: the GPU of this machine, or why there is none. */
WY_API wy_batch_gpu wy_gpu(void);

#ifdef __cplusplus
}
#endif
#endif
