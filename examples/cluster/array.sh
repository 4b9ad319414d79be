#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A sweep as a Slurm job array: every task computes one part, on a core of its own. Needs no MPI.
#   sbatch array.sh PLAN FOLDER        then, when all tasks have ended, collect.sh; submit.sh does both
# A task that was killed can be submitted again: sbatch --array=7 array.sh PLAN FOLDER
#SBATCH --job-name=sweep-part
#SBATCH --array=1-20
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%A-%a.log
set -euo pipefail
parts=20 # as in --array above: it says which points are whose, so keep it when a task is submitted again
plan=${1:?usage: sbatch array.sh PLAN FOLDER} folder=${2:?usage: sbatch array.sh PLAN FOLDER}

# --resume: what an earlier attempt has computed is kept. On an empty folder it just starts.
srun withy sweep "$plan" -o "$folder" --part "$SLURM_ARRAY_TASK_ID/$parts" -j "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet
