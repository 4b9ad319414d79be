#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A whole sweep as a job array, then the collection of its parts: bash submit.sh PLAN FOLDER
set -euo pipefail
here=$(dirname "$0")
plan=${1:?usage: bash submit.sh PLAN FOLDER} folder=${2:?usage: bash submit.sh PLAN FOLDER}
array=$(sbatch --parsable "$here/array.sh" "$plan" "$folder")
# afterany: also if some points failed; they are rows as well.
sbatch --dependency="afterany:${array%%;*}" "$here/collect.sh" "$folder"
