#!/usr/bin/env bash
# Fuzzing for hours: all targets side by side, in rounds, on all cores; goes on where it was stopped or killed.
#
#     campaign.sh HOURS        so many core-hours more: processor time of the fuzzers, whatever else the machine does
#     campaign.sh --status     the table of what has been done, at any time
#     campaign.sh --stop       ends a campaign that runs, between two inputs
#     campaign.sh --export     puts a small corpus (corpus/*/kept-*) and the totals (CAMPAIGN.md) into the tree
#     campaign.sh --coverage   what the corpora reach, and the list of functions that nothing reaches
#     campaign.sh --suites     adds pictures that other projects test with to the seeds (network wanted)
#
# Exit code 3 where this code, in this directory, has failed with an input that fails again alone.
# Options: --dir DIR (default build-fuzz/campaign beside tests/), --cores N, --nice N (10), --round SECONDS (of
# processor time, 60), --wall HOURS (ends then at the latest), --targets NAME,NAME, --programs DIR (where fuzz_NAME and
# dictionaries/ are built already; without it they are built in DIR/build). README.md says more.
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
# shellcheck source=tests/fuzz/campaign/corpus.sh
. "$here/campaign/corpus.sh"
# shellcheck source=tests/fuzz/campaign/rounds.sh
. "$here/campaign/rounds.sh"
# shellcheck source=tests/fuzz/campaign/finds.sh
. "$here/campaign/finds.sh"
# shellcheck source=tests/fuzz/campaign/report.sh
. "$here/campaign/report.sh"
# shellcheck source=tests/fuzz/campaign/coverage.sh
. "$here/campaign/coverage.sh"

# run: workers, one per core, until the hours are used. They end by themselves when this process does, however it ends.
run() {
    local slot worker workers=()
    begin_call
    build_programs
    end_leftovers
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

# All of it is read before any of it runs: the file may change meanwhile.
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
