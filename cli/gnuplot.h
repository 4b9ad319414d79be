/* Pictures by gnuplot and files beside them, for the verbs that draw. `verb` is the name that messages begin with
   ("withy VERB: ..."), all messages go to stderr. */
#ifndef WY_CLI_GNUPLOT_H
#define WY_CLI_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

/* A new string from a format with two %s; ends the program without memory. free() it. */
char *wy_cli_text(const char *format, const char *one, const char *two);

/* folder/name, with one slash also where the folder's name ends with one. free() it. */
char *wy_cli_path(const char *folder, const char *name);

/* Whether `folder` is a folder. */
bool wy_cli_is_folder(const char *folder);

/* Writes folder/name by `write`, which gets `what`. Returns WY_EXIT_DONE or, after a message, WY_EXIT_FAILED. */
typedef void (*wy_cli_writer)(FILE *out, const void *what);
int wy_cli_write(const char *verb, const char *folder, const char *name, wy_cli_writer write, const void *what);

typedef enum wy_gnuplot_status {
  WY_GNUPLOT_DONE,
  WY_GNUPLOT_FAILED, /* a message was printed */
  WY_GNUPLOT_MISSING /* not installed; nothing was printed, `wy_gnuplot_advice` says what to do */
} wy_gnuplot_status;

extern const char wy_gnuplot_advice[];

/* Writes the script folder/script by `write`, runs gnuplot in the folder on it and removes the script unless `keep`. */
wy_gnuplot_status wy_gnuplot_draw(const char *verb, const char *folder, const char *script, bool keep,
                                  wy_cli_writer write, const void *what);

/* Reads the picture folder/name.svg, for a page: free() it; NULL after a message. */
char *wy_gnuplot_picture(const char *verb, const char *folder, const char *name);

/* Prints to stdout which pictures there are: folder/name.FORMAT for each of `formats` ("svg png", "svg" or "png"). */
void wy_gnuplot_report(const char *folder, const char *name, const char *formats);

#endif
