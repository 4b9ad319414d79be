/* The page around the pictures of a run: one HTML file without any reference to the network. Dark screens get the
   pictures with lightness inverted and hues kept. */
#include <string.h>

#include "io/plot.h"

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#222;--soft:#666;--line:#ddd;--wash:#f6f6f4}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#000;--ink:#ddd;--soft:#999;--line:#333;--wash:#141414}\n"
    "figure svg{filter:invert(1) hue-rotate(180deg)}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.2rem 1rem 3rem;max-width:60rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem;line-height:1.2;margin:.4rem 0 1rem}\n"
    "h2{font-size:1.15rem;margin:2rem 0 .6rem}\n"
    "p{color:var(--soft);margin:.4rem 0}\n"
    "figure{margin:1rem 0;overflow-x:auto}\n"
    "figure svg{display:block;width:100%;min-width:34rem;height:auto}\n"
    "dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));gap:0 2rem;margin:0}\n"
    "dl div{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid var(--line);padding:.25rem 0}\n"
    "dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}\n"
    "dl div.wide{grid-column:1/-1}\n"
    "pre{background:var(--wash);border:1px solid var(--line);border-radius:.4rem;padding:.8rem 1rem;overflow-x:auto;"
    "font:.85rem/1.45 ui-monospace,monospace}\n"
    "a{color:inherit}\n";

/* Text with the characters that HTML would read replaced. */
static void escape(FILE *out, const char *text) {
  for (; *text; text++) {
    switch (*text) {
    case '&':
      fputs("&amp;", out);
      break;
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    default:
      fputc(*text, out);
    }
  }
}

/* The drawing of an SVG file, without declarations and without the title at its top, which the page has already. */
static void picture(FILE *out, const char *svg, const char *caption) {
  const char *start = strstr(svg, "<svg"), *box = start ? strstr(start, "viewBox=\"") : NULL;
  const char *content = box ? strchr(box, '>') : NULL;
  int width, height;
  if (!content || sscanf(box, "viewBox=\"0 0 %d %d", &width, &height) != 2)
    return;
  fprintf(out,
          "<h2>%s</h2>\n<figure>\n<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 %d %d %d\" "
          "xmlns:xlink=\"http://www.w3.org/1999/xlink\"%s</figure>\n",
          caption, caption, WY_PLOT_TITLE_HEIGHT, width, height - WY_PLOT_TITLE_HEIGHT, content);
}

void wy_plot_page(FILE *out, const wy_plot_run *run, const char *const *svg, const char *const *captions, int count) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
        out);
  escape(out, run->title);
  fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
  escape(out, run->title);
  fputs("</h1>\n", out);
  if (run->fact_count > 0) {
    fputs("<dl>\n", out);
    for (int i = 0; i < run->fact_count; i++) {
      fprintf(out, "<div%s><dt>%s</dt><dd>", strlen(run->facts[i].value) > 24 ? " class=\"wide\"" : "",
              run->facts[i].name);
      escape(out, run->facts[i].value);
      fputs("</dd></div>\n", out);
    }
    fputs("</dl>\n", out);
  } else {
    fputs("<p>The run has no summary: it was stopped before its end, or is still going.</p>\n", out);
  }
  for (int i = 0; i < count; i++)
    picture(out, svg[i], captions[i]);
  if (run->scenario) {
    fputs("<h2>Scenario</h2>\n<pre>", out);
    escape(out, run->scenario);
    fputs("</pre>\n", out);
    if (run->settings && run->settings[0]) {
      fputs("<p>Changed for this run with <code>--set</code>:</p>\n<pre>", out);
      escape(out, run->settings);
      fputs("</pre>\n", out);
    }
  }
  fputs("<p>Lengths, times, energies and all other values are in the units of the scenario.</p>\n</body>\n</html>\n",
        out);
}
