/* The gnuplot script of a run: data blocks first, then every picture as a column of panels that are placed by the
   pixel. Colours are those of Okabe and Ito, which colour-blind readers can tell apart; time runs from light to dark.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/plot.h"

/* Sizes in pixels of the SVG. */
enum {
  WIDTH = 900,
  TITLE = WY_PLOT_TITLE_HEIGHT,
  LEFT = 88,
  RIGHT = 24,
  HEAD = 34,        /* a panel's heading and legend */
  FOOT = 58,        /* tics and label of the time axis */
  GAP = 22,         /* below a panel without time labels */
  BOX = 84,         /* colour scale of the snapshots with its numbers */
  MAX_POINTS = 1000 /* of a curve, in pairs of smallest and largest value */
};

static const char ink[] = "#333333", faint[] = "#e4e4e4", soft[] = "#8a8a8a";
static const char *const component_colours[4] = {"#0072b2", "#d55e00", "#009e73", "#8a8a8a"};
static const unsigned char rod_colours[][3] = {{0, 114, 178},   {213, 94, 0},  {0, 158, 115},
                                               {204, 121, 167}, {230, 159, 0}, {86, 180, 233}};
enum { ROD_COLOURS = sizeof rod_colours / sizeof *rod_colours, MAX_NAMED_RODS = 6 };

unsigned wy_plot_kinds(const wy_plot_run *run) {
  unsigned kinds = 0;
  if (run->rod_count > 0)
    kinds |= WY_PLOT_SNAPSHOTS;
  if (run->frames > 0 && run->energy[WY_PLOT_TOTAL])
    kinds |= WY_PLOT_ENERGY;
  if (run->rows > 0 && run->probe_count > 0)
    kinds |= WY_PLOT_PROBES;
  return kinds;
}

/* A gnuplot string: in single quotes nothing but the quote itself is special. Control characters become spaces. */
static void quote(FILE *out, const char *text) {
  fputc('\'', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '\'')
      fputc('\'', out);
    fputc(*c < 32 ? ' ' : *c, out);
  }
  fputc('\'', out);
}

/* ---- data ---- */

/* A curve as a data block. A long one keeps the smallest and the largest value of every bucket, so that no peak is
 * lost. */
static void write_curve(FILE *out, const char *block, int index, const double *t, const double *y, int count) {
  fprintf(out, "$%s%d << EOD\n", block, index);
  int buckets = count <= 2 * MAX_POINTS ? 0 : MAX_POINTS;
  for (int i = 0; i < count && !buckets; i++)
    fprintf(out, "%.9g %.9g\n", t[i], y[i]);
  for (int b = 0; b < buckets; b++) {
    int first = (int)((long long)b * count / buckets), end = (int)((long long)(b + 1) * count / buckets);
    int low = first, high = first;
    for (int i = first; i < end; i++) {
      low = y[i] < y[low] ? i : low;
      high = y[i] > y[high] ? i : high;
    }
    int one = low < high ? low : high, two = low < high ? high : low;
    fprintf(out, "%.9g %.9g\n", t[one], y[one]);
    if (two != one)
      fprintf(out, "%.9g %.9g\n", t[two], y[two]);
  }
  fputs("EOD\n", out);
}

/* The error of the energy balance: energy(t) - energy(0) - work + dissipated. */
static double balance_error(const wy_plot_run *run, int i) {
  const double *total = run->energy[WY_PLOT_TOTAL], *work = run->energy[WY_PLOT_WORK];
  const double *dissipated = run->energy[WY_PLOT_DISSIPATED];
  return total[i] - total[0] - (work ? work[i] : 0) + (dissipated ? dissipated[i] : 0);
}

