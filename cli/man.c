/* SPDX-License-Identifier: MIT */
/* withy man: manual pages in the language of man(7), made of the descriptions of the verbs. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "run/results/file.h"

static int enter(int argc, char **argv);
static const char *verb_name(int number);

const wy_verb wy_verb_man = {
    .name = "man",
    .summary = "print a manual page: of withy, or of a command",
    .operands = {{.name = "[COMMAND]", .word = verb_name}},
    .text = "Prints the manual page of a command, or of withy as a whole, in the language of man(7):\n"
            "$ withy man run | man -l -\n"
            "The pages say what `withy COMMAND --help` says. They are installed with withy.\n",
    .options = {{.code = 'o',
                 .name = "output",
                 .argument = {.name = "DIR", .kind = WY_ARGUMENT_FOLDER},
                 .text = "write all pages into this folder: withy.1, withy-run.1, ..."}},
    .exits = {"done", "a page cannot be written", "there is no such command, or no such folder can be made"},
    .run = enter,
};

static const char *verb_name(int number) {
  return wy_verbs[number] ? wy_verbs[number]->name : NULL;
}

/* ---- text ---- */

/* Minus signs stay as they are typed, backslashes are no escapes, what stands in `...` is bold. The first character of
   a line must not look like a request. */
static void add_words(wy_text *page, const char *text, size_t length) {
  bool bold = false;
  if (length && (text[0] == '.' || text[0] == '\''))
    wy_text_add(page, "\\&");
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '`') {
      bold = !bold;
      wy_text_add(page, bold ? "\\fB" : "\\fR");
    } else if (text[i] == '-') {
      wy_text_add(page, "\\-");
    } else if (text[i] == '\\') {
      wy_text_add(page, "\\e");
    } else {
      wy_text_append(page, &text[i], 1);
    }
  }
}

static void add_line(wy_text *page, const char *text) {
  add_words(page, text, strlen(text));
  wy_text_add(page, "\n");
}

/* A line of a table: the name, then the text moved in. */
static void add_row(wy_text *page, const char *name, size_t length, const char *text, size_t text_length) {
  wy_text_add(page, ".TP\n\\fB");
  add_words(page, name, length);
  wy_text_add(page, "\\fR\n");
  add_words(page, text, text_length);
  wy_text_add(page, "\n");
}

static void add_example(wy_text *page, const char *line, size_t length) {
  wy_text_add(page, ".RS\n.nf\n");
  add_words(page, line, length);
  wy_text_add(page, "\n.fi\n.RE\n");
}

/* The lines of a description, as verb.h says. A line after another one is a paragraph of its own, but the first one. */
static void add_text(wy_text *page, const char *text) {
  bool first = true;
  for (const char *line = text; *line;) {
    const size_t length = strcspn(line, "\n");
    const char *colon = strstr(line, ": ");
    if (strncmp(line, "- ", 2) == 0 && colon && colon < line + length) {
      add_row(page, line + 2, (size_t)(colon - line) - 2, colon + 2, (size_t)(line + length - colon) - 2);
    } else if (strncmp(line, "$ ", 2) == 0) {
      add_example(page, line + 2, length - 2);
    } else if (length) {
      wy_text_add(page, first ? "" : ".PP\n");
      add_words(page, line, length);
      wy_text_add(page, "\n");
    }
    first = false;
    line += length;
    line += *line == '\n';
  }
}

/* ---- a page ---- */

static void add_capitals(wy_text *page, const char *text) {
  for (; *text; text++)
    wy_text_add(page, *text == '-' ? "\\-" : "%c", toupper((unsigned char)*text));
}

/* SOURCE_DATE_EPOCH, which packages set: the same sources give the same page on every day. No date without it. */
static void add_date(wy_text *page) {
  const char *seconds = getenv("SOURCE_DATE_EPOCH");
  const time_t moment = seconds ? (time_t)strtoll(seconds, NULL, 10) : 0;
  const struct tm *date = seconds ? gmtime(&moment) : NULL;
  if (date)
    wy_text_add(page, "%04d-%02d-%02d", date->tm_year + 1900, date->tm_mon + 1, date->tm_mday);
}

static void add_head(wy_text *page, const char *name, const char *summary) {
  wy_text_add(page, ".\\\" Made by `withy man`.\n.TH ");
  add_capitals(page, name);
  wy_text_add(page, " 1 \"");
  add_date(page);
  wy_text_add(page, "\" \"withy %s\" \"withy\"\n.SH NAME\n", wy_version());
  add_words(page, name, strlen(name));
  wy_text_add(page, " \\- ");
  add_line(page, summary);
}

static void add_option_name(wy_text *page, const wy_option *option) {
  wy_text_add(page, ".TP\n");
  if (wy_option_has_letter(option))
    wy_text_add(page, "\\fB\\-%c\\fR, ", option->code);
  wy_text_add(page, "\\fB\\-\\-");
  add_words(page, option->name, strlen(option->name));
  wy_text_add(page, "\\fR");
  if (option->argument.name)
    wy_text_add(page, " \\fI%s\\fR", option->argument.name);
  wy_text_add(page, "\n");
  add_line(page, option->text);
}

static void add_exits(wy_text *page, const wy_verb *verb) {
  wy_text_add(page, ".SH EXIT STATUS\n");
  for (int i = 0; i < WY_EXITS; i++)
    if (verb->exits[i]) {
      wy_text_add(page, ".TP\n\\fB%d\\fR\n", i);
      add_line(page, verb->exits[i]);
    }
}

