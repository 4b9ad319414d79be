/* SPDX-License-Identifier: MIT */
/* withy: dynamics and statics of slender flexible things. This header is the whole interface of libwithy. Its parts
   have headers of their own: withy/scenario.h, run.h, sweep.h, converge.h, folder.h, draw.h, sundials.h. */
#ifndef WITHY_H
#define WITHY_H

#include "withy/base.h"
#include "withy/batch.h"
#include "withy/definition.h"
#include "withy/expr.h"
#include "withy/judge.h"
#include "withy/method.h"
#include "withy/model.h"
#include "withy/network.h"
#include "withy/quantity.h"
#include "withy/sim.h"
#include "withy/spline.h"
#include "withy/statics.h"
#include "withy/strands.h"

#endif
