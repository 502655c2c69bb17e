# shellcheck shell=bash disable=SC2034,SC2154 # variables are those of campaign.sh and the parts beside this
# Rounds: a target fuzzes for some seconds of processor time; then what it wrote is counted and kept.

# An input that takes longer than this has hung, or the machine is very busy: it is run again alone before it counts.
input_seconds=120
# No input of a target needs half of that; not more than half of the machine's memory in all.
rss_mb=$(awk -v cores="$cores" '/^MemTotal/ { most = $2 / 2048 / cores; print int(most < 2048 ? most : 2048) }' /proc/meminfo)
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
# A fuzzer ends, between two inputs and with its figures, when its worker is gone.
follow=() follow_at_once=()
! command -v setpriv >/dev/null || follow=(setpriv --pdeathsig USR1) follow_at_once=(setpriv --pdeathsig KILL)

# A worker: rounds until the hours are used.
work() {
    local round why
    trap '' INT TERM # the main process tells by the file `stop`
    while may_go_on; do
        round=$(mktemp -d "$dir/rounds/XXXXXXXX")
        name='' kind=''
        locked choose_target "$round"
        read -r name kind _ <"$round/begun"
        if [ "$kind" = minimise ]; then
            minimise_corpus "$name" "$round"
            rm -rf "$round"
        else
            (fuzz_round "$name" "$round")
            locked harvest "$round"
        fi
    done
    echo "campaign: a worker ends: $why"
}

