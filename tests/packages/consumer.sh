#!/usr/bin/env bash
# Installs a build into a folder, then builds and runs a project that finds bayplan only there.
# usage: consumer.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/usr" >"$scratch/installed"
for wanted in bin/bayplan include/bayplan/bayplan.hpp share/man/man1/bayplan-lint.1 \
  share/bash-completion/completions/bayplan share/fish/vendor_completions.d/bayplan.fish share/zsh/site-functions/_bayplan \
  share/bayplan/schemas/scenario.schema.json; do
  [ -s "$scratch/usr/$wanted" ] || { echo "not installed: $wanted"; cat "$scratch/installed"; exit 1; }
done
mv "$scratch/usr" "$scratch/moved"  # nothing may remember where it was installed

cmake -S "$source/tests/consumer" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$scratch/moved" \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cmake --build "$scratch/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
"$scratch/build/consumer"
! grep -q "$build" -r "$scratch/moved/lib" --include='*.cmake' || { echo "the package names the folder it was built in"; exit 1; }
