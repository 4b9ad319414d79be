/* SPDX-License-Identifier: MIT */
/* The schema of scenario files: their keys, words, units, defaults and meanings are defined here and nowhere else. The
   reader uses it for checks and messages; `withy keys` prints it; docs/guide/reference.md and the JSON Schema for
   editors are generated from it.

   A mapping of the file is a wy_mapping, a key of it a wy_key, which may lead to another mapping: a tree whose root is
   wy_schema_root. Texts are in sentences; `...` is code. */
#ifndef WY_RUN_SCHEMA_SCHEMA_H
#define WY_RUN_SCHEMA_SCHEMA_H

#include "run/scenario/scenario.h"

/* The forms of a value. A key may accept several forms. */
enum {
  WY_FORM_NUMBER = 1 << 0, /* a number, or an expression of the variables `of` */
  WY_FORM_WHOLE = 1 << 1,  /* a whole number from `least` to `most` */
  WY_FORM_WORD = 1 << 2,   /* one of `words` */
  WY_FORM_CHOICE = 1 << 3, /* false or true, in this order in `words` */
  WY_FORM_TEXT = 1 << 4,   /* any text */
  WY_FORM_NAME = 1 << 5,   /* a name that the user chooses */
  WY_FORM_ROD = 1 << 6,    /* the name of a rod */
  WY_FORM_VECTOR = 1 << 7, /* a list of `count` numbers, each of which may also be one of the words, if there are any */
  WY_FORM_NUMBERS = 1 << 8,  /* a list of numbers */
  WY_FORM_RODS = 1 << 9,     /* a list of names of rods */
  WY_FORM_FILE = 1 << 10,    /* the name of a file of numbers, relative to the scenario (wy_read_columns) */
  WY_FORM_NAMES = 1 << 11,   /* a list of names that the user chooses */
  WY_FORM_ROWS = 1 << 12,    /* a list of lists of numbers, all of one length */
  WY_FORM_NAMED = 1 << 13,   /* a mapping of names that the user chooses to numbers, to expressions of the variables
                                `of`, or to mappings with the keys of `mapping` */
  WY_FORM_BODY = 1 << 14,    /* the name of a body */
  WY_FORM_PLACES = 1 << 15,  /* a list of places on parts, at least `least` of them, at most `most` if that is not 0:
                                texts such as ROD.end, or mappings with the keys of `mapping` */
  WY_FORM_MAPPING = 1 << 16, /* a mapping with the keys of `mapping` */
  WY_FORM_LIST = 1 << 17     /* a list of such mappings, at least `least` */
};

typedef enum wy_sign { WY_ANY_SIGN, WY_POSITIVE, WY_NOT_NEGATIVE } wy_sign;

/* The kind of time steps on which a key has an effect. */
typedef enum wy_steps { WY_ANY_STEPS, WY_ADAPTIVE_STEPS, WY_FIXED_STEPS } wy_steps;

/* A word that may stand for a value. A table of them ends with an empty one. */
typedef struct wy_word {
  const char *name;
  const char *meaning;
  const char *unit;                     /* unit of its meaning, in SI; NULL or "1": none */
  int value;                            /* the value that the reader stores for it */
  const char *other;                    /* another spelling that is accepted, or NULL */
  const wy_integrator_info *integrator; /* its row, where the word is the name of an integrator */
} wy_word;

/* Surfaces over which the roots of a batch are spread. */
typedef enum wy_patch { WY_PATCH_DISC, WY_PATCH_RECTANGLE, WY_PATCH_CAP } wy_patch;

/* Rods of a batch. */
enum { WY_MOST_BATCHED = 10000000 };

/* The most words of a selector that a key goes with. */
enum { WY_SCHEMA_WITH = 6 };

typedef struct wy_key {
  const char *name;
  unsigned forms;
  unsigned of; /* WY_ARC, WY_TIME, WY_X, ...: variables of its expressions, beside the file's constants and functions */
  int count, least, most;
  wy_sign sign;
  const char *range; /* in words, if `sign` is not enough: "from 0 to 1" */
  const wy_word *words;
  bool (*more_words)(int index, wy_word *word); /* further words, from a table of the library; or NULL */
  const struct wy_mapping *mapping;
  const char *unit; /* in SI; NULL: none. With WY_FORM_WHOLE it is that of the entries of a list */
  struct {
    const char *key, *unit;
  } beside;             /* beside another key of the mapping it has this unit instead; or NULL */
  bool required;        /* it is always required; if it is required only in some cases, `fallback` says so */
  bool old;             /* an older spelling of another key: it is read, and in no list */
  const char *fallback; /* the default */
  const char *with[WY_SCHEMA_WITH]; /* the words of the mapping's selector with which it is allowed; none: all */
  unsigned analyses;                /* bits 1 << wy_analysis: the analyses on which it has an effect; 0: all */
  wy_steps steps;                   /* the time steps of dynamics on which it has an effect */
  const char *expected;             /* for messages, if the form is not enough; or NULL */
  const char *meaning;
  const char *later; /* why it is refused: a name that the format reserves, or NULL */
} wy_key;

