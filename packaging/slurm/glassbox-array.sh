#!/bin/bash
# One shard of a run for each task of a Slurm array; `glassbox-slurm.sh` submits it with the merge behind it.
#
#   sbatch --array=1-16 glassbox-array.sh gen --compdb build/compile_commands.json
#
# Shards are left in $GLASSBOX_PARTS (glassbox-parts), which all nodes see. To do a shard again:
#   sbatch --array=5 --export=ALL,GLASSBOX_SHARDS=16 glassbox-array.sh gen ...
#SBATCH --job-name=glassbox
#SBATCH --cpus-per-task=1
#SBATCH --output=glassbox-%A_%a.log
#SBATCH --requeue
set -euo pipefail

shards=${GLASSBOX_SHARDS:-$SLURM_ARRAY_TASK_COUNT}
parts=${GLASSBOX_PARTS:-glassbox-parts}
shard=$SLURM_ARRAY_TASK_ID
mkdir -p "$parts"
# Not as an option: the suite records its command, which should be that of one machine.
export GLASSBOX_JOBS=${SLURM_CPUS_PER_TASK:-1}

status=0
"${GLASSBOX:-glassbox}" "$@" --shard "$shard/$shards" --out "$parts/$shard" || status=$?
# 1 is "something is unknown" and 3 "a violation was found": results, which the merge reports for all shards together.
case $status in
    0 | 1 | 3) echo "shard $shard of $shards: done (exit code $status)" ;;
    *) exit "$status" ;;
esac