static void write_data(FILE *out, const wy_plot_run *run, unsigned kinds) {
  if (kinds & WY_PLOT_SNAPSHOTS) {
    for (int r = 0; r < run->rod_count; r++) {
      const wy_plot_rod *rod = &run->rods[r];
      int stride = 1 + (rod->points - 1) / 400;
      fprintf(out, "# rod %d: a block of points x y z per snapshot\n$rod%d << EOD\n", r + 1, r);
      for (int k = 0; k < run->snapshots; k++) {
        for (int i = 0; i < rod->points; i++) {
          const double *x = rod->position + ((size_t)k * (size_t)rod->points + (size_t)i) * 3;
          if (i % stride == 0 || i == rod->points - 1)
            fprintf(out, "%.7g %.7g %.7g\n", x[0], x[1], x[2]);
        }
        fputs("\n\n", out);
      }
      fputs("EOD\n", out);
    }
  }
  if (kinds & WY_PLOT_ENERGY) {
    double *error = malloc((size_t)run->frames * sizeof *error);
    for (int i = 0; i < WY_PLOT_ENERGIES; i++)
      if (run->energy[i])
        write_curve(out, "energy", i, run->frame_time, run->energy[i], run->frames);
    for (int i = 0; i < run->frames && error; i++)
      error[i] = balance_error(run, i);
    if (error)
      write_curve(out, "balance", 0, run->frame_time, error, run->frames);
    free(error);
  }
  if (kinds & WY_PLOT_PROBES)
    for (int i = 0; i < run->probe_count; i++)
      for (int k = 0; k < run->probes[i].count; k++)
        write_curve(out, "probe", 4 * i + k, run->row_time, run->probes[i].values[k], run->rows);
}

/* ---- panels ---- */

typedef struct range {
  double low, high;
} range;

static range empty_range(void) {
  return (range){INFINITY, -INFINITY};
}

static range widen(range r, const double *values, int count, int stride) {
  for (int i = 0; i < count; i++) {
    double value = values[(size_t)i * (size_t)stride];
    if (isfinite(value)) {
      r.low = fmin(r.low, value);
      r.high = fmax(r.high, value);
    }
  }
  return r;
}

/* What the y axis shows: the data and a margin. Data that are constant but for round-off appear as a level line. */
static range axis_range(range r, double smallest) {
  if (!(r.low <= r.high))
    return (range){-1, 1};
  double size = fmax(fabs(r.low), fabs(r.high)), span = r.high - r.low;
  if (span <= 1e-9 * size || span < smallest) {
    double pad = size > smallest ? 0.1 * size : smallest > 0 ? smallest : 1;
    return (range){r.low - pad, r.high + pad};
  }
  return (range){r.low - 0.06 * span, r.high + 0.06 * span};
}

/* A picture while it is drawn: y is where the next panel may begin, in pixels from the top. */
typedef struct page {
  FILE *out;
  double height;
  double y;
} page;

/* The frame of a panel in pixels from the upper left corner. */
typedef struct frame {
  double x, y, width, height;
} frame;

static double across(double x) {
  return x / WIDTH;
}

static double up(const page *p, double y) {
  return 1 - y / p->height;
}

static void place(const page *p, frame f) {
  fprintf(p->out, "  set lmargin at screen %.5f; set rmargin at screen %.5f\n", across(f.x), across(f.x + f.width));
  fprintf(p->out, "  set tmargin at screen %.5f; set bmargin at screen %.5f\n", up(p, f.y), up(p, f.y + f.height));
}

/* A round distance of tics, such that they are at least `least` pixels apart, but two or more of them fit. */
static double tic_step(range r, double pixels, double least) {
  double span = r.high - r.low, rough = fmin(span * least / pixels, span / 2.2);
  double power = pow(10, floor(log10(rough))), digit = rough / power;
  double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  return span / step >= 2.2 ? step : power * (digit <= 2 ? 1 : digit <= 5 ? 2 : 5);
}

/* Heading at the left, legend at the right above a panel. */
static void head(const page *p, frame f, const char *text) {
  double y = up(p, f.y - 15);
  fprintf(p->out, "  set label 1 ");
  quote(p->out, text);
  fprintf(p->out, " at screen %.5f, screen %.5f left font ',14' tc rgb '%s'\n", across(f.x), y, ink);
  fprintf(p->out, "  set key at screen %.5f, screen %.5f right center horizontal maxrows 1\n", across(f.x + f.width),
          y);
}

static void time_axis(const page *p, frame f, const double *t, int count, bool labelled) {
  range r = {t[0], t[count - 1] > t[0] ? t[count - 1] : t[0] + 1};
  fprintf(p->out, "  set xrange [%.9g:%.9g]; set xtics %.9g\n", r.low, r.high, tic_step(r, f.width, 70));
  fprintf(p->out, "  set format x '%s'; set xlabel '%s' tc rgb '%s'\n", labelled ? "%g" : "", labelled ? "time" : "",
          ink);
}

