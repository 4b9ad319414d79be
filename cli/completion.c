/* SPDX-License-Identifier: MIT */
/* withy completion: scripts with which shells complete what is typed, made of the descriptions of the verbs. */
#include "cli/completion.h"

#include <string.h>

#include "cli/cli.h"

static int enter(int argc, char **argv);

const wy_verb wy_verb_completion = {
    .name = "completion",
    .summary = "print a script with which a shell completes commands and options",
    .operands = {{.name = "SHELL", .words = "bash zsh fish"}},
    .text = "Prints a script for SHELL (bash, zsh or fish). With it the tab key completes commands, options, names of "
            "built-in scenarios, files and folders. The scripts are installed with withy; without an installation:\n"
            "- bash: eval \"$(withy completion bash)\" in ~/.bashrc\n"
            "- zsh: eval \"$(withy completion zsh)\" in ~/.zshrc, after compinit\n"
            "- fish: withy completion fish | source in ~/.config/fish/config.fish\n",
    .exits = {"done", "standard output cannot be written", "there is no script for this shell"},
    .run = enter,
};

void wy_completion_short(const char *text, char out[WY_SHORT_SIZE]) {
  static const char *const ends[] = {". ", "; ", " (", ": "};
  size_t length = strlen(text);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    const char *end = strstr(text, ends[i]);
    if (end && (size_t)(end - text) < length)
      length = (size_t)(end - text);
  }
  snprintf(out, WY_SHORT_SIZE, "%.*s", (int)length, text);
}

void wy_completion_words(const wy_argument *argument, FILE *out) {
  char word[128];
  for (int i = 0; wy_argument_word(argument, i, word, sizeof word); i++)
    fprintf(out, "%s%s", i ? " " : "", word);
}

bool wy_completion_has_words(const wy_argument *argument) {
  char word[128];
  return wy_argument_word(argument, 0, word, sizeof word);
}

static int enter(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*print)(FILE *out);
  } shells[] = {{"bash", wy_completion_bash}, {"zsh", wy_completion_zsh}, {"fish", wy_completion_fish}};
  const int option = wy_verb_option(argc, argv, &wy_verb_completion);
  if (option == WY_OPTION_HELP || option == WY_OPTION_WRONG)
    return option == WY_OPTION_HELP ? WY_EXIT_DONE : WY_EXIT_INPUT;
  if (argc - optind != 1)
    return wy_verb_usage(&wy_verb_completion, "found %d shells; expected one: bash, zsh or fish", argc - optind);
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
    if (strcmp(argv[optind], shells[i].name) == 0) {
      shells[i].print(stdout);
      return WY_EXIT_DONE;
    }
  return wy_verb_usage(&wy_verb_completion, "there is no script for '%s'; expected bash, zsh or fish", argv[optind]);
}
