# shellcheck shell=bash
# Fetches Debian's source packages, for scripts that include this file. The packages contain test files of other
# libraries, and sources of libraries that these scripts build with options other than Debian's.

# fetch_source PACKAGE WORK: fetches the .orig archive of a package to the current directory; apt verifies it. WORK is a
# private directory for lists of sources, separate from those of the machine.
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