/* The label stands at a fixed distance from the frame, however long the numbers are. */
static void y_axis(const page *p, frame f, range r, double step, const char *label, double distance) {
  fprintf(p->out, "  set yrange [%.9g:%.9g]; set ytics %.9g\n  set label 3 ", r.low, r.high, step);
  quote(p->out, label);
  fprintf(p->out, " at screen %.5f, screen %.5f center rotate tc rgb '%s'\n", across(f.x - distance),
          up(p, f.y + 0.5 * f.height), ink);
}

static void value_axis(const page *p, frame f, range r, const char *label) {
  y_axis(p, f, r, tic_step(r, f.height, 30), label, 72);
}

/* After a plot command: the picture's title is drawn once, with its first panel. */
static void end_plot(const page *p) {
  fputs("\n  unset label 2\n", p->out);
}

/* One curve of a plot command; a run with a single row shows points. */
static void curve(const page *p, int *first, const char *block, int index, int count, const char *title,
                  const char *colour, double width, int dash) {
  fprintf(p->out, "%s$%s%d using 1:2 with %s lc rgb '%s'", *first ? "  plot " : ", \\\n       ", block, index,
          count > 1 ? "lines" : "points pt 7 ps 0.8", colour);
  if (count > 1)
    fprintf(p->out, " lw %g dt %d", width, dash);
  if (title) {
    fputs(" title ", p->out);
    quote(p->out, title);
  } else {
    fputs(" notitle", p->out);
  }
  *first = 0;
}

/* Axes at the left and below, thin grid. */
static void axes_style(FILE *out) {
  fprintf(out, "  set border 3 lc rgb '%s'; set tics nomirror out scale 0.5 tc rgb '%s'\n", soft, ink);
  fprintf(out, "  set grid lc rgb '%s' lt 1 lw 1; set xlabel tc rgb '%s' offset 0, 0.3\n", faint, ink);
}

/* ---- probes ---- */

enum { PROBE_HEIGHT = 128 };

static double probes_height(const wy_plot_run *run) {
  return run->probe_count * (HEAD + PROBE_HEIGHT + GAP) - GAP + FOOT;
}

static void draw_probes(page *p, const wy_plot_run *run) {
  for (int i = 0; i < run->probe_count; i++) {
    const wy_plot_probe *probe = &run->probes[i];
    bool last = i == run->probe_count - 1;
    frame f = {LEFT, p->y + HEAD, WIDTH - LEFT - RIGHT, PROBE_HEIGHT};
    range r = empty_range();
    for (int k = 0; k < probe->count; k++)
      r = widen(r, probe->values[k], run->rows, 1);
    place(p, f);
    head(p, f, probe->name);
    time_axis(p, f, run->row_time, run->rows, last);
    value_axis(p, f, axis_range(r, 0), probe->quantity[0] ? probe->quantity : "value");
    int first = 1;
    for (int k = 0; k < probe->count; k++) {
      const char *colour = component_colours[probe->label[k][0] == 'w' ? 3 : probe->label[0][0] == 'w' ? k - 1 : k];
      curve(p, &first, "probe", 4 * i + k, run->rows, probe->label[k][0] ? probe->label[k] : NULL, colour, 1.6, 1);
    }
    end_plot(p);
    p->y = f.y + f.height + (last ? FOOT : GAP);
  }
}

/* ---- energy ---- */

enum { ENERGY_HEIGHT = 250, BALANCE_HEIGHT = 90 };

static double energy_height(void) {
  return HEAD + ENERGY_HEIGHT + GAP + HEAD + BALANCE_HEIGHT + FOOT;
}

