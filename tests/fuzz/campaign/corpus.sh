# shellcheck shell=bash disable=SC2034,SC2154 # variables are those of campaign.sh and the parts beside this
# Corpora: seeded from the tree and from seeds/, minimised as they grow, exported in small.

# How libFuzzer merges: CORPUS gets what adds to it from the directories. What crashes is passed over.
merge() {
    local name=$1
    shift
    "${follow_at_once[@]}" nice -n "$nice" "$bin/fuzz_$name" -merge=1 -max_len="${longest_of[$name]}" -timeout="$input_seconds" \
        -rss_limit_mb="$rss_mb" "$@"
}

# Directories of inputs of a target's form that others have: the tree's, seeds, and of targets with the same form.
others_of() {
    local name=$1 other
    for other in "$here/corpus/${group_of[$name]}" "$dir/seeds/${group_of[$name]}"; do
        [ ! -d "$other" ] || echo "$other"
    done
    for other in "${targets[@]}"; do
        [ "$other" = "$name" ] || [ "${group_of[$other]}" != "${group_of[$name]}" ] ||
            [ ! -d "$dir/corpus/$other" ] || echo "$dir/corpus/$other"
    done
}

# New seeds are put to the others as they are; the next minimising sees which of them add something.
seed_corpora() {
    local name from
    for name in "${targets[@]}"; do
        mkdir -p "$dir/corpus/$name"
        for from in "$here/corpus/${group_of[$name]}" "$dir/seeds/${group_of[$name]}"; do
            [ -d "$from" ] || continue
            find "$from" -type f -size "-$((${longest_of[$name]} + 1))c" -exec cp -n -t "$dir/corpus/$name" {} +
        done
        [ -e "$dir/corpus/$name.minimised" ] || note_size "$name"
    done
}

note_size() {
    find "$dir/corpus/$1" -type f | wc -l >"$dir/corpus/$1.minimised"
}

# The corpus has half again as many files as it had after the last time.
needs_minimising() {
    local files last=0
    files=$(find "$dir/corpus/$1" -type f 2>/dev/null | wc -l)
    [ ! -e "$dir/corpus/$1.minimised" ] || read -r last <"$dir/corpus/$1.minimised"
    [ "$files" -gt $((last * 3 / 2 + 100)) ]
}

# minimise_corpus TARGET ROUND. The corpus is replaced whole; a kill between the two renames is made good at the start.
minimise_corpus() {
    local name=$1 round=$2 corpus=$dir/corpus/$1 other
    mkdir -p "$round/least" "$round/others"
    while read -r other; do # by links, as others are minimised meanwhile
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

# Fails where it failed, or was ended because the campaign is to stop.
wait_for_merge() {
    while [ -d "/proc/$1" ] && is_running "$1"; do
        may_go_on || kill "$1" 2>/dev/null || true
        read -r -t 2 <>"$dir/never" || true
    done
    wait "$1"
}

restore_corpora() {
    local old
    for old in "$dir"/corpus/*.old; do
        [ -d "$old" ] || continue
        if [ -d "${old%.old}" ]; then rm -rf "$old"; else mv "$old" "${old%.old}"; fi
    done
}

# A small part of what was found goes to the tree, for ctest and for the next campaign: per target, of inputs that the tree
# lacks (as many as can be tried in minutes, by names, which are hashes), those that add most to what it has; at most a KiB
# each, and 32 in all. As many targets at a time as there are cores, but those of the same form one after the other, as they
# share a directory.
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

export_group() {
    local group=$1 work=$2 name
    mkdir -p "$work" "$here/corpus/$group"
    rm -f "$here/corpus/$group"/kept-*
    for name in "${targets[@]}"; do
        if [ "${group_of[$name]}" = "$group" ] && [ -d "$dir/corpus/$name" ]; then export_target "$name" "$work/$name"; fi
    done
}

export_target() {
    local name=$1 work=$2 kept=$here/corpus/${group_of[$1]} size file used=0 count=0
    mkdir -p "$work/tree" "$work/new" "$work/added"
    find "$kept" -type f -exec cp -t "$work/tree" {} +
    sha1sum "$work"/tree/* 2>/dev/null | cut -c 1-40 >"$work/known"
    find "$dir/corpus/$name" -type f -size -1025c -exec sha1sum {} + | grep -v -F -f "$work/known" | sort |
        cut -c 43- | head -n $export_tries | xargs -r -d '\n' cp -t "$work/new" || true
    # Merging puts what adds to the tree's inputs beside them, what adds most first.
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

# Pictures of other projects' tests, as others judge them (seeds/suites.sh). They do not go into the tree.
fetch_suites() {
    bash "$here/seeds/suites.sh" --files "$dir/seeds/file"
    # The same for targets that read a head of eight bytes first: of a file, with two threads.
    local file
    mkdir -p "$dir/seeds/png"
    for file in "$dir"/seeds/file/*; do
        { printf '\3\0\0\0\0\0\0\1' && cat "$file"; } >"$dir/seeds/png/$(basename "$file")"
    done
}
