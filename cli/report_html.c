/* SPDX-License-Identifier: MIT */
/* report.html: one page without any reference to the network, light or dark as the reader's screen. It is well-formed
   XML, too. */
#include <math.h>
#include <stdlib.h>

#include "cli/report.h"

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#222;--soft:#5f6368;--line:#ddd;--wash:#f6f6f4;--accent:#0072b2;"
    "--good:#00704f;--odd:#8a5a00;--alarm:#b3400a}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#dde;--soft:#9aa4ab;--line:#333a40;--wash:#1b1f23;"
    "--accent:#56b4e9;--good:#4fd1a5;--odd:#e6b450;--alarm:#ff9a5c}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.2rem 1rem 4rem;max-width:76rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:.4rem 0 .6rem}\n"
    "h2{font-size:1.35rem;line-height:1.25;margin:3.2rem 0 .3rem;padding-top:1.2rem;border-top:2px solid var(--line)}\n"
    "h3{font-size:1.1rem;margin:2.4rem 0 .2rem}h4{font-size:.95rem;margin:1.4rem 0 .2rem}\n"
    "p{margin:.3rem 0 .7rem;max-width:54rem}.soft{color:var(--soft)}\n"
    "a{color:var(--accent)}code{font:.86em/1.4 ui-monospace,monospace;background:var(--wash);"
    "border:1px solid var(--line);border-radius:.3rem;padding:.05em .35em;overflow-wrap:anywhere}\n"
    ".run{font-size:.88rem;color:var(--soft);max-width:none}\n"
    "nav{columns:22rem;column-gap:2.5rem;font-size:.92rem}nav ul{margin:.2rem 0 .9rem;padding-left:1.2rem}\n"
    "nav div{break-inside:avoid}nav b a{text-decoration:none}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem}\n"
    "th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "th{font-weight:600;color:var(--soft);font-size:.85rem}td.n,th.n{text-align:right;white-space:nowrap;"
    "font-variant-numeric:tabular-nums}th.c{text-align:center}\n"
    "td small,.unit{color:var(--soft);font-size:.85em}td.note{color:var(--soft);font-size:.85rem;min-width:14rem}\n"
    "tr.total td{font-weight:600;border-bottom:0}#summary{margin-bottom:1.4rem}#summary "
    "td.wide{width:40%}td.wide{min-width:17rem}\n"
    ".v{font-weight:600;white-space:nowrap}.agrees{color:var(--good)}.explained{color:var(--odd)}"
    ".differs{color:var(--alarm)}.measured{color:var(--soft);font-weight:400}\n"
    ".scroll{overflow-x:auto}.stats{font-size:.82rem}.stats td,.stats th{padding:.15rem .5rem}"
    ".stats .p{color:var(--soft)}.stats td.note{white-space:normal;padding-left:1.6rem}"
    ".stats td:first-child:not(.note){white-space:nowrap;position:sticky;left:0;background:var(--paper)}\n"
    "details{margin:1rem 0}summary{cursor:pointer;font-weight:600;font-size:.95rem}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,29rem),1fr));gap:1.4rem 2rem;"
    "margin:1.4rem 0}\n"
    "figure{margin:0;break-inside:avoid}figure svg{display:block;width:100%;height:auto;font-family:inherit}\n"
    "figcaption{font-size:.86rem;line-height:1.45;margin-top:.3rem}figcaption .run{font-size:.8rem;margin:.25rem 0 0}\n"
    ".omitted{padding-left:1.2rem;max-width:60rem}.omitted li{margin:.3rem 0}\n"
    "@media(max-width:46rem){.rows thead{display:none}.rows tr{display:grid;grid-template-columns:1fr 1fr;"
    "gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}\n"
    ".rows td{border:0;padding:.05rem 0;text-align:left;min-width:0}.rows td:empty{display:none}\n"
    ".rows td.n{white-space:normal;text-align:left}.rows td[data-l]::before{content:attr(data-l) \": \";"
    "color:var(--soft);font-weight:400;font-size:.85em}\n"
    ".rows td.wide,.rows td.note{grid-column:1/-1}.rows td.wide{font-weight:600}.rows td.wide small{font-weight:400}\n"
    ".figures{gap:1.8rem}figure svg{font-size:15px}}\n"
    "@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--wash:#fff;--accent:#000;--good:#00553c;"
    "--odd:#6b4600;--alarm:#8a2f00}body{font-size:10pt;max-width:none}a{text-decoration:none}"
    ".figures{grid-template-columns:1fr "
    "1fr}tr,figure{break-inside:avoid}h2{break-before:page}.scroll{overflow:visible}}\n";

/* ---- pieces ---- */

static void add_escaped(wy_text *text, const char *plain) {
  for (; *plain; plain++) {
    switch (*plain) {
    case '&':
      wy_text_add(text, "&amp;");
      break;
    case '<':
      wy_text_add(text, "&lt;");
      break;
    case '>':
      wy_text_add(text, "&gt;");
      break;
    default:
      wy_text_append(text, plain, 1);
    }
  }
}

/* An element with plain text in it; attributes begin with a space. */
static void add_element(wy_text *text, const char *tag, const char *attributes, const char *plain) {
  wy_text_add(text, "<%s%s>", tag, attributes);
  add_escaped(text, plain);
  wy_text_add(text, "</%s>\n", tag);
}

static void add_number(wy_text *text, const char *label, double value, double tolerance) {
  char shown[32];
  wy_format_value(shown, value, tolerance);
  wy_text_add(text, "<td class=\"n\" data-l=\"%s\">%s</td>", label, shown);
}

static void add_verdict(wy_text *text, const char *label, wy_verdict verdict) {
  const char *name = wy_verdict_name(verdict);
  wy_text_add(text, "<td class=\"v %s\"%s>%s</td>", name, label, name);
}

/* How to run a part again, and a scenario that shows it. */
static void add_command(wy_text *text, const wy_outcome *o, int part) {
  const wy_part *p = &o->experiment->part[part];
  wy_text_add(text, "<p class=\"run\">Rerun: <code>withy reproduce %s/%s</code>", o->experiment->name, p->name);
  if (p->scenario)
    wy_text_add(text, ", or look at one run: <code>withy run %s</code>", p->scenario);
  char time[16];
  wy_format_seconds(time, o->part[part].seconds);
  wy_text_add(text, ". Took %s.</p>\n", time);
}

/* Under a figure or a table: where its numbers are and how to get it again. */
static void add_origin(wy_text *text, const wy_outcome *o, int part, const char *name) {
  wy_text_add(text,
              "<p class=\"run\">Data: <a href=\"%s.csv\">%s.csv</a>. Rerun: <code>withy reproduce %s/%s</code></p>\n",
              name, name, o->experiment->name, o->experiment->part[part].name);
}

/* ---- rows ---- */

/* Ours less published, with a share of it where that tells something. */
static void add_difference(wy_text *text, const wy_figure *row) {
  const double difference = row->ours - row->published, share = 100 * difference / fabs(row->published);
  wy_text_add(text, "<td class=\"n\" data-l=\"difference\">");
  if (difference == 0)
    wy_text_add(text, "0");
  else if (isfinite(difference))
    wy_text_add(text, "%+.2g", difference);
  if (difference != 0 && fabs(share) >= 0.01 && fabs(share) < 1000)
    wy_text_add(text, " <small>(%+.2g %%)</small>", share);
  wy_text_add(text, "</td>");
}

static void add_tolerance(wy_text *text, const wy_figure *row) {
  wy_text_add(text, "<td class=\"n\" data-l=\"tolerance\">");
  if (row->bound)
    wy_text_add(text, "at most that");
  else if (row->tolerance > 0)
    wy_text_add(text, "%.2g", row->tolerance);
  wy_text_add(text, "</td>");
}

/* `numbers`: the columns published, difference and tolerance are there. */
static void add_row(wy_text *text, const wy_figure *row, bool numbers) {
  wy_text_add(text, "<tr><td class=\"wide\">");
  add_escaped(text, row->what);
  if (row->unit[0])
    wy_text_add(text, " <span class=\"unit\">[%s]</span>", row->unit);
  if (row->where[0]) {
    wy_text_add(text, "<br/><small>");
    add_escaped(text, row->where);
    wy_text_add(text, "</small>");
  }
  wy_text_add(text, "</td>");
  if (numbers && row->where[0] && isnan(row->published))
    wy_text_add(text, "<td class=\"n\" data-l=\"published\"><small>statement</small></td>");
  else if (numbers)
    add_number(text, row->where[0] ? "published" : "expected", row->published, row->tolerance);
  add_number(text, "ours", row->ours, row->tolerance);
  if (numbers) {
    add_difference(text, row);
    add_tolerance(text, row);
  }
  add_verdict(text, " data-l=\"verdict\"", row->verdict);
  wy_text_add(text, "<td class=\"note\">");
  add_escaped(text, row->note);
  wy_text_add(text, "</td></tr>\n");
}

static void add_rows(wy_text *text, const wy_findings *f, int part, bool of_paper) {
  int count = 0;
  bool numbers = false;
  for (int i = 0; i < f->count; i++)
    if (wy_row_is_of(&f->row[i], part, of_paper)) {
      count++;
      numbers = numbers || !isnan(f->row[i].published);
    }
  if (count == 0)
    return;
  if (of_paper)
    wy_text_add(text, "<h4>%s of the paper</h4>\n", numbers ? "Numbers and statements" : "Statements");
  else
    wy_text_add(text, "<details open=\"open\"><summary>Further checks: closed forms, independent programs, limits"
                      "</summary>\n");
  wy_text_add(text, "<table class=\"rows\"><thead><tr><th>what</th>");
  if (numbers)
    wy_text_add(text, "<th class=\"n\">%s</th>", of_paper ? "published" : "expected");
  wy_text_add(text, "<th class=\"n\">ours</th>");
  if (numbers)
    wy_text_add(text, "<th class=\"n\">difference</th><th class=\"n\">tolerance</th>");
  wy_text_add(text, "<th>verdict</th><th>remark</th></tr></thead>\n<tbody>\n");
  for (int i = 0; i < f->count; i++)
    if (wy_row_is_of(&f->row[i], part, of_paper))
      add_row(text, &f->row[i], numbers);
  wy_text_add(text, "</tbody></table>\n%s", of_paper ? "" : "</details>\n");
}

/* ---- tables ---- */

/* Published and ours side by side below the name of a column. */
static void add_heading(wy_text *text, const wy_table *table) {
  int lines = wy_table_compared(table) ? 2 : 1;
  wy_text_add(text, "<thead><tr><th rowspan=\"%d\">%s</th>", lines, table->label);
  for (int c = 0; c < table->columns; c++)
    if (table->column[c].compared)
      wy_text_add(text, "<th class=\"c\" colspan=\"2\">%s</th>", table->column[c].name);
    else
      wy_text_add(text, "<th class=\"n\" rowspan=\"%d\">%s</th>", lines, table->column[c].name);
  wy_text_add(text, "<th rowspan=\"%d\">verdict</th></tr>", lines);
  if (lines == 2) {
    wy_text_add(text, "<tr>");
    for (int c = 0; c < table->columns; c++)
      if (table->column[c].compared)
        wy_text_add(text, "<th class=\"n\">published</th><th class=\"n\">ours</th>");
    wy_text_add(text, "</tr>");
  }
  wy_text_add(text, "</thead>\n");
}

static void add_table(wy_text *text, const wy_outcome *o, const wy_table *table) {
  int columns = table->columns + 2; /* label and verdict */
  for (int c = 0; c < table->columns; c++)
    columns += table->column[c].compared;
  add_element(text, "h4", "", table->title);
  wy_text_add(text, "<div class=\"scroll\"><table class=\"stats\">\n");
  add_heading(text, table);
  wy_text_add(text, "<tbody>\n");
  for (int k = 0; k < table->rows; k++) {
    const wy_table_row *row = &table->row[k];
    wy_text_add(text, "<tr><td>");
    add_escaped(text, row->label);
    wy_text_add(text, "</td>");
    for (int c = 0; c < table->columns; c++) {
      char published[32], ours[32];
      wy_format_value(published, row->cell[c].published, NAN);
      wy_format_value(ours, row->cell[c].ours, NAN);
      if (table->column[c].compared)
        wy_text_add(text, "<td class=\"n p\">%s</td>", published);
      wy_text_add(text, "<td class=\"n\">%s</td>", ours);
    }
    add_verdict(text, "", wy_row_verdict(table, row));
    wy_text_add(text, "</tr>\n");
    if (row->note[0]) {
      wy_text_add(text, "<tr><td class=\"note\" colspan=\"%d\">", columns);
      add_escaped(text, row->note);
      wy_text_add(text, "</td></tr>\n");
    }
  }
  wy_text_add(text, "</tbody></table></div>\n");
  add_origin(text, o, table->part, table->name);
}

/* ---- figures ---- */

static void add_figure(wy_text *text, const wy_outcome *o, const wy_chart *chart) {
  char *data = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&data, &size);
  if (!out)
    return;
  wy_chart_svg(chart, out);
  wy_text_add(text, "<figure id=\"%s\">\n", chart->name);
  if (fclose(out) == 0)
    wy_text_append(text, data, size);
  free(data);
  wy_text_add(text, "<figcaption>");
  add_escaped(text, chart->caption);
  add_origin(text, o, chart->part, chart->name);
  wy_text_add(text, "</figcaption>\n</figure>\n");
}

