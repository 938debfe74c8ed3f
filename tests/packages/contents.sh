#!/usr/bin/env bash
# Tests the packages of scripts/packages: their content is complete, and the program runs without other files.
# usage: contents.sh FOLDER
set -euo pipefail
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "contents.sh: $*"; exit 1; }

sha256sum --quiet --check SHA256SUMS
[ "$(wc -l <SHA256SUMS)" = "$(find . -type f ! -name SHA256SUMS | wc -l)" ] || fail "SHA256SUMS does not list every file"

# The archive: the program needs no library, and is what the manual and the completions were made of.
tar -xzf bayplan-*.tar.gz -C "$scratch"
tree=$(echo "$scratch"/bayplan-*)
for wanted in bin/bayplan man/man1/bayplan.1 man/man1/bayplan-lint.1 completions/bayplan.bash completions/_bayplan \
  completions/bayplan.fish schemas/task-definition.schema.json NOTICE LICENSE README.md CHANGELOG.md; do
  [ -s "$tree/$wanted" ] || fail "the archive has no $wanted"
done
ldd "$tree/bin/bayplan" >/dev/null 2>&1 && fail "the program is not static"
"$tree/bin/bayplan" --version >"$scratch/version"
cmp "$tree/completions/bayplan.bash" <("$tree/bin/bayplan" completion bash)
[ "$(ls "$tree/schemas" | wc -l)" = "$("$tree/bin/bayplan" schema --list | wc -l)" ] || fail "schemas are missing"
for notice in Apache glibc gcc clp coinutils re2 yaml-cpp nlohmann fmtlib cli11 zlib bzip2 lapack; do
  grep -q "$notice" "$tree/NOTICE" || fail "NOTICE does not name $notice"
done
! grep -aq -e "$HOME/" -e "$PWD" "$tree/bin/bayplan" || fail "the program says where it was built"

# The Debian package: the same program, and nothing that it depends on.
[ -z "$(dpkg-deb -f bayplan_*.deb Depends)" ] || fail "the package depends on something"
dpkg-deb -x bayplan_*.deb "$scratch/deb"
cmp "$scratch/deb/usr/bin/bayplan" "$tree/bin/bayplan"
for wanted in bash-completion/completions/bayplan zsh/vendor-completions/_bayplan fish/vendor_completions.d/bayplan.fish \
  man/man1/bayplan-fleet.1.gz doc/bayplan/copyright doc/bayplan/changelog.gz bayplan/schemas/scenario.schema.json; do
  [ -s "$scratch/deb/usr/share/$wanted" ] || fail "the Debian package has no $wanted"
done
if command -v lintian >/dev/null; then lintian --fail-on error,warning --allow-root bayplan_*.deb; fi

# The wheel: the same program again.
python3 -m zipfile -e bayplan-*.whl "$scratch/wheel"
cmp "$scratch"/wheel/bayplan-*.data/scripts/bayplan "$tree/bin/bayplan"
echo "$(cat "$scratch/version" | head -n 1): $(wc -l <SHA256SUMS) packages"
