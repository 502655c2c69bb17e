# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with campaign.sh, which sources it
# Keeps finds: inputs that end a fuzzer. Each kind of failure has a directory finds/TARGET-SIGNATURE with the first inputs
# that caused it, the report, and the command that repeats it.

finds_kept=3

# signature_of LOG KIND: prints a hash that identifies a kind of failure. The hash covers how the fuzzer ended, the
# target's last message, and the innermost functions of the stack.
signature_of() {
    local log=$1 kind=$2
    {
        echo "$kind"
        grep -v -e '^#' -e '^INFO' -e '^Running' -e '^MS: ' -e artifact_prefix "$log" |
            grep -B 2 -m 1 -e '^==[0-9]*== *ERROR' -e 'runtime error:' |
            sed 's/0x[0-9a-f]*//g; s/[0-9][0-9]*/N/g'
        sed -n 's/^ *#[0-9]* 0x[0-9a-f]* in \([^ ]*\) .*\/\(app\|io\|kernels\|tests\)\/.*/\1/p' "$log" | head -n 4
    } | sha1sum | cut -c 1-8
}

# confirm NAME INPUT KIND LOG: runs an input alone. Sets `confirmed` to "yes" if it fails again. A timeout is confirmed
# if the input takes 20 s of processor time alone; otherwise the machine was busy.
confirm() {
    local name=$1 input=$2 kind=$3 log=$4 code=0 used
    confirmed=yes
    used=$({ TIMEFORMAT=%U && time "${follow_at_once[@]}" nice -n "$nice" "$bin/fuzz_$name" -timeout=600 -rss_limit_mb="$rss_mb" "$input" \
        >/dev/null 2>"$log"; } 2>&1) || code=$?
    if [ "$kind" = timeout ]; then
        [ "${used%.*}" -ge 20 ] || confirmed=no
    elif [ "$code" -eq 0 ]; then
        confirmed=no
    fi
}

# Succeeds if there is a confirmed find in the commit `code`, or in an earlier commit that gave the same program.
has_finds() {
    awk -F '\t' -v code="$code" '
        FILENAME ~ /same\.tsv$/ { same[$1, $2] = 1; next }
        ($2 == code || ($3, $2) in same) && $6 == "yes" { found = 1 }
        END { exit !found }' "$dir/same.tsv" "$dir/finds.tsv"
}

# keep_finds ROUND TARGET CODE: confirms the failing inputs of a round, and keeps them in finds/.
keep_finds() {
    local round=$1 name=$2 round_code=$3 file kind sum signature kept confirmed
    for file in "$round"/find-*; do
        [ -f "$file" ] || continue
        kind=$(basename "$file" | sed 's/^find-\([a-z-]*\)-.*/\1/')
        sum=$(sha1sum "$file" | cut -c 1-40)
        confirm "$name" "$file" "$kind" "$round/again"
        if [ "$confirmed" = yes ]; then cp "$round/again" "$round/report"; else tail -n 80 "$round/log" >"$round/report"; fi
        signature=$(signature_of "$round/report" "$kind")
        kept=$dir/finds/$name-$signature
        mkdir -p "$kept"
        if [ "$(find "$kept" -name "$kind-*" | wc -l)" -lt $finds_kept ]; then
            cp "$file" "$kept/$kind-${sum:0:12}"
            [ -e "$kept/report" ] || tail -n 80 "$round/report" >"$kept/report"
            {
                echo "# found by fuzz_$name in code $round_code, $(date -u +%FT%TZ); again, alone: $confirmed"
                echo "$bin/fuzz_$name $kept/$kind-${sum:0:12}"
                echo "# or with a debugger: cmake --build BUILD --target replay_$name && BUILD/tests/fuzz/replay_$name $kept/$kind-${sum:0:12}"
            } >>"$kept/how"
        fi
        # Removes the failing input from the corpus, because every later round would end at it.
        find "$dir/corpus/$name" -type f -size "$(stat -c %s "$file")c" -exec cmp -s {} "$file" \; -delete
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(basename "$round")" "$round_code" "$name" "$signature" "$kind" "$confirmed" \
            >>"$dir/finds.tsv"
        echo "campaign: find in $name ($kind, again alone: $confirmed): $kept"
    done
}