static void add_figures(wy_text *text, const wy_outcome *o, int part) {
  int count = 0;
  for (int i = 0; i < o->findings.charts; i++) {
    if (o->findings.chart[i].part != part)
      continue;
    if (count++ == 0)
      wy_text_add(text, "<div class=\"figures\">\n");
    add_figure(text, o, &o->findings.chart[i]);
  }
  if (count > 0)
    wy_text_add(text, "</div>\n");
}

/* ---- papers ---- */

static void add_part(wy_text *text, const wy_outcome *o, int part) {
  const wy_findings *f = &o->findings;
  wy_text_add(text, "<section id=\"part-%s-%s\">\n", o->experiment->name, o->experiment->part[part].name);
  add_element(text, "h3", "", o->experiment->part[part].title);
  add_command(text, o, part);
  if (o->part[part].status != WY_OK) {
    wy_text_add(text, "<p class=\"v differs\">failed: ");
    add_escaped(text, o->part[part].message.text);
    wy_text_add(text, "</p>\n");
  }
  add_rows(text, f, part, true);
  for (int i = 0; i < f->tables; i++)
    if (f->table[i].part == part)
      add_table(text, o, &f->table[i]);
  add_figures(text, o, part);
  add_rows(text, f, part, false);
  wy_text_add(text, "</section>\n");
}

