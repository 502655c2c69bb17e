#!/usr/bin/env bash
# check_install.sh BUILD_DIR VERSION SAMPLES: checks that `cmake --install` installs all files, also into the
# directory of a package (DESTDIR), and that the installed program runs.
set -eu

fail() {
    echo "$*" >&2
    exit 1
}

build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix" >/dev/null

# built PART: succeeds if the build has IMGTOOL_PART=ON.
built() {
    grep -q "^IMGTOOL_$1:BOOL=ON" "$build/CMakeCache.txt"
}
helpers=()
! built BENCH || helpers+=(libexec/imgtool/imgtool-bench)
! built PLOT || helpers+=(libexec/imgtool/imgtool-plot)
for file in bin/imgtool "${helpers[@]}" share/man/man1/imgtool.1.gz \
    share/bash-completion/completions/imgtool share/zsh/site-functions/_imgtool \
    share/fish/vendor_completions.d/imgtool.fish share/doc/imgtool/copyright \
    share/doc/imgtool/changelog.gz share/imgtool/imgtool.schema.json; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done
"$prefix/bin/imgtool" --version
if readelf -d "$prefix/bin/imgtool" | grep -E 'NEEDED.*(cairo|fontconfig|stdc\+\+)'; then
    fail "imgtool loads libraries at each start that most commands do not need"
fi
newest=$(gzip -cd "$prefix/share/doc/imgtool/changelog.gz" | grep '^imgtool (' | grep -v UNRELEASED | head -n 1)
[[ $newest == "imgtool ($2) "* ]] || fail "the newest release in app/packaging/changelog is not version $2: $newest"
gzip -cd "$prefix/share/man/man1/imgtool.1.gz" | grep -q '^\.TH ' ||
    fail "imgtool.1.gz is not a man page"

# imgtool must find the other programs next to itself, also if it is started through a link.
ln -s "$prefix/bin/imgtool" "$prefix/link"
if built BENCH; then
    "$prefix/link" bench --list | grep -q '^  rotate ' || fail "imgtool-bench is not found"
    (cd "$prefix/bin" && ./imgtool bench --list) | grep -q '^  rotate ' || fail "nor from its directory"
fi
if built PLOT; then
    "$prefix/link" histogram --plot "$prefix/plot.svg" "$3/rgb-8.png" || fail "imgtool-plot fails"
fi
[ ! -e "$prefix/libexec" ] || mv "$prefix/libexec" "$prefix/elsewhere"

# names_package PACKAGE COMMAND...: without the other programs, COMMAND must fail and name the package that it needs.
names_package() {
    local code=0 said
    said=$("$prefix/bin/imgtool" "${@:2}" 2>&1) || code=$?
    [ "$code" -eq 4 ] || fail "without the other programs the exit code of ${*:2} is $code: $said"
    grep -q "^imgtool: .*$1 is not installed: .*; install the package $1, or build it (.*)\$" <<<"$said" ||
        fail "${*:2} says: $said"
}
names_package imgtool-bench bench --list
names_package imgtool-plot histogram --plot "$prefix/none.svg" "$3/rgb-8.png"
[ ! -e "$prefix/none.svg" ] || fail "there is a plot without imgtool-plot"
"$prefix/bin/imgtool" ops >/dev/null || fail "imgtool needs its helper programs"

# Links in installed documents must lead to installed files, including some files that are listed below.
documents=$prefix/share/doc/imgtool
links=0
while IFS=: read -r file link; do
    link=${link#'('} link=${link%')'}
    [ -e "${file%/*}/${link%%#*}" ] || fail "${file#"$prefix/"} leads to $link, which is not installed"
    links=$((links + 1))
done < <(grep -roE --include='*.md' '\]\([^)]*\)' "$documents" | sed 's/:\]/:/' | grep -vE ':\(([a-z]+:|#)')
[ "$links" -ge 20 ] || fail "only $links links are left in the installed documents"
for file in app/cli/docs/REFERENCE.md app/batch/README.md samples/cluster/slurm-array.sbatch; do
    [ -s "$documents/$file" ] || fail "$file is not installed"
done

# Below /usr, Debian's zsh uses another directory. No completion may be installed in both.
DESTDIR=$prefix/package cmake --install "$1" --prefix /usr >/dev/null
found=$(cd "$prefix/package/usr" && find . -name _imgtool)
[ "$found" = ./share/zsh/vendor-completions/_imgtool ] || fail "_imgtool is installed as: $found"
