/* SPDX-License-Identifier: MIT */
#include "run/results/xdmf.h"

#include <stdio.h>
#include <string.h>

/* A name as XML content or attribute value. */
static void add_name(wy_text *text, const char *name) {
  for (; *name; ++name) {
    switch (*name) {
    case '&':
      wy_text_append(text, "&amp;", 5);
      break;
    case '<':
      wy_text_append(text, "&lt;", 4);
      break;
    case '>':
      wy_text_append(text, "&gt;", 4);
      break;
    case '"':
      wy_text_append(text, "&quot;", 6);
      break;
    default:
      wy_text_append(text, name, 1);
    }
  }
}

static void add_source(wy_text *text, const wy_xdmf_lines *lines, const char *dataset) {
  wy_text_add(text, "result.h5:/%s/",
              lines->strands    ? "strands"
              : lines->rods     ? "batches"
              : lines->obstacle ? "obstacles"
              : lines->body     ? "bodies"
                                : "rods");
  add_name(text, lines->name);
  wy_text_add(text, "/%s", dataset);
}

/* A part of a dataset: `selection` is start, stride and count in each of its dimensions. ParaView's reader keeps the
   geometry of the first snapshot for all others if there is a blank or line break before the inner DataItem. */
static void add_slab(wy_text *text, const char *size, const char *type, const char *selection, int rank,
                     const char *all) {
  wy_text_add(text,
              "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%s\" %s><DataItem Dimensions=\"3 %d\" NumberType=\"Int\" "
              "Format=\"XML\">%s</DataItem><DataItem Dimensions=\"%s\" %s Format=\"HDF\">",
              size, type, rank, selection, all, type);
}

static bool is_point(const wy_xdmf_lines *lines) {
  return lines->body || lines->obstacle;
}

/* A snapshot is the same text for all: its number and its time are put in for these characters. */
#define NUMBER "\1"
#define TIME "\2"

/* A snapshot of a dataset [T][P][3], or of strands and sets of rods [T][S][P][3], those in single precision, or of a
   body [T][components]. */
static void add_vectors(wy_text *text, const wy_xdmf_def *def, const wy_xdmf_lines *lines, const char *dataset,
                        int components) {
  char size[32], selection[96], all[64];
  int points = lines->points, count = lines->strands + lines->rods;
  if (count) {
    snprintf(size, sizeof size, "%ld 3", (long)count * points);
    snprintf(selection, sizeof selection, NUMBER " 0 0 0 1 1 1 1 1 %d %d 3", count, points);
    snprintf(all, sizeof all, "%ld %d %d 3", def->capacity, count, points);
    add_slab(text, size,
             lines->strands || lines->single ? "NumberType=\"Float\" Precision=\"4\""
                                             : "NumberType=\"Float\" Precision=\"8\"",
             selection, 4, all);
  } else if (is_point(lines)) {
    snprintf(size, sizeof size, "1 %d", components);
    snprintf(selection, sizeof selection, NUMBER " 0 1 1 1 %d", components);
    snprintf(all, sizeof all, "%ld %d", def->capacity, components);
    add_slab(text, size, "NumberType=\"Float\" Precision=\"8\"", selection, 2, all);
  } else {
    snprintf(size, sizeof size, "%d 3", points);
    snprintf(selection, sizeof selection, NUMBER " 0 0 1 1 1 1 %d 3", points);
    snprintf(all, sizeof all, "%ld %d 3", def->capacity, points);
    add_slab(text, size, "NumberType=\"Float\" Precision=\"8\"", selection, 3, all);
  }
  add_source(text, lines, dataset);
  wy_text_add(text, "</DataItem></DataItem>");
}

/* The lines through all points. A part of a dataset, too, though it is the whole: only so ParaView takes it without
 * complaint. */
static void add_topology(wy_text *text, const wy_xdmf_lines *lines) {
  char size[32], selection[64];
  int count = lines->strands ? lines->strands : lines->rods ? lines->rods : 1;
  snprintf(size, sizeof size, "%d %d", count, lines->points);
  snprintf(selection, sizeof selection, "0 0 1 1 %d %d", count, lines->points);
  wy_text_add(text, "        <Topology TopologyType=\"Polyline\" NumberOfElements=\"%d\" NodesPerElement=\"%d\">",
              count, lines->points);
  add_slab(text, size, "NumberType=\"Int\" Precision=\"4\"", selection, 2, size);
  add_source(text, lines, "line");
  wy_text_add(text, "</DataItem></DataItem></Topology>\n");
}

