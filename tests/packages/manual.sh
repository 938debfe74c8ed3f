#!/usr/bin/env bash
# Every manual page exists, and neither mandoc nor groff reports a problem.
# usage: manual.sh BAYPLAN
set -euo pipefail
bayplan=$1
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT

"$bayplan" man --folder "$pages"
[ -s "$pages/bayplan.1" ]
# One per command in the help.
commands=$("$bayplan" --help | sed -n '/^Subcommands:/,$ s/^  \([a-z-]*\) .*/\1/p')
[ -n "$commands" ]
for command in $commands; do
  cmp "$pages/bayplan-$command.1" <("$bayplan" man "$command")
  # Every option of the help stands on the page.
  for option in $("$bayplan" "$command" --help | grep -oE '^  (-[a-z],)?--[a-z-]+' | grep -oE '\-\-[a-z-]+'); do
    grep -qF -- "\\fB${option//-/\\-}\\fR" "$pages/bayplan-$command.1" || { echo "$command: $option is not on its page"; exit 1; }
  done
done

checked=0
if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "$pages"/*.1
  checked=1
fi
if command -v groff >/dev/null; then
  for page in "$pages"/*.1; do
    said=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$said" ] || { echo "$said"; exit 1; }
  done
  checked=1
fi
[ $checked = 1 ] || exit 77
