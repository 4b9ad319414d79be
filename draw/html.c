/* SPDX-License-Identifier: MIT */
#include "draw/html.h"

#include <stdint.h>
#include <string.h>

#include "draw/escape.h"
#include "draw/panel.h"

/* Dark screens get the pictures with lightness inverted and hues kept; blending lets the page's own colour through.
   Maps, which are images within them, keep their colours: inverted twice. */
static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#222;--soft:#666;--line:#ddd;--wash:#f6f6f4;--accent:#0072b2;"
    "--alarm:#b3400a}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#dde;--soft:#9aa;--line:#333a40;--wash:#1b1f23;"
    "--accent:#56b4e9;--alarm:#ff9a5c}\n"
    "figure svg{filter:invert(1) hue-rotate(180deg);mix-blend-mode:screen}\n"
    "figure svg image{filter:invert(1) hue-rotate(180deg)}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.2rem 1rem 3rem;max-width:60rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem;line-height:1.2;margin:.4rem 0 1rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1.15rem;margin:2rem 0 .6rem}\n"
    "p{color:var(--soft);margin:.4rem 0;overflow-wrap:anywhere}\n"
    "figure{margin:1rem 0;overflow-x:auto}\n"
    "figure svg{display:block;width:100%;min-width:34rem;height:auto}\n"
    "figure svg tspan{font-family:system-ui,sans-serif}\n"
    "dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));gap:0 2rem;margin:0}\n"
    "dl div{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid var(--line);padding:.25rem 0}\n"
    "dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}\n"
    "dl div.wide{grid-column:1/-1}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\n"
    "th{font-weight:normal;color:var(--soft)}\n"
    "th:first-child,td:first-child{text-align:left;padding-left:0}\n"
    "@media(max-width:34rem){th.extra,td.extra{display:none}th,td{padding:.25rem .3rem;white-space:normal}}\n"
    "tr.alarm td,.alarm{color:var(--alarm);font-weight:600}\n"
    "pre{background:var(--wash);border:1px solid var(--line);border-radius:.4rem;padding:.8rem 1rem;overflow-x:auto;"
    "font:.85rem/1.45 ui-monospace,monospace}\n"
    "a{color:var(--accent)}\n";

void wy_html_escape(FILE *out, const char *text) {
  wy_escape(out, text, SIZE_MAX);
}

/* Pictures of draw/chart/ take up the colours of the page by themselves. */
static const char chart_style[] =
    "body{max-width:76rem}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,29rem),1fr));gap:1.4rem 2rem}\n"
    "figure.chart{margin:0;break-inside:avoid}figure.chart.wide{grid-column:1/-1}\n"
    "figure.chart svg{filter:none;mix-blend-mode:normal;min-width:0;font-family:inherit}\n"
    "figure.chart.wide svg{min-width:44rem}\n"
    "figcaption{font-size:.85rem;color:var(--soft)}\n"
    ".scroll{overflow:auto;max-height:40rem}th.sort{cursor:pointer}td.text,th.text{text-align:left;white-space:normal;"
    "min-width:16rem}\n"
    "code{font:.85rem/1.45 ui-monospace,monospace;overflow-wrap:anywhere}summary{cursor:pointer;color:var(--soft)}\n"
    "td.text code{display:block;min-width:20rem}.brushed .line{opacity:.06}.brushed .line.chosen{opacity:1}\n"
    ".axis rect{cursor:ns-resize}\n"
    "@media(prefers-color-scheme:dark){figure.chart svg{filter:none;mix-blend-mode:normal}}\n"
    "@media print{.scroll{overflow:visible;max-height:none}}\n";

static void begin(FILE *out, const char *title, const char *more_style) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
        out);
  wy_html_escape(out, title);
  fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", style, more_style);
  wy_html_escape(out, title);
  fputs("</h1>\n", out);
}

void wy_html_begin(FILE *out, const char *title) {
  begin(out, title, "");
}

void wy_html_begin_charts(FILE *out, const char *title) {
  begin(out, title, chart_style);
}

/* Without gnuplot's names of the curves, which browsers would show as tooltips. */
static void write_untitled(FILE *out, const char *svg) {
  static const char begin[] = "<title>", end[] = "</title>";
  for (const char *from, *to; (from = strstr(svg, begin)) && (to = strstr(from, end)); svg = to + strlen(end))
    fwrite(svg, 1, (size_t)(from - svg), out);
  fputs(svg, out);
}

void wy_html_picture(FILE *out, const char *svg, const char *caption) {
  const char *start = strstr(svg, "<svg"), *box = start ? strstr(start, "viewBox=\"") : NULL;
  const char *content = box ? strchr(box, '>') : NULL;
  int width, height;
  if (!content || sscanf(box, "viewBox=\"0 0 %d %d", &width, &height) != 2)
    return;
  fprintf(out,
          "<h2>%s</h2>\n<figure>\n<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 %d %d %d\" "
          "xmlns:xlink=\"http://www.w3.org/1999/xlink\"",
          caption, caption, WY_TITLE_HEIGHT, width, height - WY_TITLE_HEIGHT);
  write_untitled(out, content);
  fputs("</figure>\n", out);
}

void wy_html_end(FILE *out) {
  fputs("<p>Lengths, times, energies and all other values are in the units of the scenario.</p>\n</body>\n</html>\n",
        out);
}