static void add_outcome(wy_text *text, const wy_outcome *o) {
  const wy_experiment *e = o->experiment;
  wy_text_add(text, "<section id=\"%s\">\n", e->name);
  add_element(text, "h2", "", e->title);
  add_element(text, "p", " class=\"soft\"", e->source);
  wy_text_add(text, "<p class=\"run\">Rerun all of it: <code>withy reproduce %s</code></p>\n", e->name);
  for (int i = 0; e->remark[i]; i++)
    add_element(text, "p", "", e->remark[i]);
  if (o->unfinished)
    wy_text_add(text, "<p class=\"v differs\">Not finished: some parts of this paper have not been run.</p>\n");
  for (int i = 0; i < WY_MAX_PARTS; i++)
    if (o->part[i].run)
      add_part(text, o, i);
  wy_text_add(text, "<h3>Not remade</h3>\n<ul class=\"omitted\">\n");
  for (int i = 0; e->omitted[i].what; i++) {
    wy_text_add(text, "<li>");
    add_escaped(text, e->omitted[i].what);
    wy_text_add(text, ": ");
    add_escaped(text, e->omitted[i].reason);
    wy_text_add(text, "</li>\n");
  }
  wy_text_add(text, "</ul>\n</section>\n");
}

/* ---- the top of the page ---- */

