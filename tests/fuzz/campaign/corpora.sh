# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with campaign.sh, which sources it
# Starts the corpora from the tree and from seeds/, minimises them as they grow, and exports the best inputs.

# merge NAME CORPUS DIR...: libFuzzer copies the inputs of the directories that reach new code to CORPUS. It skips
# inputs that crash.
merge() {
    local name=$1
    shift
    "${follow_at_once[@]}" nice -n "$nice" "$bin/fuzz_$name" -merge=1 -max_len="${longest_of[$name]}" -timeout="$input_seconds" \
        -rss_limit_mb="$rss_mb" "$@"
}

# Unpacks the corpora of the tree, for all targets, into a directory.
unpack_tree_corpora() {
    bash "$here/corpus.sh" unpack "$1" "${group_of[@]}"
}

# Prints further directories with inputs for a target: from the tree, from seeds/, and of targets with the same corpus.
others_of() {
    local name=$1 other
    for other in "$dir/tree/${group_of[$name]}" "$dir/seeds/${group_of[$name]}"; do
        [ ! -d "$other" ] || echo "$other"
    done
    for other in "${targets[@]}"; do
        [ "$other" = "$name" ] || [ "${group_of[$other]}" != "${group_of[$name]}" ] ||
            [ ! -d "$dir/corpus/$other" ] || echo "$dir/corpus/$other"
    done
}

# Copies new inputs of the tree and of seeds/ to the corpora. The next minimisation removes those that add no coverage.
seed_corpora() {
    local name from
    for name in "${targets[@]}"; do
        mkdir -p "$dir/corpus/$name"
        for from in "$dir/tree/${group_of[$name]}" "$dir/seeds/${group_of[$name]}"; do
            [ -d "$from" ] || continue
            find "$from" -type f -size "-$((${longest_of[$name]} + 1))c" -exec cp -n -t "$dir/corpus/$name" {} +
        done
        [ -e "$dir/corpus/$name.minimised" ] || note_size "$name"
    done
}

note_size() {
    find "$dir/corpus/$1" -type f | wc -l >"$dir/corpus/$1.minimised"
}

# Succeeds if the corpus has grown by half, and by 100 files, since it was last minimised.
needs_minimising() {
    local files last=0
    files=$(find "$dir/corpus/$1" -type f 2>/dev/null | wc -l)
    [ ! -e "$dir/corpus/$1.minimised" ] || read -r last <"$dir/corpus/$1.minimised"
    [ "$files" -gt $((last * 3 / 2 + 100)) ]
}

# minimise_corpus TARGET ROUND: replaces the corpus by two renames. If a kill comes between them, restore_corpora undoes
# the first one at the next start.
minimise_corpus() {
    local name=$1 round=$2 corpus=$dir/corpus/$1 other
    mkdir -p "$round/least" "$round/others"
    while read -r other; do # hard links, because other workers may replace these directories meanwhile
        find "$other" -type f -size "-$((${longest_of[$name]} + 1))c" -exec cp -f -l -t "$round/others" {} + 2>/dev/null ||
            find "$other" -type f -size "-$((${longest_of[$name]} + 1))c" -exec cp -f -t "$round/others" {} + 2>/dev/null ||
            true
    done < <(others_of "$name")
    merge "$name" "$round/least" "$corpus" "$round/others" >"$round/log" 2>&1 8>&- &
    if ! wait_for_merge $!; then
        ! may_go_on || echo "campaign: the corpus of $name could not be minimised" >&2
    elif [ -n "$(find "$round/least" -type f -print -quit)" ]; then
        rm -rf "$corpus.old"
        mv "$corpus" "$corpus.old"
        mv "$round/least" "$corpus"
        rm -rf "$corpus.old"
    fi
    note_size "$name"
}

# wait_for_merge PID: waits for a merge. Fails if the merge failed, or was ended because the campaign stops.
wait_for_merge() {
    while [ -d "/proc/$1" ] && is_running "$1"; do
        may_go_on || kill "$1" 2>/dev/null || true
        read -r -t 2 <>"$dir/never" || true
    done
    wait "$1"
}

