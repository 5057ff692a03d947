#!/bin/sh
# For meson.build: glassbox-gen.sh GLASSBOX SOURCE OUT STAMP [OPTION...]. Exit code 1 of the command says that something is not decided, which is no
# reason to stop a build; the stamp says when it was run.
glassbox=$1 source=$2 out=$3 stamp=$4
shift 4
"$glassbox" gen "$source" --out "$out" "$@"
status=$?
if [ $status -gt 1 ]; then exit $status; fi
: >"$stamp"
