#!/bin/bash
# Submits a run as a Slurm array of N shards, and a job that merges them when all are done.
#
#   glassbox-slurm.sh N gen --compdb build/compile_commands.json --criterion mcdc
#
# The suite is left in $GLASSBOX_OUT (glassbox-out). Options of sbatch go into $GLASSBOX_SBATCH, as
# "--partition=long --time=60". With GLASSBOX_WAIT=1 it comes back when everything is done, with the exit code of the merge.
set -euo pipefail

if [ $# -lt 2 ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
shards=$1
shift
export GLASSBOX_SHARDS=$shards
export GLASSBOX_PARTS=${GLASSBOX_PARTS:-glassbox-parts}
export GLASSBOX_OUT=${GLASSBOX_OUT:-glassbox-out}
read -r -a extra <<<"${GLASSBOX_SBATCH:-}"

array=$(sbatch --parsable "${extra[@]}" --array="1-$shards" "$here/glassbox-array.sh" "$@")
array=${array%%;*}
echo "shards: job $array"
wait_for_it=()
if [ "${GLASSBOX_WAIT:-0}" = 1 ]; then wait_for_it=(--wait); fi
status=0
sbatch "${wait_for_it[@]}" "${extra[@]}" --dependency="afterok:$array" --kill-on-invalid-dep=yes \
    --job-name=glassbox-merge --output=glassbox-merge-%j.log "$here/glassbox-merge.sh" || status=$?
exit "$status"
