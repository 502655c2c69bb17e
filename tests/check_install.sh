#!/usr/bin/env bash
# check_install.sh BUILD_DIR VERSION SAMPLES: checks that `cmake --install` puts everything in place, also for a
# package, and that the installed program runs.
set -eu

fail() {
    echo "$*" >&2
    exit 1
}

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix" >/dev/null

for file in bin/imgtool libexec/imgtool/imgtool-bench libexec/imgtool/imgtool-plot share/man/man1/imgtool.1.gz \
    share/bash-completion/completions/imgtool share/zsh/site-functions/_imgtool \
    share/fish/vendor_completions.d/imgtool.fish share/doc/imgtool/copyright \
    share/doc/imgtool/changelog.gz share/imgtool/imgtool.schema.json; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done
"$prefix/bin/imgtool" --version
if readelf -d "$prefix/bin/imgtool" | grep -E 'NEEDED.*(cairo|fontconfig|stdc\+\+)'; then
    fail "every start loads libraries that turning a picture does not need"
fi
gzip -cd "$prefix/share/doc/imgtool/changelog.gz" | head -n 1 | grep -F "imgtool ($2)" ||
    fail "app/packaging/changelog does not begin with version $2"
gzip -cd "$prefix/share/man/man1/imgtool.1.gz" | grep -q '^\.TH ' ||
    fail "imgtool.1.gz is not a man page"

# imgtool finds the other programs next to itself, also through a link.
ln -s "$prefix/bin/imgtool" "$prefix/link"
"$prefix/link" bench --list | grep -q '^  rotate ' || fail "imgtool-bench is not found"
"$prefix/link" histogram --plot "$prefix/plot.svg" "$3/rgb-8.png" || fail "imgtool-plot fails"
(cd "$prefix/bin" && ./imgtool bench --list) | grep -q '^  rotate ' || fail "nor from its directory"
mv "$prefix/libexec" "$prefix/elsewhere"

# names_package PACKAGE COMMAND...: without the other programs a command fails and names the package that it
# needs.
names_package() {
    local code=0 said
    said=$("$prefix/bin/imgtool" "${@:2}" 2>&1) || code=$?
    [ "$code" -eq 4 ] || fail "without the other programs the exit code of ${*:2} is $code: $said"
    grep -q "^imgtool: .*$1 is not installed: .*; install the package $1, or build all targets\$" <<<"$said" ||
        fail "${*:2} says: $said"
}
names_package imgtool-bench bench --list
names_package imgtool-plot histogram --plot "$prefix/none.svg" "$3/rgb-8.png"
[ ! -e "$prefix/none.svg" ] || fail "a plot without the program that draws"
"$prefix/bin/imgtool" ops >/dev/null || fail "imgtool needs them"

# Links in installed documents lead to installed files, among them those that the first page needs.
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

# Below /usr, Debian's zsh has another directory. Nothing is installed twice.
DESTDIR=$prefix/package cmake --install "$1" --prefix /usr >/dev/null
found=$(cd "$prefix/package/usr" && find . -name _imgtool)
[ "$found" = ./share/zsh/vendor-completions/_imgtool ] || fail "_imgtool is installed as: $found"