/* A complete value of a mapping, {...} in one line or `key: value` line by line, and what it shows. */
typedef struct wy_example {
  const char *text;
  const char *note; /* or NULL */
} wy_example;

typedef struct wy_mapping {
  const char *path;     /* "rods[].section"; the first one where it is used twice */
  const char *what;     /* "a section" */
  const char *plural;   /* if there are several of these mappings, their name in the plural; else NULL */
  const char *named;    /* if the user gives each of them a name (path "tables.NAME"): the name that examples have;
                           NULL: they are a list */
  const char *summary;  /* one sentence */
  const char *more;     /* links for further reading, in Markdown relative to docs/guide; or NULL */
  const char *selector; /* the key whose word says which keys go together, or NULL */
  bool strict;          /* keys that do not belong to the word are refused; else they have no effect */
  const wy_key *keys;   /* the last one has no name */
  const wy_example *examples; /* the last one has no text; every key is in one of them */
} wy_mapping;

extern const wy_key wy_schema_root;

/* The parts that are asked for by name, in other files of the schema too. */
extern const wy_mapping wy_schema_top, wy_schema_time, wy_schema_table, wy_schema_rod, wy_schema_load, wy_schema_body,
    wy_schema_joint, wy_schema_spring, wy_schema_place, wy_schema_actuator, wy_schema_probe, wy_schema_strands,
    wy_schema_solver, wy_schema_section, wy_schema_material, wy_schema_stiffness, wy_schema_inertia, wy_schema_damping,
    wy_schema_law, wy_schema_branch, wy_schema_drag, wy_schema_fluid, wy_schema_obstacle, wy_schema_contact,
    wy_schema_skin, wy_schema_rotation, wy_schema_batch;
extern const wy_word wy_schema_no_contact[]; /* of a rod, instead of wy_schema_skin */
extern const wy_word wy_schema_analyses[];   /* in the order of wy_analysis */

/* Is this the first place of the mapping of a key? Some stand at two places. */
bool wy_schema_is_home(const wy_mapping *above, const wy_key *key);
/* Every mapping once, those above first. */
void wy_schema_walk(void (*visit)(const wy_mapping *mapping, void *context), void *context);

/* The key of that name, or NULL; reserved ones too. */
const wy_key *wy_schema_key(const wy_mapping *mapping, const char *name);
/* Is it in lists: neither reserved nor an older spelling? */
static inline bool wy_schema_is_listed(const wy_key *key) {
  return !key->later && !key->old;
}
/* All words of a key, those of the library too; false past the last one. */
bool wy_schema_word_at(const wy_key *key, int index, wy_word *word);
/* The one of that name among them; false where there is none. */
bool wy_schema_word(const wy_key *key, const char *name, wy_word *word);
/* Its meaning in a line, with the unit; of an integrator with order and steps. */
void wy_schema_meaning(const wy_word *word, char *out, size_t size);
/* May the key stand beside this word of the selector? */
bool wy_schema_goes_with(const wy_key *key, const char *word);
/* The first example that has the key, or NULL. */
const wy_example *wy_schema_example(const wy_mapping *mapping, const char *key);

/* The names of the keys, or of those that go with a word of the selector (NULL: all), without those in no list. They
   are put into `names`; returns how many there are. */
enum { WY_SCHEMA_MOST = 64 };
int wy_schema_names(const wy_mapping *mapping, const char *word, const char *names[WY_SCHEMA_MOST]);
int wy_schema_word_names(const wy_key *key, const char *names[WY_SCHEMA_MOST]);
/* "a, b, c". */
void wy_schema_join(const char *const *names, int count, char *out, size_t size);

/* "N, with `along` N/m"; "" where it has none. */
void wy_schema_unit(const wy_key *key, char *out, size_t size);
/* "> 0", "from 0 to 1", or "". */
const char *wy_schema_range(const wy_key *key);
/* "s", "t", "s and t", "t, x, y and z". */
const char *wy_schema_variables(unsigned variables);
/* What to expect of a value, for messages: "a number > 0"; of an entry of a list or of a mapping of one's own names. */
void wy_schema_expected(const wy_key *key, bool entry, char *out, size_t size);

#endif
