# shellcheck shell=bash
# A Slurm of three nodes on this machine, run as root without systemd: each node is a slurmd with its own port,
# and munged has its own key. Source this after `work` (an empty directory) is set; call start_slurm, then
# stop_slurm.

: "${work:?}"
slurm=$work/slurm
slurm_nodes=(n1 n2 n3)

write_slurm_conf() {
    local host base=$((20000 + RANDOM % 20000))
    host=$(hostname -s)
    mkdir -p "$slurm"/{state,spool}
    cat >"$slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
SlurmUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool/%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdTimeout=20
KillWait=5
ReturnToService=2
MpiDefault=none
NodeName=n[1-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + 3))] CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
    export SLURM_CONF=$slurm/slurm.conf
}

start_munge() {
    mkdir -p "$slurm/munge"
    dd if=/dev/urandom of="$slurm/munge/key" bs=128 count=1 status=none
    chown -R munge "$slurm/munge"
    chmod 755 "$work" "$slurm" "$slurm/munge"
    chmod 400 "$slurm/munge/key"
    runuser -u munge -- munged --foreground --socket="$slurm/munge/socket" --key-file="$slurm/munge/key" \
        --pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" --num-threads=2 &
    await_file "$slurm/munge/socket"
}

# All daemons are children of this shell. When a daemon ends, this shell calls `wait`, so that no zombie process
# remains. A container may have no init process that would do so.
start_controller() {
    slurmctld -D &
    await_file "$slurm/slurmctld.pid"
}

start_node() {
    slurmd -D -N "$1" >>"$slurm/said" 2>&1 &
    await_file "$slurm/slurmd-$1.pid"
}

# await_file FILE: waits at most ten seconds until FILE exists.
await_file() {
    local try
    for ((try = 0; try < 100; try++)); do
        [ ! -e "$1" ] || return 0
        sleep 0.1
    done
    return 1
}

# Waits at most half a minute until all nodes are ready.
await_nodes() {
    local try
    for ((try = 0; try < 150; try++)); do
        [ "$(sinfo -h -t idle -o %D 2>/dev/null)" != 3 ] || return 0
        sleep 0.2
    done
    return 1
}

# Starts Slurm. If that fails, sets `slurm_why` to the reason.
start_slurm() {
    local program
    slurm_why=
    for program in slurmctld slurmd srun sbatch munged; do
        command -v $program >/dev/null || slurm_why="there is no $program"
    done
    [ "$(id -u)" -eq 0 ] || slurm_why="starting Slurm's daemons takes root"
    [ -z "$slurm_why" ] || return 1
    write_slurm_conf
    if ! start_munge >"$slurm/said" 2>&1 || ! start_controller >>"$slurm/said" 2>&1; then
        slurm_why="its daemons do not start: $(tail -n 1 "$slurm/said")"
        return 1
    fi
    for program in "${slurm_nodes[@]}"; do
        start_node "$program" >>"$slurm/said" 2>&1
    done
    await_nodes || slurm_why="its nodes do not get ready: $(tail -n 1 "$slurm/slurmctld.log" 2>/dev/null)"
    [ -z "$slurm_why" ]
}

# processes_of_node NODE: prints the process ids of a node. These are its tasks, the slurmstepd processes that started
# them, and last the slurmd of the node.
processes_of_node() {
    local file process parent
    # shellcheck disable=SC2013,SC2046 # names without spaces
    for file in $(grep -lzsx "SLURM_CONF=$SLURM_CONF" $(grep -lzsx "SLURMD_NODENAME=$1" /proc/[0-9]*/environ) /dev/null); do
        process=${file#/proc/}
        process=${process%/environ}
        echo "$process"
        parent=$(awk '{ print $4 }' "/proc/$process/stat" 2>/dev/null)
        if grep -q '^slurmstepd' "/proc/${parent:-0}/cmdline" 2>/dev/null; then
            echo "$parent"
        fi
    done | sort -un
    cat "$slurm/slurmd-$1.pid" 2>/dev/null
}

# kill_node NODE: simulates a power failure of a node.
kill_node() {
    local process
    for process in $(processes_of_node "$1"); do
        kill -9 "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -f "$slurm/slurmd-$1.pid"
}

# await_job ID: waits until all tasks of the job have ended. Releases requeued tasks at once, because Slurm delays them
# by two minutes. Fails if a task failed. 'sbatch --wait' is not used, because it polls rarely.
await_job() {
    local waiting try
    for ((try = 0; try < 600; try++)); do
        if scontrol show job "$1" -o >"$slurm/job" 2>&1 && grep -q JobState= "$slurm/job" &&
            ! grep -qvE 'JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT)' "$slurm/job"; then
            break
        fi
        # shellcheck disable=SC2013 # numbers
        for waiting in $(grep -E 'JobState=PENDING Reason=BeginTime' "$slurm/job" | grep -oE '^JobId=[0-9]+'); do
            scontrol update jobid="${waiting#JobId=}" starttime=now >/dev/null 2>&1
        done
        sleep 0.3
    done
    ! grep -qv JobState=COMPLETED "$slurm/job"
}

# end_daemon PID: ends the process within five seconds.
end_daemon() {
    local try
    kill "$1" 2>/dev/null || return 0
    for ((try = 0; try < 50; try++)); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -9 "$1" 2>/dev/null || true
}

stop_slurm() {
    local file node process running
    [ -e "$slurm/slurm.conf" ] || return 0
    scancel --me >/dev/null 2>&1 || true
    for node in "${slurm_nodes[@]}"; do
        kill_node "$node"
    done
    for file in "$slurm/slurmctld.pid" "$slurm/munge/pid"; do
        process=$(cat "$file" 2>/dev/null) || continue
        end_daemon "$process"
    done
    # Kills the daemons that are still running: they are the only children that this shell has left.
    mapfile -t running < <(jobs -p)
    kill -9 "${running[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$slurm"
}
