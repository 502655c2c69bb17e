#!/usr/bin/env bash
# Runs one batch as many processes, with a real Slurm of three nodes on this machine and with Open MPI. Processes are
# killed and restarted, and others take over their work. The files, the report and the figures must always equal those
# of one machine.
#
#     cluster.sh IMGTOOL [--full] [SEED]
#
# --full: 2,000 pictures and four times as many kills; without it 100 pictures. SEED, which is printed, decides when
# which processes are killed. Missing parts of Slurm and Open MPI are installed if possible; otherwise their checks are
# skipped with a reason. Exit code 1 if a check fails.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 IMGTOOL [--full] [SEED]" >&2
    exit 2
fi
IMGTOOL=$(realpath "$1")
imgtool=$IMGTOOL
export IMGTOOL
shift
count=100 rounds=1
[ "${1-}" != --full ] || {
    count=2000 rounds=4
    shift
}
seed=${1:-$((EPOCHSECONDS % 32768))}
work=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-cluster.XXXXXX")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=tests/batch/checks.sh
. "$here/../batch/checks.sh"
# shellcheck source=tests/cluster/slurm.sh
. "$here/slurm.sh"
# shellcheck source=tests/lib/packages.sh
. "$here/../lib/packages.sh"

clean_up() {
    stop_slurm
    rm -rf "$work"
}
trap clean_up EXIT
cd "$work"

# The options make the steps slow, so that there is time to kill processes.
options=(--angle 90 --recursive --level 7 --jobs 1)
export batch_line="\"\$IMGTOOL\" batch rotate ${options[*]} '$work/in' '$work/out'"

# make_many: makes a few pictures under many names, in a tree of directories.
make_many() {
    local number name
    mkdir -p in/a in/b/c made
    for ((number = 0; number < 20; number++)); do
        "$imgtool" crop -q --x $((number * 7)) --y $number --width $((300 + number * 9)) --height 200 \
            "$samples/landscape.png" "made/$number.png"
    done
    for ((number = 0; number < count; number++)); do
        name=in/a
        ((number % 3)) || name=in/b/c
        cp "made/$((number % 20)).png" "$name/$number.png"
    done
    files=$count
}

one_machine() {
    "$imgtool" batch rotate --angle 90 --recursive --level 7 -q in want
    "$imgtool" batch stats --recursive --json --percentiles 1,50,99.9 in >stats-want
    [ "$(find want -name '*.png' | wc -l)" -eq "$files" ] || problem "files are missing"
}

# Checks that the files equal those of one machine, and that the merged report has each of them once.
expect_whole_batch() {
    local difference
    if ! difference=$(diff -r --exclude='.imgtool-batch*' want out 2>&1); then
        problem "$(head -n 5 <<<"$difference")"
    fi
    expect_none_left out
    [ ! -e out/.imgtool-claims ] || problem "claims are left over: $(find out/.imgtool-claims | head -n 5)"
    "$imgtool" batch merge-report report-* >merged 2>>said || problem "merge-report: code $?"
    [ "$(jq -r 'select(.type == "file").file' merged | sort -u | wc -l)" -eq "$files" ] ||
        problem "the merged report does not have every file"
    [ "$(jq -c 'select(.type == "summary") | [.file_count, .failed]' merged)" = "[$files,0]" ] ||
        problem "the merged report says $(tail -n 1 merged)"
}

fresh() {
    rm -rf out report-* merged pids
}

need_slurm() {
    skip_reason=$slurm_why
    [ -z "$slurm_why" ]
}

not_completed() {
    cat task-* >said 2>/dev/null || true
    problem "not all completed: $(grep -oE 'JobState=[A-Z_]* Reason=[A-Za-z]*' "$slurm/job" | xargs)"
}

# run_array OPTIONS...: runs a job array to its end.
run_array() {
    local job
    rm -f task-*
    job=$(sbatch --parsable -o "$work/task-%a" "$@" 2>said) || problem "sbatch: code $?"
    await_job "$job" || not_completed
}

slurm_array() {
    need_slurm || return 0
    fresh
    run_array --array=3-21:3 --wrap "$batch_line -q --shard auto --report 'report-{shard}'"
    [ "$(find . -maxdepth 1 -name 'report-*-of-7' | wc -l)" -eq 7 ] || problem "not seven reports: $(echo report-*)"
    expect_whole_batch
}

slurm_step() {
    need_slurm || return 0
    fresh
    srun -N3 -n6 bash -c "$batch_line -q --shard auto --steal=10s --report 'report-{shard}'" >said 2>&1 ||
        problem "srun: code $?"
    expect_whole_batch
}

slurm_step_in_array() {
    need_slurm || return 0
    fresh
    run_array --array=0-1 -N2 -n3 --wrap "srun bash -c \"\$batch_line -q --shard auto --report 'report-{shard}'\""
    [ "$(find . -maxdepth 1 -name 'report-*-of-6' | wc -l)" -eq 6 ] || problem "not six reports: $(echo report-*)"
    expect_whole_batch
}

