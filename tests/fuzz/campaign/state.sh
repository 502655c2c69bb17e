# shellcheck shell=bash disable=SC2034,SC2154 # variables are those of campaign.sh and the parts beside this
# What a campaign keeps in its directory:
#   id            names this campaign in CAMPAIGN.md
#   call          numbers the process that runs the campaign, or ran it last
#   rounds.tsv    a line for each round that ended: id, call, code, target, start, wall seconds, core-seconds,
#                 executions, edges, features, files of the corpus
#   finds.tsv     a line for each find: round, code, target, signature, kind, confirmed or not
#   same.tsv      targets whose program, byte for byte, is that of an earlier code: target, earlier code, code
#   corpus/, seeds/, finds/, bin/CODE/, rounds/ID/ (while a round runs)
# A line is written at once, so that a kill leaves all of it or nothing.

open_state() {
    mkdir -p "$dir"/{corpus,seeds,finds,bin,rounds}
    touch "$dir/rounds.tsv" "$dir/finds.tsv" "$dir/same.tsv"
    [ -s "$dir/id" ] || printf '%s-%04x\n' "$(date +%Y%m%d)" $((RANDOM & 0xffff)) >"$dir/id"
    id=$(cat "$dir/id")
    read_targets
}

# The names, and per name what targets.txt has. Those without a program in this build are left out later.
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
    [ ${#targets[@]} -gt 0 ] || { echo "campaign: no target is called $only" >&2 && exit 2; }
}

# The lock is held by this process alone, so that its workers see when it is gone, and by the number of the call, when
# another one is there instead.
begin_call() {
    open_state
    exec 8>"$dir/lock"
    flock -n 8 || { echo "campaign: another one runs in $dir (--stop ends it)" >&2 && exit 1; }
    call=$(date +%s)-$$
    echo "$call" >"$dir/call"
}

campaign_runs() {
    ! flock -n "$dir/lock" true
}

# locked COMMAND...: one at a time among the workers.
locked() {
    (
        flock 9
        "$@"
    ) 9>"$dir/state.lock"
}

deadline_of() {
    awk -v now="$(date +%s)" -v hours="$1" 'BEGIN { print (hours > 0 ? int(now + hours * 3600) : 0) }'
}

# Fails where this call has used its hours, is to stop, or has lost its process, and sets `why`.
may_go_on() {
    why="it was told to stop"
    [ ! -e "$dir/stop" ] || return 1
    why="it is time"
    [ "$deadline" -eq 0 ] || [ "$(date +%s)" -lt "$deadline" ] || return 1
    why="its process is gone"
    [ "$(cat "$dir/call")" = "$call" ] && campaign_runs || return 1
    why="the hours are used"
    awk -F '\t' -v call="$call" -v hours="$hours" \
        '$2 == call { used += $7 } END { exit !(used < hours * 3600) }' "$dir/rounds.tsv"
}
