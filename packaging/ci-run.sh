#!/bin/bash
# One run in CI on what changed: reports, a summary in Markdown, and an exit code that fails the job only for what it should.
# The GitHub Action starts it; other systems can, too.
#
# Reads: GLASSBOX_COMMAND (gen or check), GLASSBOX_PATHS, GLASSBOX_ARGS, GLASSBOX_SINCE, GLASSBOX_OUT,
# GLASSBOX_FAIL_ON (violation, unknown or never), GLASSBOX_SUMMARY (the file to which the summary is added).
# Leaves in $GLASSBOX_OUT: suite.json, tests, report, and the findings as code-scanning.sarif.
set -euo pipefail

glassbox=${GLASSBOX:-glassbox}
command=${GLASSBOX_COMMAND:-check}
out=${GLASSBOX_OUT:-glassbox-out}
# Options and paths are words, as on a command line.
read -r -a paths <<<"${GLASSBOX_PATHS:-}"
read -r -a more <<<"${GLASSBOX_ARGS:-}"
formats=suite,tests,html,sarif
if [ "$command" = gen ]; then formats=html,sarif,junit,cobertura,lcov; fi

words=("$command" "${paths[@]}" --out "$out" --format "$formats")
# A new branch has no revision before it (GitHub gives zeros): then everything is looked at.
since=${GLASSBOX_SINCE:-}
if [ -n "$since" ] && ! [[ $since =~ ^0+$ ]]; then
    if git rev-parse --quiet --verify "$since^{commit}" >/dev/null; then
        words+=(--since "$since")
    else
        echo "glassbox: $since is not in this clone (fetch-depth: 0 gets it); everything is looked at" >&2
    fi
fi
words+=("${more[@]}")
echo "glassbox ${words[*]}"

# Nothing of an earlier run is taken for this one's.
sarif=$out/glassbox.sarif
if [ "$command" = gen ]; then sarif=$out/report/goals.sarif; fi
rm -f "$out/suite.json" "$out/code-scanning.sarif" "$sarif"
status=0
"$glassbox" "${words[@]}" || status=$?

if [ -f "$sarif" ]; then cp "$sarif" "$out/code-scanning.sarif"; fi
if [ -n "${GLASSBOX_SUMMARY:-}" ]; then
    if [ -f "$out/suite.json" ]; then
        "$glassbox" report "$out" --format markdown >/dev/null || true
        cat "$out/report/summary.md" >>"$GLASSBOX_SUMMARY"
    else
        echo "Glassbox ended with exit code $status and left no suite." >>"$GLASSBOX_SUMMARY"
    fi
fi

case "$status:${GLASSBOX_FAIL_ON:-violation}" in
    0:* | 1:violation | 1:never | 3:never) exit 0 ;;
    *) exit "$status" ;;
esac
