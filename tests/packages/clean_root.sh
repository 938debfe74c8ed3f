#!/usr/bin/env bash
# Creates a clean root of a Debian release, installs only one .deb in it, and runs lint, fit, place and fleet there on examples with
# known output. It takes minutes and requires root and the apt mirror of this machine, so it is run manually (docs/packages.md).
# usage: clean_root.sh RELEASE DEB     for example: clean_root.sh trixie dist/bayplan_0.1.0_amd64.deb
set -euo pipefail
[ $# -eq 2 ] && [ "$(id -u)" -eq 0 ] || { echo "usage, as root: clean_root.sh RELEASE DEB" >&2; exit 2; }
release=$1 deb=$(realpath "$2")
source=$(cd "$(dirname "$0")/../.." && pwd)

# Uses the apt mirror of the machine; debootstrap uses the keys of the archive.
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -n 1)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 20 "$root.log"; exit 1; }
rm -f "$root.log"
echo "== $(sed -n 's/^PRETTY_NAME=//p' "$root/etc/os-release"), $(chroot "$root" dpkg-query -f '.\n' -W | wc -l) packages"

cp "$deb" "$root/bayplan.deb"
chroot "$root" dpkg -i /bayplan.deb
rm "$root/bayplan.deb"
mkdir -p "$root/srv/bayplan"
cp -r "$source/examples" "$root/srv/bayplan/examples"
inside() { chroot "$root" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 sh -c "$1"; }
inside 'bayplan --version'

# The output is the one that the example's own test expects.
example() {
  local folder=$1 arguments seen
  arguments=$(grep -v '^#' "$source/examples/$folder/command" | tr '\n' ' ')
  seen=$(inside "cd /srv/bayplan/examples/$folder && bayplan $arguments; echo \"--- exit \$?\"")
  [ "$seen" = "$(cat "$source/examples/$folder/expected")" ] ||
    { echo "$folder prints something else here:"; printf '%s\n' "$seen"; exit 1; }
  echo "ok  examples/$folder: bayplan $arguments"
}
example broken-gpu
example nvidia-smi/fit
example two-p3-16xlarge
example cheapest-fleet

# What belongs to it lies where shells and man look.
inside 'test -s /usr/share/bash-completion/completions/bayplan && test -s /usr/share/zsh/vendor-completions/_bayplan'
inside 'test -s /usr/share/fish/vendor_completions.d/bayplan.fish && gzip -t /usr/share/man/man1/bayplan-lint.1.gz'
inside 'test -s /usr/share/doc/bayplan/copyright'
chroot "$root" dpkg --verify bayplan
chroot "$root" dpkg --purge bayplan
inside '! command -v bayplan && ! test -e /usr/share/bayplan'
echo "== $release: installed, run and removed"
