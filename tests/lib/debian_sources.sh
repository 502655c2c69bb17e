# shellcheck shell=bash
# Debian's source packages, for scripts that include this: what other libraries are tested with, and libraries to be built
# as Debian's own are not.

# fetch_source PACKAGE WORK: its .orig archive, to the current directory; apt verifies it. WORK: a directory of the
# script's own, where lists of sources are kept apart from the machine's.
fetch_source() {
    local work=$2 release=bookworm options
    options=(-o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=-
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=)
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    echo "deb-src http://deb.debian.org/debian $release main" >"$work/sources.list"
    [ -e "$work/updated" ] || timeout 120 apt-get "${options[@]}" update -qq || return
    touch "$work/updated"
    timeout 120 apt-get "${options[@]}" source --download-only -qq "$1"
}
