#!/usr/bin/env bash
# Fuzzes all targets in rounds on all cores, for hours. Continues where it was stopped or killed.
#
#     campaign.sh HOURS        fuzzes for this many more core-hours (processor time of the fuzzers)
#     campaign.sh --status     prints the table of results, at any time
#     campaign.sh --stop       ends the running campaign between two inputs
#     campaign.sh --export     adds the best inputs (kept-*) to the archives of corpus/, and the totals to MEASUREMENTS.md
#     campaign.sh --coverage   measures which code the corpora reach, and lists the functions that no input reaches
#     campaign.sh --suites     fetches the test pictures of other projects as further inputs (needs the network)
#
# The exit code is 3 if a campaign in DIR has found an input that makes this version of the code fail, and that fails
# again when it is run alone.
# Options:
#     --dir DIR              state of the campaign (default: build-fuzz/campaign at the root of the repository)
#     --cores N              workers (default: all cores)
#     --nice N               priority of builds and fuzzers (10)
#     --round SECONDS        processor time of a round (60)
#     --wall HOURS           ends after this time by the clock
#     --targets NAME,NAME    only these targets
#     --programs DIR         has fuzz_NAME and dictionaries/ already built (default: builds them in DIR/build of --dir)
set -euo pipefail
here=$(dirname "$(realpath "$0")")
tree=$(realpath "$here/../..")
dir=$tree/build-fuzz/campaign cores=$(nproc) nice=10 round_seconds=60 wall_hours=0 only='' programs='' action='' hours=0

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --status | --stop | --export | --coverage | --suites) action=${1#--} ;;
    --dir) dir=$(realpath -m "${2:?}") && shift ;;
    --cores) cores=${2:?} && shift ;;
    --nice) nice=${2:?} && shift ;;
    --round) round_seconds=${2:?} && shift ;;
    --wall) wall_hours=${2:?} && shift ;;
    --targets) only=${2:?} && shift ;;
    --programs) programs=$(realpath "${2:?}") && shift ;;
    [0-9]* | .[0-9]*) hours=$1 action=run ;;
    *) usage ;;
    esac
    shift
done
[ -n "$action" ] || usage
# shellcheck source=tests/fuzz/campaign/state.sh
. "$here/campaign/state.sh"
# shellcheck source=tests/fuzz/campaign/build.sh
. "$here/campaign/build.sh"
# shellcheck source=tests/fuzz/campaign/corpora.sh
. "$here/campaign/corpora.sh"
# shellcheck source=tests/fuzz/campaign/rounds.sh
. "$here/campaign/rounds.sh"
# shellcheck source=tests/fuzz/campaign/finds.sh
. "$here/campaign/finds.sh"
# shellcheck source=tests/fuzz/campaign/report.sh
. "$here/campaign/report.sh"
# shellcheck source=tests/fuzz/campaign/coverage.sh
. "$here/campaign/coverage.sh"

# Starts one worker per core and waits until the core-hours are used. If this process ends, even by a kill, its workers
# end by themselves.
run() {
    local slot worker workers=()
    begin_call
    build_programs
    end_leftovers
    unpack_tree_corpora "$dir/tree"
    seed_corpora
    deadline=$(deadline_of "$wall_hours")
    trap 'touch "$dir/stop"' INT TERM
    echo "campaign: $hours core-hours on $cores cores, code $code, ${#targets[@]} targets: ${targets[*]}"
    for ((slot = 0; slot < cores; slot++)); do
        work 8>&- &
        workers+=($!)
    done
    for worker in "${workers[@]}"; do
        while kill -0 "$worker" 2>/dev/null; do wait "$worker" || true; done
    done
    rm -f "$dir/stop"
    print_status
    ! has_finds || exit 3
}

# This is a function, so that bash reads the whole file before it runs it. The file may change during a campaign.
main() {
    case $action in
    run) run ;;
    status) open_state && print_status ;;
    stop)
        open_state
        if campaign_runs; then touch "$dir/stop"; else echo "campaign: none runs in $dir"; fi
        ;;
    export) open_state && build_programs && export_corpus && export_totals ;;
    coverage) open_state && report_coverage ;;
    suites) open_state && fetch_suites ;;
    *) usage ;;
    esac
    exit
}
main
