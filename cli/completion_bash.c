/* SPDX-License-Identifier: MIT */
/* The script for bash. It needs nothing but bash 4: the package bash-completion, where it is installed, only loads it.
 */
#include "cli/completion.h"

/* Functions of the script. A word with = comes in three pieces, "--output", "=" and "DIR". */
static const char head[] =
    "# Completion of withy for bash. Made by `withy completion bash`.\n"
    "\n"
    "# Offers words, and files of a kind: none, file, scenario, folder.\n"
    "_withy_offer() {\n"
    "  local path\n"
    "  mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$current\")\n"
    "  [ \"$1\" = none ] && return\n"
    "  compopt -o filenames 2>/dev/null\n"
    "  while IFS= read -r path; do\n"
    "    case $1:$path in\n"
    "      scenario:*.yaml | scenario:*.yml | scenario:*.json | file:*) COMPREPLY+=(\"$path\") ;;\n"
    "      *) [ -d \"$path\" ] && COMPREPLY+=(\"$path\") ;;\n"
    "    esac\n"
    "  done < <(compgen -f -- \"$current\")\n"
    "}\n"
    "\n"
    "# How many operands stand before the cursor. $1: the options that take a value.\n"
    "_withy_place() {\n"
    "  local i\n"
    "  place=0\n"
    "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "    case ${COMP_WORDS[i]} in\n"
    "      =) ((i++)) ;;\n"
    "      -*) [[ \" $1 \" == *\" ${COMP_WORDS[i]} \"* && ${COMP_WORDS[i + 1]} != = ]] && ((i++)) ;;\n"
    "      *) ((place++)) ;;\n"
    "    esac\n"
    "  done\n"
    "}\n"
    "\n"
    "_withy() {\n"
    "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} place options\n"
    "  COMPREPLY=()\n"
    "  if [ \"$current\" = = ]; then\n"
    "    current=\n"
    "  elif [ \"$previous\" = = ]; then\n"
    "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  fi\n"
    "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";

static const char tail[] = "  esac\n"
                           "}\n"
                           "\n"
                           "complete -F _withy withy\n";

static void print_offer(const wy_argument *argument, FILE *out) {
  static const char *const kinds[] = {
      [WY_ARGUMENT_TEXT] = "none",
      [WY_ARGUMENT_FILE] = "file",
      [WY_ARGUMENT_SCENARIO] = "scenario",
      [WY_ARGUMENT_FOLDER] = "folder",
  };
  fprintf(out, "_withy_offer %s '", kinds[argument->kind]);
  wy_completion_words(argument, out);
  fputc('\'', out);
}

/* " -o --output", or with a bar between; only options that take a value, or all. */
static void print_names(const wy_verb *verb, bool only_values, FILE *out) {
  for (const wy_option *o = verb->options; o->name; o++) {
    if (only_values && !o->argument.name)
      continue;
    if (wy_option_has_letter(o))
      fprintf(out, "-%c ", o->code);
    fprintf(out, "--%s ", o->name);
  }
}

static void print_verb(const wy_verb *verb, FILE *out) {
  fprintf(out, "    %s)\n      case $previous in\n", verb->name);
  for (const wy_option *o = verb->options; o->name; o++)
    if (o->argument.name) {
      fputs("        ", out);
      if (wy_option_has_letter(o))
        fprintf(out, "-%c | ", o->code);
      fprintf(out, "--%s) ", o->name);
      print_offer(&o->argument, out);
      fputs("; return ;;\n", out);
    }
  fputs("      esac\n      options='", out);
  print_names(verb, false, out);
  fputs("-h --help'\n      _withy_place '", out);
  print_names(verb, true, out);
  fputs("'\n      case $place in\n", out);
  for (int i = 0; verb->operands[i].name; i++) {
    fprintf(out, wy_argument_repeats(&verb->operands[i]) ? "        *) " : "        %d) ", i);
    print_offer(&verb->operands[i], out);
    fputs(" ;;\n", out);
  }
  fputs("      esac ;;\n", out);
}

void wy_completion_bash(FILE *out) {
  fputs(head, out);
  fputs("    _withy_offer none '", out);
  for (int i = 0; wy_verbs[i]; i++)
    fprintf(out, "%s ", wy_verbs[i]->name);
  fputs("--help --version'\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", out);
  for (int i = 0; wy_verbs[i]; i++)
    print_verb(wy_verbs[i], out);
  fputs("  esac\n"
        "  case $current in\n"
        "    -*) _withy_offer none \"$options\" ;;\n",
        out);
  fputs(tail, out);
}