# Repairs a corpus after a kill during minimise_corpus.
restore_corpora() {
    local old
    for old in "$dir"/corpus/*.old; do
        [ -d "$old" ] || continue
        if [ -d "${old%.old}" ]; then rm -rf "$old"; else mv "$old" "${old%.old}"; fi
    done
}

# Adds the most useful inputs to the archives of the tree, for ctest and for the next campaign. For each target these
# are at most 40 inputs of at most 1 KiB, and 32 KiB in all. Only 400 candidates, chosen by hash, are tried, to limit
# the time. Corpora are exported in parallel. Targets that share a corpus are exported one after the other.
export_files=40 export_bytes=32768 export_tries=400
export_corpus() {
    local work group name
    work=$(mktemp -d "$dir/export.XXXXXX")
    for group in $(for name in "${targets[@]}"; do echo "${group_of[$name]}"; done | awk '!seen[$1]++'); do
        while [ "$(jobs -rp | wc -l)" -ge "$cores" ]; do wait -n || true; done
        export_group "$group" "$work/$group" &
    done
    wait
    rm -rf "$work"
}

# export_group CORPUS DIR: exports the targets that share the corpus, one after the other. DIR is a working directory.
export_group() {
    local group=$1 work=$2 name
    bash "$here/corpus.sh" unpack "$work/tree" "$group"
    rm -f "$work/tree/$group"/kept-*
    for name in "${targets[@]}"; do
        if [ "${group_of[$name]}" = "$group" ] && [ -d "$dir/corpus/$name" ]; then export_target "$name" "$work/tree/$group" "$work/$name"; fi
    done
    bash "$here/corpus.sh" pack "$work/tree" "$group"
}

# export_target TARGET CORPUS_DIR WORK_DIR: copies the most useful inputs of a target to CORPUS_DIR. WORK_DIR receives
# temporary files.
export_target() {
    local name=$1 kept=$2 work=$3 size file used=0 count=0
    mkdir -p "$work/tree" "$work/new" "$work/added"
    find "$kept" -type f -exec cp -t "$work/tree" {} +
    sha1sum "$work"/tree/* 2>/dev/null | cut -c 1-40 >"$work/known"
    find "$dir/corpus/$name" -type f -size -1025c -exec sha1sum {} + | grep -v -F -f "$work/known" | sort |
        cut -c 43- | head -n $export_tries | xargs -r -d '\n' cp -t "$work/new" || true
    # $work/added starts with hard links to the inputs of the tree. libFuzzer's merge adds copies of the useful new
    # inputs to it, the most useful first. The copies are recognised by their link count of 1.
    cp -l "$work"/tree/* "$work/added" 2>/dev/null || true
    merge "$name" -set_cover_merge=1 "$work/added" "$work/new" >"$work/log" 2>&1 || tail -n 3 "$work/log" >&2
    while read -r size file; do
        [ $count -lt $export_files ] || break
        [ $((used + size)) -le $export_bytes ] || continue
        cp "$work/added/$file" "$kept/kept-$name-$(sha1sum <"$work/added/$file" | cut -c 1-12)"
        used=$((used + size)) count=$((count + 1))
    done < <(cd "$work/added" && find . -type f -links 1 -printf '%T@ %s %f\n' | sort -n | cut -d ' ' -f 2-)
    echo "$name: $count inputs, $used bytes"
}

# Fetches the test pictures of other projects (seeds/suites.sh) to seeds/. They do not go into the tree.
fetch_suites() {
    bash "$here/seeds/suites.sh" --files "$dir/seeds/file"
    # Writes the same pictures for targets of the corpus png. The eight bytes before the file say that it is a whole
    # file, to be decoded by two threads.
    local file
    mkdir -p "$dir/seeds/png"
    for file in "$dir"/seeds/file/*; do
        { printf '\3\0\0\0\0\0\0\1' && cat "$file"; } >"$dir/seeds/png/$(basename "$file")"
    done
}