static void add_count(wy_text *text, const char *label, wy_verdict verdict, const wy_tally *tally) {
  const int count = tally->count[verdict];
  wy_text_add(text, "<td class=\"n%s%s\" data-l=\"%s\">%d</td>", count ? " v " : "",
              count ? wy_verdict_name(verdict) : "", label, count);
}

typedef struct totals {
  wy_tally of_paper, further;
  int figures, omissions;
  double seconds;
} totals;

static void add_totals(wy_text *text, const totals *t) {
  int values = 0;
  char time[16];
  for (int i = 0; i < 4; i++)
    values += t->of_paper.count[i];
  wy_format_seconds(time, t->seconds);
  wy_text_add(text, "<td class=\"n\" data-l=\"published values\">%d</td>", values);
  add_count(text, "agree", WY_AGREES, &t->of_paper);
  add_count(text, "explained", WY_EXPLAINED, &t->of_paper);
  add_count(text, "differ", WY_DIFFERS, &t->of_paper);
  add_count(text, "measured", WY_MEASURED, &t->of_paper);
  wy_text_add(text, "<td class=\"n%s\" data-l=\"further checks\">%d of %d</td>",
              t->further.count[WY_DIFFERS] ? " v differs" : "", t->further.count[WY_AGREES],
              t->further.count[WY_AGREES] + t->further.count[WY_EXPLAINED] + t->further.count[WY_DIFFERS]);
  wy_text_add(text,
              "<td class=\"n\" data-l=\"figures\">%d</td><td class=\"n\" data-l=\"not remade\">%d</td>"
              "<td class=\"n\" data-l=\"time\">%s</td></tr>\n",
              t->figures, t->omissions, time);
}

static totals totals_of(const wy_outcome *o) {
  return (totals){wy_outcome_tally(o, true), wy_outcome_tally(o, false), o->findings.charts, wy_outcome_omissions(o),
                  wy_outcome_seconds(o)};
}

static void add_summary(wy_text *text, const wy_outcome *outcomes, int count) {
  totals sum = {0};
  wy_text_add(text,
              "<table class=\"rows\" id=\"summary\"><thead><tr><th>paper</th><th class=\"n\">published values</th>"
              "<th class=\"n\">agree</th><th class=\"n\">explained</th><th class=\"n\">differ</th>"
              "<th class=\"n\">measured</th><th class=\"n\">further checks</th><th class=\"n\">figures</th>"
              "<th class=\"n\">not remade</th><th class=\"n\">time</th></tr></thead>\n<tbody>\n");
  for (int i = 0; i < count; i++) {
    const wy_experiment *e = outcomes[i].experiment;
    const totals t = totals_of(&outcomes[i]);
    wy_text_add(text, "<tr><td class=\"wide\"><a href=\"#%s\">", e->name);
    add_escaped(text, e->title);
    wy_text_add(text, "</a><br/><small>");
    add_escaped(text, e->source);
    wy_text_add(text, "</small><br/><code>withy reproduce %s</code></td>", e->name);
    add_totals(text, &t);
    for (int v = 0; v < 4; v++) {
      sum.of_paper.count[v] += t.of_paper.count[v];
      sum.further.count[v] += t.further.count[v];
    }
    sum.figures += t.figures, sum.omissions += t.omissions, sum.seconds += t.seconds;
  }
  if (count > 1) {
    wy_text_add(text, "<tr class=\"total\"><td class=\"wide\">all<br/><code>withy reproduce</code></td>");
    add_totals(text, &sum);
  }
  wy_text_add(text, "</tbody></table>\n");
}

static void add_words(wy_text *text) {
  wy_text_add(
      text,
      "<p><span class=\"v agrees\">agrees</span>: within the tolerance that the row names. "
      "<span class=\"v explained\">explained</span>: outside of it, and the remark says why; most often, what was "
      "printed cannot be right. <span class=\"v differs\">differs</span>: outside of it. "
      "<span class=\"v measured\">measured</span>: another machine or another code was published, or nothing; there "
      "is no tolerance. Statements without a number have a limit, which the remark names.</p>\n"
      "<p class=\"soft\">Published values are numbers and statements of the papers. Further checks compare with closed "
      "forms, independent programs and limits of our own. What is not remade stands at the end of each paper, with "
      "the reason. All values are in the units of the paper.</p>\n");
}

static void add_contents(wy_text *text, const wy_outcome *outcomes, int count) {
  wy_text_add(text, "<h4>Contents</h4>\n<nav>\n");
  for (int i = 0; i < count; i++) {
    const wy_experiment *e = outcomes[i].experiment;
    wy_text_add(text, "<div><b><a href=\"#%s\">%s</a></b><ul>\n", e->name, e->name);
    for (int k = 0; e->part[k].name; k++)
      if (outcomes[i].part[k].run) {
        wy_text_add(text, "<li><a href=\"#part-%s-%s\">", e->name, e->part[k].name);
        add_escaped(text, e->part[k].title);
        wy_text_add(text, "</a></li>\n");
      }
    wy_text_add(text, "</ul></div>\n");
  }
  wy_text_add(text, "</nav>\n");
}

void wy_report_html(wy_text *text, const wy_outcome *outcomes, int count) {
  wy_text_add(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
                    "<title>Published experiments, reproduced</title>\n<style>\n");
  wy_text_append(text, style, sizeof style - 1);
  wy_text_add(text,
              "</style>\n</head>\n<body>\n<h1>Published experiments, reproduced</h1>\n"
              "<p class=\"soft\">withy %s runs published examples again and puts every published number beside "
              "its own.</p>\n",
              wy_version());
  add_summary(text, outcomes, count);
  add_words(text);
  add_contents(text, outcomes, count);
  for (int i = 0; i < count; i++)
    add_outcome(text, &outcomes[i]);
  wy_text_add(text, "</body>\n</html>\n");
}
