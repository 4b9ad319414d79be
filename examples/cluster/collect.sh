#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Puts the parts of a sweep together: sbatch collect.sh FOLDER. Exit status 1 names the parts that are missing.
#SBATCH --job-name=sweep-collect
#SBATCH --ntasks=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.log
set -euo pipefail
srun withy sweep --collect "${1:?usage: sbatch collect.sh FOLDER}"
