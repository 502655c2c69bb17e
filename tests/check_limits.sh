#!/usr/bin/env bash
# check_limits.sh TREE: compares the limits in app/SECURITY.md with the code. Each row of the table names a file
# and text that it must contain.
set -euo pipefail
tree=${1:?usage: check_limits.sh TREE}
failed=0 rows=0
# shellcheck disable=SC2016 # backquotes of Markdown
while IFS= read -r place; do
    file=${place%%: *} text=${place#*: }
    rows=$((rows + 1))
    if ! grep -qF -- "$text" "$tree/$file"; then
        echo "app/SECURITY.md: there is no '$text' in $file"
        failed=1
    fi
done < <(sed -nE 's/^\|.*\| `([a-z0-9_/]+\.[ch]: .*)` \|$/\1/p' "$tree/app/SECURITY.md")
[ "$rows" -ge 15 ] || { echo "only $rows rows of limits were found" && exit 1; }
[ $failed -eq 0 ]
echo "$rows limits are those of the code"
