/* SPDX-License-Identifier: MIT */
/* The page around the pictures of a run. */
#include <string.h>

#include "draw/html.h"
#include "draw/plot/plot.h"

/* Pictures come first, but not before what a reader must know of them. */
static void write_warning(FILE *out, const wy_plot_run *run) {
  const char *status = wy_facts_find(&run->facts, "status"), *message = wy_facts_find(&run->facts, "message");
  if (!status) {
    fputs("<p>The run has no summary: it was stopped before its end, or is still in progress.</p>\n", out);
  } else if (strcmp(status, "done") != 0) {
    const bool wrong = strcmp(status, "wrong") == 0;
    fputs(wrong ? "<p class=\"alarm\">The result is wrong: " : "<p class=\"alarm\">The run is not complete: ", out);
    wy_html_escape(out, message ? message : status);
    fputs("</p>\n", out);
  }
}

static void write_facts(FILE *out, const wy_plot_run *run) {
  fputs("<h2>Summary</h2>\n<dl>\n", out);
  for (int i = 0; i < run->facts.count; i++) {
    fprintf(out, "<div%s><dt>", strlen(run->facts.list[i].value) > 24 ? " class=\"wide\"" : "");
    wy_html_escape(out, run->facts.list[i].name);
    fputs("</dt><dd>", out);
    wy_html_escape(out, run->facts.list[i].value);
    fputs("</dd></div>\n", out);
  }
  fputs("</dl>\n", out);
}

static void write_scenario(FILE *out, const char *scenario, const char *settings) {
  fputs("<h2>Scenario</h2>\n<pre>", out);
  wy_html_escape(out, scenario);
  fputs("</pre>\n", out);
  if (settings && settings[0]) {
    fputs("<p>Changed for this run with <code>--set</code>:</p>\n<pre>", out);
    wy_html_escape(out, settings);
    fputs("</pre>\n", out);
  }
}

void wy_plot_page(FILE *out, const wy_plot_run *run, char *const *svg, const char *const *captions, int count) {
  wy_html_begin(out, run->title);
  if (wy_folder_has(run->folder, "view.html"))
    fputs("<p>Play it in 3D: <a href=\"view.html\">view.html</a></p>\n", out);
  write_warning(out, run);
  for (int i = 0; i < count; i++)
    wy_html_picture(out, svg[i], captions[i]);
  if (run->facts.count > 0)
    write_facts(out, run);
  const char *scenario = wy_folder_scenario_text(run->folder);
  if (scenario)
    write_scenario(out, scenario, wy_folder_settings(run->folder));
  wy_html_end(out);
}
