#!/usr/bin/env bash
# Tests the packages of scripts/packages: their content is complete, and the program runs without other files. Those of arm64 run
# under qemu.
# usage: contents.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "contents.sh: $*"; exit 1; }

sha256sum --quiet --check SHA256SUMS
[ "$(wc -l <SHA256SUMS)" = "$(find . -type f ! -name SHA256SUMS | wc -l)" ] || fail "SHA256SUMS does not list every file"

# of_architecture ARCHITECTURE PROCESSOR: as Debian and as Python name it
of_architecture() {
  local architecture=$1 processor=$2 run=() wanted notice headers tags
  local top=$scratch/$architecture
  [ "$architecture" = "$(dpkg --print-architecture)" ] || run=(qemu-aarch64-static)
  mkdir "$top"

  # The archive: the program needs no library, and is what the manual and the completions were made of.
  tar -xzf bayplan-*-linux-"$architecture".tar.gz -C "$top"
  local tree
  tree=$(echo "$top"/bayplan-*)
  for wanted in bin/bayplan man/man1/bayplan.1 man/man1/bayplan-lint.1 completions/bayplan.bash completions/_bayplan \
    completions/bayplan.fish schemas/task-definition.schema.json NOTICE LICENSE README.md CHANGELOG.md; do
    [ -s "$tree/$wanted" ] || fail "the archive has no $wanted"
  done
  headers=$(readelf -lhSd "$tree/bin/bayplan")
  # A static program that is position independent has a dynamic section, but names no loader and no library.
  ! grep -Eq 'INTERP|\(NEEDED\)' <<<"$headers" || fail "the program is not static"
  ! grep -q '\.symtab' <<<"$headers" || fail "the program is not stripped"
  grep -Eq "Machine: .*${processor/x86_64/X86-64}" <<<"${headers/AArch64/aarch64}" || fail "the program is for another processor"
  "${run[@]}" "$tree/bin/bayplan" --version >"$scratch/version"
  cmp "$tree/completions/bayplan.bash" <("${run[@]}" "$tree/bin/bayplan" completion bash)
  [ "$(ls "$tree/schemas" | wc -l)" = "$("${run[@]}" "$tree/bin/bayplan" schema --list | wc -l)" ] || fail "schemas are missing"
  for notice in Apache glibc gcc clp coinutils re2 yaml-cpp nlohmann fmtlib cli11 zlib bzip2 lapack; do
    grep -q "$notice" "$tree/NOTICE" || fail "NOTICE does not name $notice"
  done
  ! grep -aq -e "$HOME/" -e "$PWD" "$tree/bin/bayplan" || fail "the program says where it was built"

  # The Debian package: the same program, and nothing that it depends on.
  local deb
  deb=$(echo bayplan_*_"$architecture".deb)
  [ "$(dpkg-deb -f "$deb" Architecture)" = "$architecture" ] || fail "$deb is for another processor"
  [ -z "$(dpkg-deb -f "$deb" Depends)" ] || fail "the package depends on something"
  dpkg-deb -x "$deb" "$top/deb"
  cmp "$top/deb/usr/bin/bayplan" "$tree/bin/bayplan"
  for wanted in bash-completion/completions/bayplan zsh/vendor-completions/_bayplan fish/vendor_completions.d/bayplan.fish \
    man/man1/bayplan-fleet.1.gz doc/bayplan/copyright doc/bayplan/changelog.gz bayplan/schemas/scenario.schema.json; do
    [ -s "$top/deb/usr/share/$wanted" ] || fail "the Debian package has no $wanted"
  done
  if command -v lintian >/dev/null; then lintian --fail-on error,warning --allow-root "$deb"; fi

  # The wheel: the same program again, for the systems of an index that have the oldest C libraries.
  local wheel
  wheel=$(echo bayplan-*"_$processor".whl)
  tags=manylinux2014_$processor.manylinux_2_17_$processor.musllinux_1_1_$processor
  [[ $wheel = bayplan-*-py3-none-$tags.whl ]] || fail "tags of the wheel: $wheel"
  python3 -m zipfile -e "$wheel" "$top/wheel"
  cmp "$top"/wheel/bayplan-*.data/scripts/bayplan "$tree/bin/bayplan"
  [ "$(grep '^Tag: py3-none-' "$top"/wheel/*.dist-info/WHEEL | wc -l)" = 3 ] || fail "the wheel lists other tags than its name"
}

for archive in bayplan-*-linux-*.tar.gz; do
  case $archive in
    *-amd64.tar.gz) of_architecture amd64 x86_64 ;;
    *-arm64.tar.gz) of_architecture arm64 aarch64 ;;
    *) fail "unknown archive $archive" ;;
  esac
done
for context in bayplan-*-container.tar.gz; do
  [ ! -e "$context" ] || python3 "$here/container.py" "$context"
done
for bundle in bayplan-*-bundle.tar.gz; do
  [ -e "$bundle" ] || continue
  tar -xzf "$bundle" -C "$scratch"
  python3 "$here/action.py" "$scratch/${bundle%.tar.gz}"
done
echo "$(head -n 1 "$scratch/version"): $(wc -l <SHA256SUMS) packages"