static void add_usage_option(wy_text *page, const wy_option *option) {
  wy_text_add(page, option->required ? " \\fB\\-\\-" : " [\\fB\\-\\-");
  add_words(page, option->name, strlen(option->name));
  wy_text_add(page, "\\fR");
  if (option->argument.name)
    wy_text_add(page, " \\fI%s\\fR", option->argument.name);
  wy_text_add(page, "%s%s", option->required ? "" : "]", option->many ? "..." : "");
}

static void make_page(wy_text *page, const wy_verb *verb) {
  char name[64];
  snprintf(name, sizeof name, "withy-%s", verb->name);
  add_head(page, name, verb->summary);
  wy_text_add(page, ".SH SYNOPSIS\n\\fBwithy %s\\fR", verb->name);
  for (const wy_argument *operand = verb->operands; operand->name; operand++)
    wy_text_add(page, " \\fI%s\\fR", operand->name);
  for (const wy_option *o = verb->options; o->name; o++)
    add_usage_option(page, o);
  wy_text_add(page, "\n.SH DESCRIPTION\n");
  add_text(page, verb->text);
  wy_text_add(page, ".SH OPTIONS\n");
  for (const wy_option *o = verb->options; o->name; o++)
    add_option_name(page, o);
  add_option_name(page, &wy_option_help);
  add_exits(page, verb);
  if (verb->notes) {
    wy_text_add(page, ".SH NOTES\n");
    add_text(page, verb->notes);
  }
  wy_text_add(page, ".SH SEE ALSO\n.BR withy (1)\n");
}

static void make_whole(wy_text *page) {
  add_head(page, "withy", wy_whole_command.summary);
  wy_text_add(page, ".SH SYNOPSIS\n\\fBwithy\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...\n"
                    ".SH DESCRIPTION\n");
  add_text(page, wy_whole_command.text);
  wy_text_add(page, ".SH COMMANDS\n");
  for (int i = 0; wy_verbs[i]; i++) {
    wy_text_add(page, ".TP\n\\fBwithy %s\\fR", wy_verbs[i]->name);
    for (const wy_argument *operand = wy_verbs[i]->operands; operand->name; operand++)
      wy_text_add(page, " \\fI%s\\fR", operand->name);
    wy_text_add(page, "\n");
    add_line(page, wy_verbs[i]->summary);
  }
  wy_text_add(page, ".SH OPTIONS\n");
  add_option_name(page, &(wy_option){.code = WY_LONG_ONLY, .name = "version", .text = "print the version"});
  add_option_name(page, &wy_option_help);
  add_exits(page, &wy_whole_command);
  wy_text_add(page, ".SH SEE ALSO\n");
  for (int i = 0; wy_verbs[i]; i++)
    wy_text_add(page, ".BR withy\\-%s (1)%s\n", wy_verbs[i]->name, wy_verbs[i + 1] ? "," : "");
}

/* ---- the verb ---- */

/* The page of a verb, or of the command where it is NULL, on stdout or in the folder. */
static wy_status write_page(const wy_verb *verb, const char *folder, wy_message *message) {
  wy_text page = {0}, path = {0};
  wy_status status = WY_OK;
  if (verb)
    make_page(&page, verb);
  else
    make_whole(&page);
  if (folder) {
    wy_text_add(&path, "%s/withy%s%s.1", folder, verb ? "-" : "", verb ? verb->name : "");
    status = path.failed ? WY_ERROR_MEMORY : wy_text_replace(path.data, &page, message);
  } else if (!page.failed) {
    fwrite(page.data, 1, page.length, stdout);
  }
  wy_text_free(&page);
  wy_text_free(&path);
  return status;
}

static int write_all(const char *folder) {
  wy_message message = {.text = ""};
  wy_status status = wy_folder_make(folder, &message);
  if (status == WY_OK)
    status = write_page(NULL, folder, &message);
  for (int i = 0; wy_verbs[i] && status == WY_OK; i++)
    status = write_page(wy_verbs[i], folder, &message);
  if (status != WY_OK)
    fprintf(stderr, "withy man: %s\n", message.text);
  return status == WY_OK ? WY_EXIT_DONE : status == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

static int enter(int argc, char **argv) {
  const char *folder = NULL;
  for (int option; (option = wy_verb_option(argc, argv, &wy_verb_man)) != -1; folder = optarg)
    if (option == WY_OPTION_HELP || option == WY_OPTION_WRONG)
      return option == WY_OPTION_HELP ? WY_EXIT_DONE : WY_EXIT_INPUT;
  const int operands = argc - optind;
  if (operands > 1 || (folder && operands))
    return wy_verb_usage(&wy_verb_man, folder ? "with --output all pages are written; expected no command"
                                              : "found several commands; expected one");
  if (folder)
    return *folder ? write_all(folder) : wy_verb_usage(&wy_verb_man, "the name of the folder is empty");
  const wy_verb *verb = operands ? wy_verb_find(argv[optind]) : NULL;
  if (operands && !verb)
    return wy_verb_usage(&wy_verb_man, "unknown command '%s'; withy --help lists the commands", argv[optind]);
  write_page(verb, NULL, NULL);
  return WY_EXIT_DONE;
}
