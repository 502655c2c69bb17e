#!/usr/bin/env bash
# check_subproject.sh SOURCE_DIR CC [VERSION]: checks that another project can build imgtool by add_subdirectory and by
# FetchContent. imgtool must not affect the build type, flags, tests or installation of that project. With VERSION it
# also builds and starts the project, which takes minutes without ccache.
set -eu
source=$1 compiler=$2 version=${3-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$*"
    exit 1
}

for fetch in OFF ON; do
    cmake -S "$source/tests/library/subproject" -B "$work/$fetch" -DIMGTOOL_SOURCE="$source" -DCMAKE_C_COMPILER="$compiler" \
        -DUSE_FETCHCONTENT=$fetch -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
    grep -q '^CMAKE_BUILD_TYPE:STRING=$' "$work/$fetch/CMakeCache.txt" || fail "a build type is forced on the project"
    if grep -E '^IMGTOOL_(TESTS|WERROR|HARDENED|SANITIZE|FUZZ|MODEL|PYTHON):' "$work/$fetch/CMakeCache.txt"; then
        fail "the project gets options of the development of imgtool"
    fi
    flags=$(grep '"command".*with-shared' "$work/$fetch/compile_commands.json")
    ! grep -qE -- ' -(W|O|f|D|std)' <<<"$flags" || fail "the project gets flags of imgtool: $flags"
    cmake --install "$work/$fetch" --prefix "$work/installed" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
    [ ! -e "$work/installed" ] || fail "the project installs imgtool: $(find "$work/installed" -type f)"
done

if [ -n "$version" ]; then
    cmake --build "$work/OFF" --parallel "$(nproc)" >"$work/log" 2>&1 || { tail -n 40 "$work/log" && exit 1; }
    for program in "$work"/OFF/with-*; do
        said=$("$program")
        [ "$said" = "imgtool $version" ] || fail "$program says: $said"
        echo "${program##*/}: $said"
    done
fi
