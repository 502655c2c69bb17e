# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with campaign.sh, which sources it
# Runs rounds. In a round a target fuzzes for some seconds of processor time; then its results are counted and kept.

# Time limit for an input, in seconds. A slower input hangs, or the machine is very busy. The input runs again alone
# before it counts as a find.
input_seconds=120
# Memory limit of a fuzzer, in MiB: 2 GiB, but not more than half of the machine's memory for all fuzzers together. No
# input needs 1 GiB.
rss_mb=$(awk -v cores="$cores" '/^MemTotal/ { most = $2 / 2048 / cores; print int(most < 2048 ? most : 2048) }' /proc/meminfo)
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
# Prefixes of a command: programs that run the command, and send it a signal if the worker that
# started it ends. USR1 makes a fuzzer end after the current input and print its statistics. KILL
# ends a command at once.
follow=() follow_at_once=()
! command -v setpriv >/dev/null || follow=(setpriv --pdeathsig USR1) follow_at_once=(setpriv --pdeathsig KILL)

# work: one worker, which runs rounds until the core-hours are used.
work() {
    local round why
    trap '' INT TERM # the main process creates the file `stop` instead
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

# Chooses the next target and writes it to ROUND/begun. Of the targets with the fewest running rounds, it is the one
# that has waited longest.
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

# used_by PID: sets `used` to the processor seconds of the process. Starts no process, because the time of all processes
# that a round starts counts as the round's own.
ticks=$(getconf CLK_TCK)
used_by() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    stat=${stat##*) }
    # shellcheck disable=SC2086 # splits into words: the 12th is user time, the 13th system time
    set -- $stat
    used=$(((${12} + ${13}) / ticks))
}

# scratch_of ROUND: prints the directory for a fuzzer's files in memory. The round removes that directory, because a
# killed fuzzer cannot.
scratch_of() {
    if [ -w /dev/shm ]; then echo "/dev/shm/imgtool-fuzz-round-$(basename "$1")"; else echo "$1/scratch"; fi
}

# fuzz_round TARGET ROUND: runs a round. It runs in its own process, so that `times` gives the processor time of this
# round alone.
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
    # Notes the used time each second, so that a kill loses little of it. Loading a large corpus may use up the time of
    # the round; the fuzzer then gets another half of that time.
    while [ -d "/proc/$pid" ] && used_by "$pid" && is_running "$pid"; do
        echo "$used" >"$round/cpu"
        if [ -z "$loaded" ] && grep -qs INITED "$round/log"; then loaded=$used; fi
        if [ "$used" -ge "$round_seconds" ] && [ "$used" -ge $((${loaded:-$used} + round_seconds / 2)) ]; then
            kill -USR1 "$pid" 2>/dev/null || true # ends between two inputs; -timeout ends an input that hangs
        fi
        if [ $((++polls % 5)) -eq 0 ] && ! may_go_on; then
            kill -"$signal" "$pid" 2>/dev/null || true
            signal=TERM # ends at once with statistics; libFuzzer ignores USR1 while it loads the corpus
        fi
        read -r -t 1 <>"$dir/never" || true
    done
    wait "$pid" || true
    times >"$round/times" # the second line has the user and system time of all children in minutes and seconds
    awk 'NR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m")
        printf "%.2f\n", 60 * u[1] + u[2] + 60 * s[1] + s[2] }' "$round/times" >"$round/cpu.all"
    mv "$round/cpu.all" "$round/cpu"
}

# is_running PID: fails for a process that has ended, even before the shell has waited for it.
is_running() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null && stat=${stat##*) } && [ "${stat%% *}" != Z ]
}

# harvest ROUND: counts and keeps the results of a round, complete or killed. Skips a round that already has a line in
# rounds.tsv: a kill may have come after that line was written and before the round's directory was removed.
harvest() {
    local round=$1 round_id name kind round_code round_call start executions edges features
    round_id=$(basename "$round")
    if read -r name kind round_code round_call start 2>/dev/null <"$round/begun" && [ -n "$start" ] &&
        [ "$kind" = fuzz ] && [ -e "$round/log" ] && ! grep -q "^$round_id"$'\t' "$dir/rounds.tsv"; then
        keep_finds "$round" "$name" "$round_code"
        mkdir -p "$dir/corpus/$name"
        find "$round/new" -type f -exec mv -t "$dir/corpus/$name" {} + 2>/dev/null || true
        # The final statistics have the number of executions. For a killed fuzzer, the last count in its log is used.
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

# end_leftovers: after a campaign was killed, waits until its workers and fuzzers have ended by themselves. Then counts
# the results of their last rounds.
end_leftovers() {
    local round
    rm -rf "$dir/stop" "$dir/tmp"
    mkdir -p "$dir/tmp"
    export TMPDIR=$dir/tmp # libFuzzer writes files there during a merge
    [ -p "$dir/never" ] || mkfifo "$dir/never"
    while pgrep -f "^$dir/bin/[^ ]*/fuzz_[a-z]* " >/dev/null; do
        echo "campaign: waiting for the rounds of a killed campaign"
        sleep 2
    done
    for round in "$dir"/rounds/*/; do
        [ ! -d "$round" ] || locked harvest "${round%/}"
    done
    restore_corpora
}
