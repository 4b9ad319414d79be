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

/* One convention at every level: 0 done, > 0 recoverable (try a smaller step), < 0 fatal with a message. */
typedef enum wy_status {
  WY_OK = 0,
  WY_RETRY = 1,          /* recoverable: not converged or not finite with this step */
  WY_ERROR_INPUT = -1,   /* a definition or an argument is wrong */
  WY_ERROR_MEMORY = -2,  /* out of memory */
  WY_ERROR_SOLVER = -3,  /* the integration cannot go on */
  WY_ERROR_SUPPORT = -4, /* the combination asked for does not exist */
  WY_ERROR_FILE = -5,    /* reading or writing failed */
  WY_ERROR_RESULT = -6   /* the result is known to be wrong; it can be looked at (withy/judge.h) */
} wy_status;

/* Arguments that make no sense (NULL in place of an object or an array, a number that does not exist, NaN) never crash.
   A function with a status answers WY_ERROR_INPUT and says what is wrong; any other answers with nothing: NULL, 0,
   false, or NAN where a number is asked for. Pointers to what is gone, or was never there, nobody can catch. */

/* Where a function puts its explanation. Filled whenever a status < 0 is returned; may be NULL everywhere.
   `path` names the part of a definition that is wrong in the words of a scenario file ("rods[0].section.radius"), or is
   empty. */
typedef struct wy_message {
  char path[128];
  char text[1024];
} wy_message;

/* What a signal may depend on: time t, and arc length s of the undeformed rod. */
typedef enum wy_variable { WY_TIME = 1, WY_ARC = 2 } wy_variable;

/* A scalar that may vary along the rod and in time.
   Without `evaluate` it is the constant `value`. With it, `evaluate` writes the value and the first and second
   derivative with respect to `wrt` into `jet`. `context` must live as long as the model that uses the signal. */
typedef struct wy_signal {
  double value;
  void (*evaluate)(const void *context, wy_variable wrt, double s, double t, double jet[3]);
  const void *context;
  unsigned depends_on; /* WY_TIME | WY_ARC, whichever `evaluate` really uses; 0: both */
} wy_signal;

/* The constant signal. */
static inline wy_signal wy_constant(double value) {
  wy_signal signal = {value, NULL, NULL, 0};
  return signal;
}

#ifdef __cplusplus
}
#endif
#endif