static void draw_energy(page *p, const wy_plot_run *run) {
  static const struct {
    const char *name, *colour;
    double width;
    int dash;
  } style[WY_PLOT_ENERGIES] = {{"kinetic", "#d55e00", 1.6, 1}, {"elastic", "#009e73", 1.6, 1},
                               {"gravity", "#0072b2", 1.6, 1}, {"total", "#333333", 2.2, 1},
                               {"work", "#e69f00", 1.6, 2},    {"dissipated", "#cc79a7", 1.6, 2}};
  frame f = {LEFT, p->y + HEAD, WIDTH - LEFT - RIGHT, ENERGY_HEIGHT};
  range r = empty_range();
  for (int i = 0; i < WY_PLOT_ENERGIES; i++)
    if (run->energy[i])
      r = widen(r, run->energy[i], run->frames, 1);
  place(p, f);
  head(p, f, "Energies");
  fputs("  set key width -2\n", p->out);
  time_axis(p, f, run->frame_time, run->frames, false);
  value_axis(p, f, axis_range(r, 0), "energy");
  int first = 1;
  for (int i = 0; i < WY_PLOT_ENERGIES; i++)
    if (run->energy[i])
      curve(p, &first, "energy", i, run->frames, style[i].name, style[i].colour, style[i].width, style[i].dash);
  end_plot(p);
  fputs("  set key width 0\n", p->out);

  f.y += f.height + GAP + HEAD;
  f.height = BALANCE_HEIGHT;
  r = empty_range();
  for (int i = 0; i < run->frames; i++) {
    double error = balance_error(run, i);
    r = widen(r, &error, 1, 1);
  }
  place(p, f);
  head(p, f, "Error of the balance: total - total at the start - work + dissipated");
  time_axis(p, f, run->frame_time, run->frames, true);
  value_axis(p, f, axis_range(r, 1e-300), "energy");
  first = 1;
  curve(p, &first, "balance", 0, run->frames, NULL, soft, 1.4, 1);
  end_plot(p);
  p->y = f.y + f.height + FOOT;
}

/* ---- snapshots ---- */

/* One or two projections with the same scale: pixels and the space that they show. */
typedef struct projection {
  int across, up; /* which space axes */
  double x, width;
  range shown_across, shown_up;
} projection;

typedef struct projections {
  int count;
  double height;
  projection view[2];
} projections;

static range centred(range r, double span) {
  double middle = 0.5 * (r.low + r.high);
  return (range){middle - 0.5 * span, middle + 0.5 * span};
}

/* The plane of the two largest extents, the second projection where the third is not small, and a common scale. */
static projections choose_projections(const wy_plot_run *run) {
  range extent[3];
  double size[3], largest = 0;
  for (int c = 0; c < 3; c++) {
    extent[c] = empty_range();
    for (int r = 0; r < run->rod_count; r++)
      extent[c] = widen(extent[c], run->rods[r].position + c, run->snapshots * run->rods[r].points, 3);
    if (!(extent[c].low <= extent[c].high))
      extent[c] = (range){0, 0};
    size[c] = extent[c].high - extent[c].low;
    largest = fmax(largest, size[c]);
  }
  if (largest == 0)
    largest = 1;
  int flat = 0; /* the axis looked along; among equals the first one, so that z points up */
  for (int c = 1; c < 3; c++)
    flat = size[c] < size[flat] ? c : flat;
  projections result = {.count = size[flat] > 0.05 * largest ? 2 : 1};
  result.view[0] = (projection){.across = flat == 0 ? 1 : 0, .up = flat == 2 ? 1 : 2};
  /* The second view shows the flat axis; z stays upright. */
  result.view[1] = flat == 2 ? (projection){.across = 0, .up = 2} : (projection){.across = flat, .up = 2};
  double span[3];
  for (int c = 0; c < 3; c++)
    span[c] = 1.1 * fmax(size[c], 0.1 * largest);

  double gap = 84, room = WIDTH - LEFT - BOX - RIGHT - (result.count == 2 ? gap : 0), sum = 0, scale = 0, rise = 0;
  for (int i = 0; i < result.count; i++)
    sum += span[result.view[i].across];
  double x = LEFT;
  for (int i = 0; i < result.count; i++) {
    projection *view = &result.view[i];
    double share = span[view->across] / sum;
    if (result.count == 2)
      share = fmin(fmax(share, 0.3), 0.7);
    view->x = x;
    view->width = room * share;
    x += view->width + gap;
    scale = fmax(scale, span[view->across] / view->width);
    rise = fmax(rise, span[view->up]);
  }
  result.height = fmin(fmax(rise / scale, 200), 560);
  scale = fmax(scale, rise / result.height);
  for (int i = 0; i < result.count; i++) {
    projection *view = &result.view[i];
    view->shown_across = centred(extent[view->across], scale * view->width);
    view->shown_up = centred(extent[view->up], scale * result.height);
  }
  return result;
}