slurm_statistics() {
    need_slurm || return 0
    srun -N3 -n6 bash -c "\"\$IMGTOOL\" batch stats --recursive --json --percentiles 1,50,99.9 --shard auto in \
        >part-\$SLURM_PROCID" >said 2>&1 || problem "srun: code $?"
    "$imgtool" stats merge --json part-? >stats-found || problem "stats merge: code $?"
    cmp stats-want stats-found >>said || problem "the merged statistics differ"
}

# choose_moment LEAST MOST: sets `moment` to a random number of files, between LEAST and MOST percent of all. Do not
# call it in a subshell, which would have its own random numbers.
choose_moment() {
    moment=$((files * $1 / 100 + RANDOM * files * ($2 - $1) / 100 / 32768 + 1))
}

count_done() {
    find out -name '[0-9]*.png' 2>/dev/null | wc -l
}

# await_outputs NUMBER: waits until there are NUMBER outputs.
await_outputs() {
    local try
    for ((try = 0; try < 3000; try++)); do
        [ "$(count_done)" -lt "$1" ] || return 0
        sleep 0.05
    done
    problem "there were never $1 outputs"
}

slurm_node_killed() {
    local job killed
    need_slurm || return 0
    fresh
    job=$(sbatch --parsable --requeue --array=0-6 -o /dev/null \
        --wrap "$batch_line -q --resume --shard auto --report 'report-{shard}-'\$SLURM_RESTART_COUNT")
    choose_moment 3 50
    await_outputs "$moment"
    killed=$(squeue -h -w n2 -t R -o %A 2>/dev/null | wc -l)
    kill_node n2
    # The controller itself would notice the lost node only after SlurmdTimeout.
    scontrol update nodename=n2 state=down reason=killed
    echo "    killed with $(count_done) of $files files done; $killed tasks were on it"
    [ "$killed" -gt 0 ] || problem "nothing ran on the node that was killed"
    await_job "$job" || not_completed
    start_node n2 # not earlier, because the node would reject tasks whose end it has missed
    await_nodes || true
    find . -maxdepth 1 -name 'report-*-of-7-[1-9]' | grep -q . || problem "no task was started again"
    expect_whole_batch
}

# Kills a random one of the 20 processes, which must have started and not ended. Prints its number.
kill_one() {
    local try rank
    for ((try = 0; try < 200; try++)); do
        rank=$((RANDOM % 20))
        if [ -s pids/$rank ] && compgen -G "out/.imgtool-claims/*/start-$rank" >/dev/null &&
            kill -9 "$(cat pids/$rank)" 2>/dev/null; then
            rm pids/$rank
            echo "$rank after $(count_done)"
            return 0
        fi
    done
    return 1
}

mpi_shards_killed() {
    local run next moments=() killed=()
    if ! command -v mpirun >/dev/null; then
        skip_reason="there is no mpirun"
        return 0
    fi
    fresh
    mkdir pids
    # The shell around imgtool stays alive: mpirun ends all other processes if one of its own is killed.
    # shellcheck disable=SC2016 # the inner shell expands these names
    mpirun --allow-run-as-root --oversubscribe -np 20 bash -c \
        "nice $batch_line -q --shard auto --steal=4s --report report-{shard} & "'
        echo $! >pids/$OMPI_COMM_WORLD_RANK; wait $! || true' >said 2>&1 &
    run=$!
    for next in 1 2 3; do
        choose_moment 2 75
        moments+=("$moment")
    done
    mapfile -t moments < <(printf '%s\n' "${moments[@]}" | sort -n)
    for next in "${moments[@]}"; do
        await_outputs "$next"
        kill_one >killed-one && killed+=("$(cat killed-one)")
    done
    wait $run || problem "mpirun: code $?"
    echo "    killed $(printf '%s, ' "${killed[@]}" | sed 's/, $//') of $files files"
    [ "${#killed[@]}" -eq 3 ] || problem "only ${#killed[@]} processes could be killed"
    expect_whole_batch
}

install_packages "$cluster_packages" >said 2>&1 || echo "not installed: $(tail -n 1 said)"
start_slurm || true
make_many
RANDOM=$seed
echo "seed $seed"
check "one machine" one_machine
check "a Slurm array of seven tasks, in steps of three" slurm_array
check "a Slurm step, srun -N3 -n6" slurm_step
check "steps in an array" slurm_step_in_array
check "statistics of six tasks, merged" slurm_statistics
for ((round = 0; round < rounds; round++)); do
    check "tasks of a killed node are started again" slurm_node_killed
    check "20 processes of mpirun, three killed, others take over" mpi_shards_killed
done
finish
