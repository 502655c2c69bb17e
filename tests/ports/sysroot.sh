#!/usr/bin/env bash
# sysroot.sh aarch64|s390x: provides the libraries that imgtool needs on that processor, and prints their directory.
# They are Debian's packages, fetched with apt-get and unpacked but not installed.
# A second run needs no network: it uses the directory in $IMGTOOL_SYSROOTS (default: build-tests/ports/sysroots). Exit
# code 77, with a reason, if the packages are unavailable.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/lib/packages.sh
. "$root/tests/lib/packages.sh"

case ${1-} in
aarch64) architecture=arm64 ;;
s390x) architecture=s390x ;;
*)
    echo "usage: sysroot.sh aarch64|s390x" >&2
    exit 2
    ;;
esac
sysroots=${IMGTOOL_SYSROOTS:-$root/build-tests/ports/sysroots}
sysroot=$sysroots/$1
read -r -d '' -a packages <<<"$port_packages" || true

# This text identifies the packages. A sysroot that was made for another text is
# made again.
wanted="$architecture ${packages[*]}"
if [ -e "$sysroot/packages" ] && [ "$(head -n 1 "$sysroot/packages")" = "$wanted" ]; then
    echo "$sysroot"
    exit
fi

skip() {
    echo "skipped: $1: $2" >&2
    exit 77
}
command -v apt-get >/dev/null || skip "$1" "this system has no apt-get"

# apt-get runs with private lists, state and cache, in which the machine has that architecture.
mkdir -p "$sysroots"
work=$(mktemp -d "$sysroots/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,unpacked}
touch "$work/status"
apt() {
    apt-get -q -y -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" \
        -o Dir::State="$work/state" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
        -o Debug::NoLocking=1 -o APT::Sandbox::User=root "$@"
}
# An update may fail for sources without that architecture. Only missing packages are a fault.
apt update >"$work/log" 2>&1 || true
apt install --no-install-recommends --download-only "${packages[@]}" >>"$work/log" 2>&1 ||
    skip "$1" "its packages cannot be fetched: $(grep '^[EW]:' "$work/log" | head -n 1)"

for package in "$work"/cache/archives/*.deb; do
    dpkg -x "$package" "$work/unpacked"
done
# Makes absolute links relative: they would lead to the libraries of this machine.
find "$work/unpacked" -type l -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link target; do
    ln -snrf "$work/unpacked$target" "$link"
done
(echo "$wanted" && basename -a "$work"/cache/archives/*.deb) >"$work/unpacked/packages"
chmod 755 "$work/unpacked"
rm -rf "$sysroot"
mv -T "$work/unpacked" "$sysroot"
echo "$sysroot"