/* The colour of a rod at a fraction of the time shown: from light to dark. */
static void shade(const unsigned char colour[3], double fraction, char text[8]) {
  int mixed[3];
  for (int c = 0; c < 3; c++) {
    double light = 255 - 0.32 * (255 - colour[c]), dark = 0.42 * colour[c];
    double low = fraction < 0.6 ? light : colour[c], high = fraction < 0.6 ? colour[c] : dark;
    mixed[c] = (int)lround(low + (high - low) * (fraction < 0.6 ? fraction / 0.6 : (fraction - 0.6) / 0.4));
  }
  snprintf(text, 8, "#%02x%02x%02x", (unsigned)mixed[0] & 255, (unsigned)mixed[1] & 255, (unsigned)mixed[2] & 255);
}

static double snapshot_fraction(const wy_plot_run *run, int k) {
  return run->snapshots < 2 ? 1 : (double)k / (run->snapshots - 1);
}

/* Snapshots of one rod, the first dashed and the last thick, and a dot where s = 0. */
static void draw_rod(const page *p, const wy_plot_run *run, int r, const projection *view) {
  int last = run->snapshots - 1, x = view->across + 1, y = view->up + 1;
  for (int k = 0; k <= last; k++) {
    char colour[8];
    bool first = k == 0 && k < last;
    shade(rod_colours[r % ROD_COLOURS], snapshot_fraction(run, k), colour);
    fprintf(p->out, ", \\\n       $rod%d index %d using %d:%d with lines lc rgb '%s' lw %g dt %s notitle", r, k, x, y,
            first ? soft : colour,
            k == last ? 3.2
            : first   ? 2.2
                      : 1.2,
            first ? "'-'" : "1");
  }
  fprintf(p->out, ", \\\n       $rod%d index %d every ::0::0 using %d:%d with points pt 7 ps 0.7 lc rgb '%s' notitle",
          r, last, x, y, ink);
}

/* Names of several rods stand below the heading, with room for two lines. */
static double snapshot_head(const wy_plot_run *run) {
  return run->rod_count > 1 ? HEAD + 36 : HEAD;
}

/* The legend has an invisible panel of its own, as wide as the picture: how first and last look, and the rods' colours.
 */
static void snapshot_legend(const page *p, const wy_plot_run *run, frame f) {
  int last = run->snapshots - 1;
  char colour[8], title[64];
  place(p, f);
  if (run->rod_count > 1)
    f.y -= 8;
  head(p, f, "");
  fputs("  unset border; unset tics; unset grid; unset xlabel; unset label 3\n  plot ", p->out);
  if (last > 0) {
    snprintf(title, sizeof title, "t = %.4g", run->snapshot_time[0]);
    fprintf(p->out, "NaN with lines lc rgb '%s' lw 2.2 dt '-' title '%s', ", soft, title);
  }
  snprintf(title, sizeof title, "t = %.4g", run->snapshot_time[last]);
  for (int r = 0; r < run->rod_count && r < MAX_NAMED_RODS; r++) {
    shade(rod_colours[r % ROD_COLOURS], 1, colour);
    fprintf(p->out, "NaN with lines lc rgb '%s' lw 3.2 title ", colour);
    quote(p->out, run->rod_count == 1 ? title : run->rods[r].name);
    fputs(", ", p->out);
  }
  fprintf(p->out, "NaN with points pt 7 ps 0.7 lc rgb '%s' title 's = 0'\n", ink);
  axes_style(p->out);
}

