#!/bin/bash
# Merges the shards that glassbox-array.sh left.
#SBATCH --job-name=glassbox-merge
#SBATCH --cpus-per-task=1
set -euo pipefail

parts=${GLASSBOX_PARTS:-glassbox-parts}
folders=()
for shard in $(seq 1 "${GLASSBOX_SHARDS:?how many shards there are}"); do
    folders+=("$parts/$shard")
done
exec "${GLASSBOX:-glassbox}" merge "${folders[@]}" --out "${GLASSBOX_OUT:-glassbox-out}"
