/* SPDX-License-Identifier: MIT */
/* Shared vocabulary of the public interface: export macro, version, status codes, messages. */
#ifndef WITHY_BASE_H
#define WITHY_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(WY_STATIC)
#define WY_API
#elif defined(_WIN32)
#if defined(WY_BUILDING)
#define WY_API __declspec(dllexport)
#else
#define WY_API __declspec(dllimport)
#endif
#else
#define WY_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers, as numbers and as text. */
#define WY_VERSION_MAJOR 0
#define WY_VERSION_MINOR 1
#define WY_VERSION_PATCH 0
#define WY_VERSION "0.1.0"

/* The version of the library that is linked, "major.minor.patch". */
WY_API const char *wy_version(void);

/* Status codes of all functions. 0: done. Positive: the step failed and can be tried again with a smaller size.
   Negative: the call failed, and a message says why. */
typedef enum wy_status {
  WY_OK = 0,
  WY_RETRY = 1,          /* no convergence, or numbers that are not finite: try a smaller step */
  WY_ERROR_INPUT = -1,   /* a definition or an argument is wrong */
  WY_ERROR_MEMORY = -2,  /* out of memory */
  WY_ERROR_SOLVER = -3,  /* the solver cannot continue */
  WY_ERROR_SUPPORT = -4, /* the requested combination of methods or options does not exist */
  WY_ERROR_FILE = -5,    /* reading or writing failed */
  WY_ERROR_RESULT = -6   /* the result is known to be wrong, but it is available (withy/judge.h) */
} wy_status;

/* Invalid arguments never crash: NULL instead of an object or an array, an index out of range, NaN. A function that
   returns a status returns WY_ERROR_INPUT and explains what is wrong. Any other function returns NULL, 0, false, or NAN
   if it returns a real number. Dangling and uninitialised pointers cannot be detected. */

/* The explanation of a failure. It is filled whenever a function returns a negative status. All functions accept NULL
   instead. `path` is the key of a scenario file whose value is wrong ("rods[0].section.radius"), or it is empty. */
typedef struct wy_message {
  char path[128];
  char text[1024];
} wy_message;

/* Variables: time t and arc length s of the undeformed rod for signals, time and place for flows, and the numbers of
   one of many rods (WY_EXPR_NUMBERS of withy/expr.h). */
typedef enum wy_variable { WY_TIME = 1, WY_ARC = 2, WY_X = 4, WY_Y = 8, WY_Z = 16, WY_ROD = 32 } wy_variable;

/* A scalar that may vary along the rod and in time.
   Without `evaluate` it is the constant `value`. With it, `evaluate` writes the value and the first and second
   derivative with respect to `wrt` into `jet`. `context` must live as long as the model that uses the signal. */
typedef struct wy_signal {
  double value;
  void (*evaluate)(const void *context, wy_variable wrt, double s, double t, double jet[3]);
  const void *context;
  unsigned depends_on; /* the variables that `evaluate` uses: WY_TIME, WY_ARC or WY_TIME | WY_ARC; 0 means both */
} wy_signal;

/* The constant signal. */
static inline wy_signal wy_constant(double value) {
  wy_signal signal = {value, NULL, NULL, 0};
  return signal;
}

/* How one component of the position, or the rotation, of an end of a rod or of a body is supported. */
typedef enum wy_hold {
  WY_FREE,
  WY_HELD,  /* fixed at its value in the undeformed model */
  WY_DRIVEN /* follows a signal of time */
} wy_hold;

/* A velocity in space axes that may vary in space and time, such as that of a current or of wind.
   Without `evaluate` it is the constant `value`. With it, `evaluate` writes the velocity at a place into `velocity`,
   its derivatives by the place into `gradient` (entry 3 i + j: of component i by coordinate j) and by time into `rate`.
   `context` must live as long as the model that uses the flow. */
typedef struct wy_flow {
  double value[3];
  void (*evaluate)(const void *context, const double place[3], double t, double velocity[3], double gradient[9],
                   double rate[3]);
  const void *context;
  unsigned depends_on; /* what `evaluate` uses: a sum of WY_TIME, WY_X, WY_Y, WY_Z; 0 means all */
} wy_flow;

#ifdef __cplusplus
}
#endif
#endif
