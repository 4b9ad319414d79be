/* SPDX-License-Identifier: MIT */
#include "mpi/share.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "run/results/file.h"
#include "run/sweep/plan.h"

/* The beginning of what is sent. The texts follow, each with its zero: label, plan ("" of a scenario alone), name of
   the scenario, scenario, settings, names and texts of files. */
typedef struct wy_head {
  uint64_t size; /* of all bytes; 0: there is nothing to do */
  uint64_t identity;
  int32_t threads, settings, files;
  int32_t status;   /* where there is nothing to do */
  int32_t alone;    /* a scenario without a plan */
  char version[20]; /* of withy on rank 0 */
} wy_head;

/* What a rank answers. */
typedef struct answer {
  bool same;
  char host[64];
  char reason[448];
} answer;

/* ---- Rank 0 ---- */

static void add(wy_text *bytes, const char *text) {
  wy_text_append(bytes, text, strlen(text) + 1);
}

static void pack(wy_text *bytes, const wy_shared *shared) {
  const wy_plan *plan = shared->plan;
  const wy_scenario *scenario = shared->scenario;
  const wy_scenario_file *files = plan ? plan->files : scenario->files;
  wy_head head = {.identity = plan ? plan->identity : 0,
                  .threads = shared->threads,
                  .settings = shared->setting_count,
                  .files = plan ? plan->file_count : scenario->file_count,
                  .status = WY_EXIT_INPUT,
                  .alone = !plan};
  snprintf(head.version, sizeof head.version, "%s", wy_version());
  wy_text_append(bytes, (const char *)&head, sizeof head);
  add(bytes, shared->label);
  add(bytes, plan ? plan->text : "");
  add(bytes, plan ? plan->scenario : scenario->name);
  add(bytes, plan ? plan->scenario_text : scenario->text);
  for (int i = 0; i < shared->setting_count; i++)
    add(bytes, shared->settings[i]);
  for (int i = 0; i < head.files; i++) {
    add(bytes, files[i].name);
    add(bytes, files[i].text);
  }
  if (bytes->failed)
    return;
  head.size = bytes->length;
  memcpy(bytes->data, &head, sizeof head);
}

/* ---- The other ranks ---- */

static const char *next_text(const char **at) {
  const char *text = *at;
  *at += strlen(text) + 1;
  return text;
}

/* The texts of a plan or a scenario. */
typedef struct texts {
  const char *label, *plan;
  wy_scenario_file scenario;
  const char **settings;
  wy_scenario_file *files;
} texts;

/* A scenario of a plan that this machine has as a file is read from there: paths in messages are then the same on all
   ranks, and its bytes are compared by the identity. */
static void read_plan(const wy_head *head, const texts *of, wy_plan **plan, wy_scenario_error *error) {
  wy_plan_def def = wy_default_plan_def();
  def.label = of->label;
  def.text = of->plan;
  def.settings = of->settings;
  def.setting_count = head->settings;
  def.scenarios = &of->scenario;
  def.scenario_count = 1;
  def.files = of->files;
  def.file_count = head->files;
  wy_plan_read(&def, plan, error);
}

/* Reads the plan or the scenario out of the bytes. */
static void unpack(const char *bytes, wy_shared *shared, wy_scenario_error *error) {
  wy_head head;
  memcpy(&head, bytes, sizeof head);
  const char *at = bytes + sizeof head;
  texts of = {.settings = calloc((size_t)head.settings + 1, sizeof *of.settings),
              .files = calloc((size_t)head.files + 1, sizeof *of.files)};
  snprintf(error->text, sizeof error->text, "out of memory");
  if (of.settings && of.files) {
    of.label = next_text(&at);
    of.plan = next_text(&at);
    of.scenario.name = next_text(&at);
    of.scenario.text = next_text(&at);
    for (int i = 0; i < head.settings; i++)
      of.settings[i] = next_text(&at);
    for (int i = 0; i < head.files; i++) {
      of.files[i].name = next_text(&at);
      of.files[i].text = next_text(&at);
    }
    if (head.alone)
      wy_scenario_read_with(of.label, of.scenario.name, of.scenario.text, of.settings, head.settings, of.files,
                            head.files, &shared->scenario, error);
    else
      read_plan(&head, &of, &shared->plan, error);
  }
  free(of.settings);
  free(of.files);
}

