#!/bin/bash
# For pre-commit: `glassbox check` on each C file that is committed, each for itself. Options come before the files.
# A violation fails the commit; what is not decided does not.
set -uo pipefail

options=()
while [ $# -gt 0 ]; do
    case $1 in
        *.c | *.i) break ;;
        *) options+=("$1") ;;
    esac
    shift
done
glassbox=${GLASSBOX:-glassbox}
if ! command -v "$glassbox" >/dev/null; then
    echo "glassbox is not installed: pip install glassbox-tg" >&2
    exit 1
fi
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
worst=0
for file in "$@"; do
    status=0
    said=$("$glassbox" check --quiet --format suite --out "$out" "${options[@]}" "$file" 2>&1) || status=$?
    case $status in
        0 | 1) ;;
        *)
            echo "$file:"
            echo "$said"
            worst=1
            ;;
    esac
done
exit "$worst"