# The target whose last round began longest ago, of those that run least often at the moment.
choose_target() {
    local round=$1 name kind
    name=$({
        printf 'target\t%s\n' "${targets[@]}"
        cat "$dir"/rounds/*/begun 2>/dev/null | awk '{ print "runs\t" $1 "\t" $2 }'
        awk -F '\t' '{ print "began\t" $4 "\t" $5 }' "$dir/rounds.tsv"
    } | awk -F '\t' '
        $1 == "target" { names[++count] = $2 }
        $1 == "runs" { running[$2]++ }
        $1 == "runs" && $3 == "minimise" { running[$2] += 1000 }
        $1 == "began" { began[$2] = $3 }
        END {
            best = names[1]
            for (i = 2; i <= count; i++) {
                name = names[i]
                if (running[name] < running[best] || (running[name] == running[best] && began[name] < began[best]))
                    best = name
            }
            print best
        }')
    kind=fuzz
    if needs_minimising "$name" && ! grep -qs "^$name " "$dir"/rounds/*/begun; then kind=minimise; fi
    printf '%s %s %s %s %s\n' "$name" "$kind" "$code" "$call" "$(date +%s)" >"$round/begun"
}

# Seconds that the process has computed: sets `used`. Without starting another, as all that a round starts is counted.
ticks=$(getconf CLK_TCK)
used_by() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    stat=${stat##*) }
    # shellcheck disable=SC2086 # words, of which the 12th and 13th are meant
    set -- $stat
    used=$(((${12} + ${13}) / ticks))
}

# Where the fuzzer of a round has its files in memory, as a signal that ends it leaves it no time to remove them.
scratch_of() {
    if [ -w /dev/shm ]; then echo "/dev/shm/imgtool-fuzz-round-$(basename "$1")"; else echo "$1/scratch"; fi
}

# fuzz_round TARGET ROUND, in a process of its own, whose children's time is the round's.
fuzz_round() {
    local name=$1 round=$2 pid used=0 polls=0 loaded='' signal=USR1 options=() scratch
    scratch=$(scratch_of "$round")
    mkdir -p "$round/new" "$dir/corpus/$name" "$scratch"
    [ "${dictionary_of[$name]}" = - ] || options=("-dict=$bin/${dictionary_of[$name]}.dict")
    IMGTOOL_FUZZ_SCRATCH=$scratch \
        "${follow[@]}" nice -n "$nice" "$bin/fuzz_$name" "${options[@]}" -max_len="${longest_of[$name]}" \
        -timeout=$input_seconds -report_slow_units=$((2 * input_seconds)) -rss_limit_mb="$rss_mb" \
        -print_final_stats=1 -artifact_prefix="$round/find-" "$round/new" "$dir/corpus/$name" \
        >"$round/output" 2>"$round/log" 8>&- &
    pid=$!
    # What it has used so far is noted, so that a kill loses seconds. Loading a large corpus does not use up the round.
    while [ -d "/proc/$pid" ] && used_by "$pid" && is_running "$pid"; do
        echo "$used" >"$round/cpu"
        if [ -z "$loaded" ] && grep -qs INITED "$round/log"; then loaded=$used; fi
        if [ "$used" -ge "$round_seconds" ] && [ "$used" -ge $((${loaded:-$used} + round_seconds / 2)) ]; then
            kill -USR1 "$pid" 2>/dev/null || true # ends between two inputs; its own time limit sees to one that hangs
        fi
        if [ $((++polls % 5)) -eq 0 ] && ! may_go_on; then
            kill -"$signal" "$pid" 2>/dev/null || true
            signal=TERM # ends at once, with its figures: while it loads a corpus it does not see the other
        fi
        read -r -t 1 <>"$dir/never" || true
    done
    wait "$pid" || true
    times >"$round/times" # minutes and seconds, user and system, in the second line of all children
    awk 'NR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m")
        printf "%.2f\n", 60 * u[1] + u[2] + 60 * s[1] + s[2] }' "$round/times" >"$round/cpu.all"
    mv "$round/cpu.all" "$round/cpu"
}

# Not where it has ended and is only waited for.
is_running() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null && stat=${stat##*) } && [ "${stat%% *}" != Z ]
}

# harvest ROUND: counts and keeps what a round has left, whether it came to its end or was killed. What is counted
# already is not counted again: a kill may have come between the line and the end of the directory.
harvest() {
    local round=$1 round_id name kind round_code round_call start executions edges features
    round_id=$(basename "$round")
    if read -r name kind round_code round_call start 2>/dev/null <"$round/begun" && [ -n "$start" ] &&
        [ "$kind" = fuzz ] && [ -e "$round/log" ] && ! grep -q "^$round_id"$'\t' "$dir/rounds.tsv"; then
        keep_finds "$round" "$name" "$round_code"
        mkdir -p "$dir/corpus/$name"
        find "$round/new" -type f -exec mv -t "$dir/corpus/$name" {} + 2>/dev/null || true
        # The last line that counts is the final one, or where the process was killed, its last sign of life.
        executions=$(sed -n -e 's/^stat::number_of_executed_units: *//p' -e 's/^#\([0-9]*\)[^0-9].*/\1/p' "$round/log" |
            sort -n | tail -n 1)
        edges=$(sed -n 's/^#[0-9].* cov: \([0-9]*\) .*/\1/p' "$round/log" | tail -n 1)
        features=$(sed -n 's/^#[0-9].* ft: \([0-9]*\) .*/\1/p' "$round/log" | tail -n 1)
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$round_id" "$round_call" "$round_code" "$name" \
            "$start" $(($(date -r "$round/log" +%s) - start)) "$(cat "$round/cpu" 2>/dev/null || echo 0)" \
            "${executions:-0}" "${edges:-0}" "${features:-0}" "$(find "$dir/corpus/$name" -type f | wc -l)" \
            >>"$dir/rounds.tsv"
    fi
    rm -rf "$(scratch_of "$round")" "$round"
}

# Of a campaign that was killed: its workers and fuzzers end by themselves within seconds; what they left is counted.
end_leftovers() {
    local round
    rm -rf "$dir/stop" "$dir/tmp"
    mkdir -p "$dir/tmp"
    export TMPDIR=$dir/tmp # libFuzzer's, when it merges
    [ -p "$dir/never" ] || mkfifo "$dir/never"
    while pgrep -f "^$dir/bin/[^ ]*/fuzz_[a-z]* " >/dev/null; do
        echo "campaign: waiting for the rounds of one that was killed"
        sleep 2
    done
    for round in "$dir"/rounds/*/; do
        [ ! -d "$round" ] || locked harvest "${round%/}"
    done
    restore_corpora
}
