#!/usr/bin/env bash
# check_failures.sh PROGRAM SAMPLES: runs commands many times; in each run another call of the CUDA runtime fails.
# There are three modes: the call fails once; it and all later calls of its class fail; or it and all later calls of
# every class fail, as after an illegal address. PROGRAM is failing_imgtool.
# Under --backend auto the CPU must then do the work, with the same bytes, and the command must report this. Under
# --backend cuda the GPU must give the same bytes, or the command must end with a message, an exit code and no output.
# No resource may be left, and no run may hang. Exit code 77 without a real or an emulated GPU.
#   RUNS=100 SEED=1   tries about RUNS failures, equally many of each class; SEED chooses them (0: at random);
#                     RUNS=0 tries all of them
#   JOBS=2            number of concurrent runs
#   WORK='rotate batch' BACKENDS='auto cuda' CLASSES='launch any'   commands, backends and classes of calls
set -euo pipefail

program=$(realpath "$1") samples=$(realpath "$2")
runs=${RUNS:-0} seed=${SEED:-1} jobs=${JOBS:-$(nproc)}
[ "$seed" -ne 0 ] || seed=$RANDOM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export program work LC_ALL=C DEVICE_PAYS=1
export SOURCE_DATE_EPOCH=1767225600 # for tIME, so that two runs give the same bytes
export ASAN_OPTIONS=exitcode=99:${ASAN_OPTIONS-} LSAN_OPTIONS=exitcode=98:${LSAN_OPTIONS-}

# --- Commands -----------------------------------------------------------------------------------------------

# start WORKLOAD BACKEND: runs a command in the current directory. It writes out.png, or the directory out with five
# files. Its output goes to `said`, its messages to `err`.
start() {
    local command=() threads=(--threads 2)
    case $1 in
    rotate) command=(rotate --explain "$work/picture.png" out.png) ;;
    pipeline) command=(run 'rotate | blur sigma=1 | trim | brightness value=10' --explain "$work/picture.png" out.png) ;;
    # this file is decoded on the CPU, so its pixels are copied to the GPU
    pixels) command=(flip --explain "$work/palette.png" out.png) ;;
    encode) command=(rotate --explain "$work/large.png" out.png) ;; # large enough to be encoded on the GPU
    # no allocation may be larger than 30,000 bytes, so the picture does not fit and is processed in bands
    bands)
        local -x DEVICE_LARGEST=30000
        command=(run 'blur sigma=1 | flip' --explain "$work/high.png" out.png)
        ;;
    stats) command=(stats --json --explain "$work/picture.png") ;;
    batch) threads=() command=(batch rotate -v --no-record --jobs 2 "$work/five" out) ;;
    # small pictures, which wait for the GPU in groups
    group) threads=() command=(batch rotate -v --no-record "$work/small" out) ;;
    esac
    timeout -k 5 60 "$program" "${command[@]}" "${threads[@]}" --backend "$2" >said 2>err </dev/null
}

make_pictures() {
    cp "$samples/size-76x62.png" "$work/picture.png"
    cp "$samples/palette-8.png" "$work/palette.png"
    "$program" resize 300x240 --fit fill --backend cpu "$samples/rgba-16.png" "$work/large.png"
    "$program" resize 60x200 --fit fill --backend cpu "$samples/rgb-8.png" "$work/high.png"
    mkdir "$work/five"
    cp "$samples"/{gray-8,rgb-8,palette-8,size-31x33}.png "$work/five"
    cp "$work/large.png" "$work/five"
    mkdir "$work/small"
    for i in 1 2 3 4 5; do
        "$program" resize "$((70 + i))x90" --fit fill --backend cpu "$samples/rgb-8.png" "$work/small/$i.png"
    done
}

# is_batch: succeeds if the command processes five files.
is_batch() {
    [[ "$workload" = batch || "$workload" = group ]]
}

# --- Results ------------------------------------------------------------------------------------------------

