/* SPDX-License-Identifier: MIT */
/* A batch that would rather be on a GPU: it runs with one and without, and says which it is. */
#include <stdio.h>
#include <withy/gpu.h>
#include <withy/withy.h>

int main(void) {
  wy_message message = {.text = ""};
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1, rod.segments = 8;
  rod.material.given = true, rod.material.young = wy_constant(5e6), rod.material.density = wy_constant(1000);
  rod.material.poisson = wy_constant(0.5);
  rod.section.shape = WY_CIRCLE, rod.section.radius = wy_constant(0.005);
  rod.ends[0] = wy_end_clamped();
  wy_model_def model_def = wy_default_model_def();
  model_def.rods = &rod, model_def.rod_count = 1;
  wy_model *model = NULL;
  wy_batch *batch = NULL;
  wy_batch_def def = wy_default_batch_def();
  def.count = 8, def.device = WY_BATCH_GPU, def.gpu = wy_gpu();
  int status = wy_model_create(&model_def, &model, &message);
  if (!status)
    status = wy_batch_create(model, &def, &batch, &message);
  if (!status)
    status = wy_batch_advance(batch, 0.01, &message);
  const wy_batch_info info = wy_batch_describe(batch);
  printf("%s; %s%s\n", info.machine, info.reason, message.text);
  const int is_told = info.device == WY_BATCH_GPU || info.reason[0] != '\0';
  wy_batch_destroy(batch);
  wy_model_destroy(model);
  return status == 0 && is_told ? 0 : 1;
}
