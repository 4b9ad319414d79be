/* SPDX-License-Identifier: MIT */
/* What the forms of the scenario reference share: `withy keys` at the terminal, as a page and for editors. */
#ifndef WY_CLI_KEYS_H
#define WY_CLI_KEYS_H

#include "run/results/file.h"
#include "run/schema/schema.h"

/* "number > 0, may depend on s", "space | body", "list of 3 numbers, may depend on t": all forms of a value. `all`
   names words and ranges that are long, too; `marked` puts words into `...`. Without both it is short: "number > 0
   (s)". */
void wy_keys_value(const wy_key *key, bool all, bool marked, wy_text *out);
/* "Only with `shape: circle`." and the like; nothing where a key always counts. */
void wy_keys_condition(const wy_mapping *mapping, const wy_key *key, wy_text *out);
/* The default, or that the key is required. */
const char *wy_keys_default(const wy_key *key);
/* An example in its place, below the key `step`: "section: {...}  # note", "loads:\n  - {...}  # note", or the lines
   that it has. */
void wy_keys_example(const char *step, const wy_mapping *mapping, const wy_example *example, wy_text *out);
/* The key that leads to the mapping: "section", "loads". */
void wy_keys_step(const wy_mapping *mapping, char *out, size_t size);
/* "a-rod": the mapping in links. */
void wy_keys_slug(const wy_mapping *mapping, char *out, size_t size);

/* The whole reference as a page in Markdown, and as a JSON Schema. */
void wy_keys_markdown(wy_text *out);
void wy_keys_json_schema(wy_text *out);

#endif
