#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A sweep over the ranks of MPI: sbatch mpi.sh PLAN FOLDER
# Two minutes before its time is over the job stops in order and is put into the queue again; so it goes on until every
# point has a row. It does the same after a failed node.
#SBATCH --job-name=sweep
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.log
set -euo pipefail
plan=${1:?usage: sbatch mpi.sh PLAN FOLDER} folder=${2:?usage: sbatch mpi.sh PLAN FOLDER}

ending=
stop() {
  ending=yes
  kill -USR1 "$step" # srun passes it on to the ranks, and so does mpirun
}
trap stop USR1

# In the background, since a shell that waits for a program does not hear signals. With mpirun instead of srun:
#   mpirun --bind-to none withy-mpi sweep ...
srun --kill-on-bad-exit=1 withy-mpi sweep "$plan" -o "$folder" -j "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet &
step=$!
status=0
wait "$step" || status=$?
if [ -n "$ending" ]; then # the first wait was ended by the signal
  status=0
  wait "$step" || status=$?
fi
if [ -n "$ending" ] && [ ! -f "$folder/sweep.csv" ]; then
  exec scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
