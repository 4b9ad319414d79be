/* SPDX-License-Identifier: MIT */
/* The script for zsh: a file of $fpath, or to be evaluated after compinit. */
#include <string.h>

#include "cli/completion.h"

/* In 'quotes', within [...] of _arguments. */
static void print_text(const char *text, FILE *out) {
  char brief[WY_SHORT_SIZE];
  wy_completion_short(text, brief);
  for (const char *c = brief; *c; c++) {
    if (*c == '\'')
      fputs("'\\''", out);
    else if (strchr("[]:\\", *c))
      fprintf(out, "\\%c", *c);
    else
      fputc(*c, out);
  }
}

/* ":DIR:_files -/": what stands there and how it is completed. */
static void print_action(const wy_argument *argument, FILE *out) {
  static const struct {
    const char *alone, *quoted; /* beside words it stands in quotes */
  } files[] = {
      [WY_ARGUMENT_TEXT] = {"", ""},
      [WY_ARGUMENT_FILE] = {"_files", "_files"},
      [WY_ARGUMENT_SCENARIO] = {"_files -g \"*.(yaml|yml|json)\"", "_files -g \\\"*.(yaml|yml|json)\\\""},
      [WY_ARGUMENT_FOLDER] = {"_files -/", "_files -/"},
  };
  const bool has_words = wy_completion_has_words(argument), has_files = argument->kind != WY_ARGUMENT_TEXT;
  const char *name = argument->name + strspn(argument->name, "[");
  fprintf(out, ":%.*s:", (int)strcspn(name, "]."), name);
  if (!has_words) {
    fputs(files[argument->kind].alone, out);
    return;
  }
  fputs(has_files ? "{_alternative \"words:name:(" : "(", out);
  wy_completion_words(argument, out);
  fputs(")", out);
  if (has_files)
    fprintf(out, "\" \"files:file:%s\"}", files[argument->kind].quoted);
}

static void print_option(const wy_option *option, FILE *out) {
  const bool takes = option->argument.name != NULL;
  fputs(" \\\n        ", out);
  if (wy_option_has_letter(option) && option->many)
    fprintf(out, "'*'{-%c%s,--%s%s}'", option->code, takes ? "+" : "", option->name, takes ? "=" : "");
  else if (wy_option_has_letter(option))
    fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'", option->code, option->name, option->code, takes ? "+" : "",
            option->name, takes ? "=" : "");
  else
    fprintf(out, "'%s--%s%s", option->many ? "*" : "", option->name, takes ? "=" : "");
  fputc('[', out);
  print_text(option->text, out);
  fputc(']', out);
  if (takes)
    print_action(&option->argument, out);
  fputc('\'', out);
}

static void print_verb(const wy_verb *verb, FILE *out) {
  fprintf(out, "    %s)\n      _arguments -s", verb->name);
  for (const wy_option *o = verb->options; o->name; o++)
    print_option(o, out);
  print_option(&wy_option_help, out);
  for (int i = 0; verb->operands[i].name; i++) {
    if (wy_argument_repeats(&verb->operands[i]))
      fputs(" \\\n        '*", out);
    else
      fprintf(out, " \\\n        '%d", i + 1);
    print_action(&verb->operands[i], out);
    fputc('\'', out);
  }
  fputs(" ;;\n", out);
}

void wy_completion_zsh(FILE *out) {
  fputs("#compdef withy\n"
        "# Completion of withy for zsh. Made by `withy completion zsh`.\n\n"
        "_withy() {\n"
        "  local curcontext=$curcontext state line\n"
        "  local -a commands\n"
        "  commands=(\n",
        out);
  for (int i = 0; wy_verbs[i]; i++) {
    fprintf(out, "    '%s:", wy_verbs[i]->name);
    print_text(wy_verbs[i]->summary, out);
    fputs("'\n", out);
  }
  fputs("  )\n"
        "  _arguments -C '(- *)'{-h,--help}'[print the help]' '(- *)--version[print the version]' \\\n"
        "    '1:command:->command' '*::argument:->argument'\n"
        "  case $state in\n"
        "    command) _describe command commands; return ;;\n"
        "    argument) ;;\n"
        "    *) return ;;\n"
        "  esac\n"
        "  case $words[1] in\n",
        out);
  for (int i = 0; wy_verbs[i]; i++)
    print_verb(wy_verbs[i], out);
  fputs("  esac\n"
        "}\n\n"
        "if [ \"$funcstack[1]\" = _withy ]; then\n"
        "  _withy \"$@\"\n"
        "else\n"
        "  compdef _withy withy\n"
        "fi\n",
        out);
}