# value_of NAME: prints the value of NAME=VALUE in the line that failing_imgtool wrote.
value_of() {
    local value=${told##* "$1"=}
    echo "${value%% *}"
}

# all_released: succeeds if all resources were released. Pinned memory whose release was made to fail does not count.
all_released() {
    local thing
    for thing in memory host-memory events streams; do
        [ "$(value_of $thing)" -eq 0 ] || return 1
    done
    [[ "$(value_of pinned)" = 0 || "$DEVICE_FAILS" = release:* || "$DEVICE_FAILS" = any:* ]]
}

# is_same FILE: succeeds if the file equals the result of the CPU.
is_same() {
    cmp -s "$1" "$work/reference/$workload/$1"
}

# same_files: succeeds if the files of a batch equal those of the CPU. No missing file may be reported as done.
same_files() {
    local file count=0 finished
    for file in out/*.png; do
        if [ -e "$file" ]; then
            is_same "$file" || return 1
            count=$((count + 1))
        fi
    done
    finished=$(sed -n 's/^imgtool: \([0-9]*\) files\{0,1\} done.*/\1/p' err)
    [ "${finished:-0}" -eq $count ] && [[ $code -ne 0 || $count -eq 5 ]]
}

# place_of: prints which processor did the work by the program's report: "gpu", or "cpu" if the report gives a failure
# of the GPU as the reason. Prints "unexplained" for work of the CPU without this reason.
place_of() {
    if is_batch; then
        if grep -q 'GPU failed\|cannot be used\|no usable GPU\|repeated on the CPU' err; then echo cpu; else echo gpu; fi
    elif grep -q '^  backend  *cuda: ' err; then
        echo gpu
    elif grep -q '^  backend  *cpu: .*GPU' err; then
        echo cpu
    else
        echo unexplained
    fi
}

# judge: judges the run that has just ended. Prints one word: the place of the work, or the kind of fault.
judge() {
    local left
    told=" $(cat tells 2>/dev/null || true)"
    left=$(find . -name '.*' -type f)
    case $code in
    124 | 137) echo hangs ;;
    98) echo leaks ;;
    *)
        if [ "$told" = ' ' ] || [ $code -ge 99 ]; then
            echo crashes
        elif ! all_released; then
            echo keeps
        elif [ -n "$left" ]; then
            echo leaves-files
        elif [ $code -ne 0 ]; then
            judge_refusal
        elif ! judge_output; then
            echo other-bytes
        elif [ "$backend" = cuda ] && [ "$(place_of)" != gpu ] && ! is_batch; then
            echo fell-back
        else
            place_of
        fi
        ;;
    esac
}

judge_output() {
    case $workload in
    batch | group) same_files ;;
    stats) is_same said ;;
    *) is_same out.png ;;
    esac
}

# judge_refusal: judges a run that failed in an orderly way, and prints a word like judge. The exit code must be 4, the
# code of a missing or failed GPU. It may also be 3 if an allocation failed. A batch may also end with 1 or 75, because
# other pictures may have succeeded.
judge_refusal() {
    local allowed=' 4 '
    [[ "$DEVICE_FAILS" != allocate:* ]] || allowed=' 3 4 '
    ! is_batch || allowed=' 1 4 75 '
    [ "$workload" != bands ] || allowed=' 3 4 '
    if [ "$backend" != cuda ]; then
        echo gives-up
    elif [[ "$allowed" != *" $code "* ]]; then
        echo "exit-code-$code"
    elif ! grep -q '^imgtool: .*\(CUDA\|GPU\|no [0-9]* MiB left\)' err; then
        echo says-nothing
    elif grep -q 'continuing on the CPU' err; then
        echo promises-the-cpu
    elif is_batch && ! same_files; then
        echo other-bytes
    elif ! is_batch && [ -e out.png ]; then
        echo leaves-output
    else
        echo refused
    fi
}

# try WORKLOAD BACKEND CLASS MODE N: runs the command while the call number N of CLASS fails as MODE says (once, or with
# all later calls). Prints the arguments and the result.
try() {
    local directory=$work/runs/$1-$2-$3-$4-$5 code=0 outcome workload=$1 backend=$2 told
    mkdir -p "$directory" && cd "$directory"
    export DEVICE_FAILS=$3:$4:$5 DEVICE_TELLS=$directory/tells
    start "$1" "$2" || code=$?
    outcome=$(judge)
    case $outcome in
    gpu | cpu | refused)
        [ "$(sed 's/.*reached=//' tells)" = 1 ] || outcome=not-reached
        rm -rf "$directory"
        ;;
    esac
    echo "$1 $2 $3 $4 $5 $outcome $code"
}
export -f start value_of all_released is_batch is_same same_files place_of judge judge_output judge_refusal try

