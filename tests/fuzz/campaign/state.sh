# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with campaign.sh, which sources it
# The state of a campaign, in its directory:
#   id            identifies this campaign in MEASUREMENTS.md
#   call          identifies the current or last process that runs the campaign
#   rounds.tsv    a line per finished round: id, call, code, target, start, wall seconds, core-seconds,
#                 executions, edges, features, files of the corpus
#   finds.tsv     a line per find: round, code, target, signature, kind, confirmed (yes or no)
#   same.tsv      programs that equal those of an earlier code, byte for byte: target, earlier code, code
#                 ("code" is always a commit, with a + if the work tree had changes: code_id)
#   corpus/TARGET/, finds/, bin/CODE/
#   tree/         the tree's corpora, unpacked
#   seeds/        inputs from --suites
#   rounds/ID/    a running round
# Each line is written at once, so that a kill leaves all of it or nothing.

open_state() {
    mkdir -p "$dir"/{corpus,seeds,finds,bin,rounds}
    touch "$dir/rounds.tsv" "$dir/finds.tsv" "$dir/same.tsv"
    [ -s "$dir/id" ] || printf '%s-%04x\n' "$(date +%Y%m%d)" $((RANDOM & 0xffff)) >"$dir/id"
    id=$(cat "$dir/id")
    read_targets
}

# Reads targets.txt. Later build_programs removes targets that this build does not have.
read_targets() {
    local name group longest dictionary libraries
    declare -gA group_of longest_of dictionary_of libraries_of
    targets=()
    while read -r name group longest dictionary libraries; do
        if [[ $name != [a-z]* || -z $libraries ]]; then continue; fi
        [[ -z $only || ,$only, == *,$name,* ]] || continue
        targets+=("$name")
        group_of[$name]=$group longest_of[$name]=$longest dictionary_of[$name]=$dictionary
        libraries_of[$name]=$libraries
    done <"$here/targets.txt"
    [ ${#targets[@]} -gt 0 ] || { echo "campaign: no target is named $only" >&2 && exit 2; }
}

# Locks the directory and writes a new call id. Only this process holds the lock. Workers notice that it has ended when
# the lock is free or, if another campaign has started since, when the call id has changed.
begin_call() {
    open_state
    exec 8>"$dir/lock"
    flock -n 8 || { echo "campaign: another campaign runs in $dir; end it with --stop" >&2 && exit 1; }
    call=$(date +%s)-$$
    echo "$call" >"$dir/call"
}

campaign_runs() {
    ! flock -n "$dir/lock" true
}

# locked COMMAND...: runs the command. Only one worker at a time runs such a command.
locked() {
    (
        flock 9
        "$@"
    ) 9>"$dir/state.lock"
}

# deadline_of HOURS: prints the time HOURS from now, in seconds since the epoch. Prints 0 if there is no deadline.
deadline_of() {
    awk -v now="$(date +%s)" -v hours="$1" 'BEGIN { print (hours > 0 ? int(now + hours * 3600) : 0) }'
}

# may_go_on: succeeds if a worker may start another round. Fails if this call has used its hours, must stop, or has lost
# its main process. Then sets `why` to the reason.
may_go_on() {
    why="the campaign stops"
    [ ! -e "$dir/stop" ] || return 1
    why="the deadline of --wall has passed"
    [ "$deadline" -eq 0 ] || [ "$(date +%s)" -lt "$deadline" ] || return 1
    why="the main process has ended"
    [ "$(cat "$dir/call")" = "$call" ] && campaign_runs || return 1
    why="the hours are used"
    awk -F '\t' -v call="$call" -v hours="$hours" \
        '$2 == call { used += $7 } END { exit !(used < hours * 3600) }' "$dir/rounds.tsv"
}