static void draw_snapshots(page *p, const wy_plot_run *run) {
  static const char *const axis[3] = {"x", "y", "z"};
  static const unsigned char grey[3] = {128, 128, 128};
  projections chosen = choose_projections(run);
  double legend = snapshot_head(run);
  frame whole = {LEFT, p->y + legend, WIDTH - LEFT - RIGHT - BOX, chosen.height};
  char light[8], middle[8], dark[8];
  const unsigned char *scale = run->rod_count == 1 ? rod_colours[0] : grey;
  shade(scale, 0, light);
  shade(scale, 0.6, middle);
  shade(scale, 1, dark);
  double begin = run->snapshot_time[0], end = run->snapshot_time[run->snapshots - 1];
  fprintf(p->out, "  set palette defined (0 '%s', 0.6 '%s', 1 '%s')\n", light, middle, dark);
  fprintf(p->out, "  set cbrange [%.9g:%.9g]; set cblabel 'time' tc rgb '%s'; set cbtics scale 0 tc rgb '%s'\n", begin,
          end > begin ? end : begin + 1, ink, ink);
  for (int i = 0; i < chosen.count; i++) {
    const projection *view = &chosen.view[i];
    frame f = {view->x, whole.y, view->width, chosen.height};
    place(p, f);
    head(p, (frame){f.x, f.y - (legend - HEAD), f.width, f.height}, i == 0 ? "Snapshots of the centreline" : "");
    double step = fmin(tic_step(view->shown_across, f.width, 60), tic_step(view->shown_up, f.height, 60));
    fprintf(p->out, "  set xrange [%.9g:%.9g]; set xtics %.9g; set format x '%%g'; set xlabel '%s'\n",
            view->shown_across.low, view->shown_across.high, step, axis[view->across]);
    y_axis(p, f, view->shown_up, step, axis[view->up], 60);
    bool colour_box = i == 0 && run->snapshots > 1;
    if (colour_box)
      fprintf(p->out, "  set colorbox user origin screen %.5f, screen %.5f size screen %.5f, screen %.5f noborder\n",
              across(WIDTH - RIGHT - BOX + 22), up(p, f.y + f.height), across(12), f.height / p->height);
    fprintf(p->out, "  plot NaN with %s notitle", colour_box ? "lines lc palette" : "lines");
    for (int r = 0; r < run->rod_count; r++)
      draw_rod(p, run, r, view);
    end_plot(p);
    fputs("  unset colorbox\n", p->out);
  }
  snapshot_legend(p, run, whole);
  p->y = whole.y + whole.height + FOOT;
}

/* ---- pictures ---- */

static double picture_height(const wy_plot_run *run, unsigned kinds) {
  double height = TITLE;
  if (kinds & WY_PLOT_SNAPSHOTS)
    height += snapshot_head(run) + choose_projections(run).height + FOOT;
  if (kinds & WY_PLOT_ENERGY)
    height += energy_height();
  if (kinds & WY_PLOT_PROBES)
    height += probes_height(run);
  return ceil(height);
}

static void draw_picture(FILE *out, const wy_plot_run *run, const wy_plot_picture *picture) {
  page p = {out, picture_height(run, picture->kinds), TITLE};
  fprintf(out,
          "  if (format eq 'svg') {\n"
          "    set terminal svg size %d,%d noenhanced font 'sans-serif,13' background '#ffffff'\n"
          "  } else {\n"
          "    set terminal pngcairo size %d,%d noenhanced font 'Sans,13' fontscale 1.125 linewidth 1.5 pointscale 1.5 "
          "background '#ffffff'\n"
          "  }\n",
          WIDTH, (int)p.height, WIDTH * 3 / 2, (int)p.height * 3 / 2);
  fputs("  set output ", out);
  quote(out, picture->name);
  fputs(".'.'.format\n  set multiplot\n", out);
  axes_style(out);
  fputs("  set label 2 ", out);
  quote(out, run->title);
  fprintf(out, " at screen %.5f, screen %.5f left font ',17' tc rgb '%s'\n", (double)LEFT / WIDTH, 1 - 26 / p.height,
          ink);
  if (picture->kinds & WY_PLOT_SNAPSHOTS)
    draw_snapshots(&p, run);
  if (picture->kinds & WY_PLOT_ENERGY)
    draw_energy(&p, run);
  if (picture->kinds & WY_PLOT_PROBES)
    draw_probes(&p, run);
  fputs("  unset multiplot\n  set output\n", out);
}

void wy_plot_script(FILE *out, const wy_plot_run *run, const wy_plot_picture *pictures, int count,
                    const char *formats) {
  unsigned kinds = 0;
  for (int i = 0; i < count; i++)
    kinds |= pictures[i].kinds;
  fprintf(out,
          "# Made by withy plot, with the data inside. Run gnuplot on it in the folder where the pictures shall be.\n"
          "set encoding utf8\n");
  write_data(out, run, kinds);
  fprintf(out, "set key samplen 1.4 font ',12' tc rgb '%s'\nunset colorbox\n", ink);
  fprintf(out, "do for [format in '%s'] {\n", formats);
  for (int i = 0; i < count; i++)
    draw_picture(out, run, &pictures[i]);
  fputs("}\n", out);
}