# --- All failures -------------------------------------------------------------------------------------------

# rehearse WORKLOAD BACKEND: runs the command without failures and counts the calls. The command must use the GPU.
rehearse() {
    local directory=$work/rehearsal/$1-$2 code=0 workload=$1 backend=$2 told outcome
    mkdir -p "$directory" && cd "$directory"
    export DEVICE_TELLS=$directory/tells
    unset DEVICE_FAILS
    start "$1" "$2" || code=$?
    outcome=$(DEVICE_FAILS='' judge)
    told=" $(cat tells 2>/dev/null || true)"
    if [ "$outcome" != gpu ] || [ "$(value_of launch)" -eq 0 ]; then
        echo "$1 --backend $2, where nothing fails: $outcome, exit code $code, calls:$told" >&2
        cat err >&2
        return 1
    fi
}

# list_failures: prints all failures to try, one per line, as the arguments of try.
list_failures() {
    local workload backend class mode n count told
    for workload in $workloads; do
        for backend in $backends; do
            told=" $(cat "$work/rehearsal/$workload-$backend/tells")"
            for class in $classes; do
                count=$(value_of "$class")
                for mode in $([ "$class" = any ] && echo broken || echo once on); do
                    for ((n = 1; n <= count; n++)); do
                        echo "$workload $backend $class $mode $n"
                    done
                done
            done
        done
    done
}

# choose: reads the output of list_failures. Selects the same number of lines of each class and mode, evenly spread over
# the calls.
choose() {
    awk -v runs="$runs" -v seed="$seed" '
        { key = $3 " " $4; if (!(key in size)) order[++keys] = key
          line[key, size[key]++] = $0 }
        END { for (k = 1; k <= keys; k++) { key = order[k]
                  every = runs > 0 ? int(size[key] * keys / runs) : 1
                  every = every < 1 ? 1 : every
                  for (i = seed % every; i < size[key]; i += every) print line[key, i] } }'
}

print_table() {
    awk '
        { key = $3 " " $4 }
        FNR == NR { if (!(key in most)) order[++keys] = key; most[key] = 0; next }
        { runs[key]++; count[key, $6]++; most[key] = $5 > most[key] ? $5 : most[key]
          if ($6 !~ /^(gpu|cpu|refused|not-reached)$/) wrong[key]++ }
        END { printf "%-20s %8s %6s %8s %8s %8s %12s %6s\n", "calls that fail", "highest", "runs", "on GPU",
                  "on CPU", "refused", "not reached", "wrong"
              for (i = 1; i <= keys; i++) { key = order[i]
                  printf "%-20s %8d %6d %8d %8d %8d %12d %6d\n", key, most[key], runs[key], count[key, "gpu"],
                      count[key, "cpu"], count[key, "refused"], count[key, "not-reached"], wrong[key] } }' chosen results
}

if none=$("$program" devices | grep '^cuda .*none'); then
    echo "skipped: no GPU, nor an emulated one: $none"
    exit 77
fi
workloads=${WORK:-rotate pipeline pixels encode bands stats batch group} backends=${BACKENDS:-auto cuda}
classes=${CLASSES:-set-up ask allocate copy launch synchronise event release any}
make_pictures
for workload in $workloads; do
    mkdir -p "$work/reference/$workload"
    (cd "$work/reference/$workload" && start "$workload" cpu) || { cat "$work/reference/$workload/err" && exit 1; }
    for backend in $backends; do
        rehearse "$workload" "$backend"
    done
done
cd "$work"
list_failures >all
count=$(wc -l <all)
choose <all >chosen
xargs -P "$jobs" -L 1 bash -c 'set -euo pipefail; try "$@"' try <chosen >results
print_table
grep -vE ' (gpu|cpu|refused|not-reached) [0-9]+$' results >wrong || true
while read -r workload backend class mode n outcome code; do
    echo "$workload --backend $backend, $class:$mode:$n: $outcome (exit code $code)"
    head -n 12 "runs/$workload-$backend-$class-$mode-$n/err" 2>/dev/null
done < <(head -n 20 wrong)
echo "$(wc -l <results) of $count failures tried (SEED=$seed), $(wc -l <wrong) wrong, $SECONDS s"
[ ! -s wrong ] && [ "$(wc -l <results)" -eq "$(wc -l <chosen)" ] && [ -s results ]