static void take(const char *bytes, const wy_head *head, wy_shared *shared, answer *mine) {
  wy_scenario_error error = {.text = ""};
  if (strcmp(head->version, wy_version()) != 0) {
    snprintf(mine->reason, sizeof mine->reason, "it has withy %s, rank 0 has %s", wy_version(), head->version);
    return;
  }
  shared->threads = head->threads;
  unpack(bytes, shared, &error);
  mine->same = shared->scenario || (shared->plan && shared->plan->identity == head->identity);
  if (!shared->plan && !shared->scenario)
    snprintf(mine->reason, sizeof mine->reason, "%.400s", error.text);
  else if (!mine->same)
    snprintf(mine->reason, sizeof mine->reason, "its file %s, or a file that it names, differs from that of rank 0",
             shared->plan->scenario_label);
}

/* ---- All ---- */

/* A broadcast of more bytes than one message may have. */
static void broadcast(MPI_Comm comm, char *bytes, size_t size) {
  enum { PIECE = 1 << 30 };
  for (size_t done = 0, part; done < size; done += part) {
    part = size - done < PIECE ? size - done : PIECE;
    MPI_Bcast(bytes + done, (int)part, MPI_BYTE, 0, comm);
  }
}

static bool judge(const answer *answers, int ranks, wy_message *message) {
  for (int rank = 1; rank < ranks; rank++)
    if (!answers[rank].same) {
      wy_results_fail(message, WY_ERROR_INPUT, "rank %d on %s cannot take part: %s", rank, answers[rank].host,
                      answers[rank].reason);
      return false;
    }
  return true;
}

/* All answers to rank 0, its judgement to all. */
static bool agree(MPI_Comm comm, int rank, const answer *mine, wy_message *message) {
  int ranks, good = 0;
  MPI_Comm_size(comm, &ranks);
  answer *answers = rank == 0 ? calloc((size_t)ranks, sizeof *answers) : NULL;
  if (rank == 0 && !answers)
    return MPI_Abort(comm, 1); /* which does not return */
  MPI_Gather(mine, sizeof *mine, MPI_BYTE, answers, sizeof *mine, MPI_BYTE, 0, comm);
  if (rank == 0)
    good = judge(answers, ranks, message);
  free(answers);
  MPI_Bcast(&good, 1, MPI_INT, 0, comm);
  return good;
}

bool wy_share(MPI_Comm comm, wy_shared *shared, wy_message *message) {
  int rank, length;
  wy_head head = {.status = shared->status};
  wy_text bytes = {0};
  answer mine = {.same = false};
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  MPI_Comm_rank(comm, &rank);
  MPI_Get_processor_name(host, &length);
  snprintf(mine.host, sizeof mine.host, "%.63s", host);
  message->text[0] = '\0';
  if (rank == 0 && (shared->plan || shared->scenario)) {
    pack(&bytes, shared);
    if (bytes.failed)
      return MPI_Abort(comm, 1); /* which does not return */
    memcpy(&head, bytes.data, sizeof head);
  }
  MPI_Bcast(&head, sizeof head, MPI_BYTE, 0, comm);
  shared->status = head.status;
  if (head.size == 0)
    return false;
  char *received = rank == 0 ? bytes.data : malloc((size_t)head.size);
  if (!received)
    return MPI_Abort(comm, 1); /* which does not return */
  broadcast(comm, received, (size_t)head.size);
  if (rank != 0) {
    take(received, &head, shared, &mine);
    free(received);
  }
  wy_text_free(&bytes);
  return agree(comm, rank, &mine, message);
}
