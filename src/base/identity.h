/* SPDX-License-Identifier: MIT */
/* A number by which definitions are told apart: a hash over all their members.

   Each struct has one list of its members, in the order of its declaration. The hash is made of the list, and so is an
   initialiser of the whole struct, which the compiler refuses where the list is shorter than the struct: a member that
   is added later cannot be forgotten, wherever it stands, be it in what was padding before. */
#ifndef WY_BASE_IDENTITY_H
#define WY_BASE_IDENTITY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "withy/base.h"

#if defined(__GNUC__)
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#endif

typedef struct wy_identity {
  uint64_t hash;
  /* Where signals that call back are looked at: arc lengths and times that a run may ask for, too. */
  double from, to, until;
} wy_identity;

#define WY_IDENTITY_START UINT64_C(14695981039346656037)

static inline void wy_identify_bytes(wy_identity *identity, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) /* FNV-1a */
    identity->hash = (identity->hash ^ ((const unsigned char *)data)[i]) * UINT64_C(1099511628211);
}

/* With its end, so that texts side by side do not run together. */
static inline void wy_identify_text(wy_identity *identity, const char *text) {
  wy_identify_bytes(identity, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* One number; all that are NaN are the same. */
static inline void wy_identify_number(wy_identity *identity, double number) {
  const double value = isnan(number) ? (double)NAN : number;
  wy_identify_bytes(identity, &value, sizeof value);
}

/* LIST(ONE, MANY) is ONE(how, member) or, for an array, MANY(how, member) for each member of `type`; `of` points to
   one, `how` is the end of the name of a function. Beside those for structs of their own there are identify_value (a
   number, a word of an enumeration), identify_text, and identify_apart: nothing, or what the code beside the list does.
 */
#define WY_IDENTIFY_ALL(type, LIST)                                                                                    \
  do {                                                                                                                 \
    const type every_member = {LIST(WY_MEMBER_ONE, WY_MEMBER_MANY)};                                                   \
    (void)every_member;                                                                                                \
    LIST(WY_IDENTIFY_ONE, WY_IDENTIFY_MANY)                                                                            \
  } while (0)

/* clang-format off */
#define WY_MEMBER_ONE(how, member) of->member,
#define WY_MEMBER_MANY(how, member) {of->member[0]},
/* clang-format on */
#define WY_IDENTIFY_ONE(how, member) identify_##how(identity, &of->member);
#define WY_IDENTIFY_MANY(how, member)                                                                                  \
  for (size_t item = 0; item < sizeof of->member / sizeof of->member[0]; item++)                                       \
    identify_##how(identity, &of->member[item]);

#define identify_value(identity, pointer) wy_identify_bytes(identity, pointer, sizeof *(pointer))
#define identify_text(identity, pointer) wy_identify_text(identity, *(pointer))
#define identify_apart(identity, pointer) (void)(pointer)

#endif