static void add_radius(wy_text *text, const wy_xdmf_lines *lines) {
  wy_text_add(text, "        <Attribute Name=\"radius\" AttributeType=\"Scalar\" Center=\"Node\">");
  if (lines->rods) {
    char size[32], selection[64], all[32];
    snprintf(size, sizeof size, "%ld", (long)lines->rods * lines->points);
    snprintf(selection, sizeof selection, "0 0 1 1 %d %d", lines->rods, lines->points);
    snprintf(all, sizeof all, "%d %d", lines->rods, lines->points);
    add_slab(text, size, "NumberType=\"Float\" Precision=\"8\"", selection, 2, all);
    add_source(text, lines, "radius");
    wy_text_add(text, "</DataItem></DataItem></Attribute>\n");
    return;
  }
  wy_text_add(text, "<DataItem Dimensions=\"%d\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">", lines->points);
  add_source(text, lines, "radius");
  wy_text_add(text, "</DataItem></Attribute>\n");
}

static void add_snapshot(wy_text *text, const wy_xdmf_def *def, const wy_xdmf_lines *lines) {
  wy_text_add(text, "      <Grid Name=\"");
  add_name(text, lines->name);
  wy_text_add(text, "\">\n        <Time Value=\"" TIME "\"/>\n");
  if (is_point(lines))
    wy_text_add(text, "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"1\" NodesPerElement=\"1\"/>\n");
  else
    add_topology(text, lines);
  wy_text_add(text, "        <Geometry GeometryType=\"XYZ\">");
  add_vectors(text, def, lines, "position", 3);
  wy_text_add(text, "</Geometry>\n");
  if (lines->has_velocity) {
    wy_text_add(text, "        <Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Node\">");
    add_vectors(text, def, lines, "velocity", 3);
    wy_text_add(text, "</Attribute>\n");
  }
  if (lines->obstacle) {
    wy_text_add(text, "        <Attribute Name=\"force\" AttributeType=\"Vector\" Center=\"Node\">");
    add_vectors(text, def, lines, "force", 3);
    wy_text_add(text, "</Attribute>\n");
  }
  if (is_point(lines)) {
    wy_text_add(text, "        <Attribute Name=\"frame\" AttributeType=\"Matrix\" Center=\"Node\">");
    add_vectors(text, def, lines, "frame", 4);
    wy_text_add(text, "</Attribute>\n");
  } else if (!lines->strands) {
    add_radius(text, lines);
  }
  wy_text_add(text, "      </Grid>\n");
}

/* A snapshot by the text for all of them. */
static void fill_snapshot(wy_text *text, const char *all, long number, double time) {
  for (size_t length; *all; all += length) {
    length = strcspn(all, NUMBER TIME);
    wy_text_append(text, all, length);
    if (all[length] == NUMBER[0])
      wy_text_number(text, (double)number);
    else if (all[length] == TIME[0])
      wy_text_number(text, time);
    length += all[length] != '\0';
  }
}

static void add_snapshots(wy_text *text, const wy_xdmf_def *def, const wy_xdmf_lines *lines) {
  wy_text all = {0};
  add_snapshot(&all, def, lines);
  for (long k = 0; k < def->snapshots && !all.failed; ++k)
    fill_snapshot(text, all.data, k, def->times[k]);
  text->failed = text->failed || all.failed;
  wy_text_free(&all);
}

wy_status wy_xdmf_write(const char *path, const wy_xdmf_def *def, wy_message *message) {
  wy_text text = {0};
  wy_text_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n");
  for (int i = 0; i < def->count; ++i) {
    wy_text_add(&text, "    <Grid Name=\"");
    add_name(&text, def->lines[i].name);
    wy_text_add(&text, "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    add_snapshots(&text, def, &def->lines[i]);
    wy_text_add(&text, "    </Grid>\n");
  }
  wy_text_add(&text, "  </Domain>\n</Xdmf>\n");
  wy_status status = wy_text_replace(path, &text, message);
  wy_text_free(&text);
  return status;
}
