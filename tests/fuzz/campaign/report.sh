# shellcheck shell=bash disable=SC2034,SC2154 # variables are those of campaign.sh and the parts beside this
# The table of what has been done: rounds of this campaign, and of others whose totals the tree has.

totals=$here/CAMPAIGN.md

# Of awk, with `same`: the code that counts for what `code` has run, the last one of which the program is the same.
code_of='
    function code_of(code, target) { return (target, code) in later ? later[target, code] : code }
    BEGIN {
        while ((getline line <same) > 0) {
            split(line, f, "\t")
            later[f[1], f[2]] = f[3]
        }
    }'

# Per campaign, code and target: campaign, code, target, executions, core-seconds, edges, features, finds; by tabs, in the
# order in which codes were first fuzzed.
total_rows() {
    # Of other campaigns, from the tree.
    if [ -e "$totals" ]; then
        sed -n 's/^| \([0-9]\{8\}-[0-9a-f]\{4\}\) | /\1\t/p' "$totals" | sed 's/ *| */\t/g; s/\t$//' |
            awk -F '\t' -v OFS='\t' -v id="$id" -v same="$dir/same.tsv" "$code_of"'
                $1 != id { $2 = code_of($2, $3); print }'
    fi
    awk -F '\t' -v OFS='\t' -v id="$id" -v finds="$dir/finds.tsv" -v same="$dir/same.tsv" "$code_of"'
        BEGIN {
            while ((getline line <finds) > 0) {
                split(line, f, "\t")
                if (f[6] == "yes" && !seen[f[2], f[3], f[4]]++)
                    found[code_of(f[2], f[3]), f[3]]++
            }
        }
        NF == 11 {
            key = code_of($3, $4) "\t" $4
            if (!(key in executions)) {
                order[++count] = key
                executions[key] = 0
            }
            executions[key] += $8
            seconds[key] += $7
            if ($9 > edges[key]) edges[key] = $9
            if ($10 > features[key]) features[key] = $10
        }
        END {
            for (i = 1; i <= count; i++) {
                key = order[i]
                split(key, k, "\t")
                print id, key, executions[key], seconds[key], edges[key] + 0, features[key] + 0, found[k[1], k[2]] + 0
            }
        }' "$dir/rounds.tsv"
}

# That whose programs others have been held against, or that of the last round; nothing: no round was here.
last_code() {
    if [ -s "$dir/same.tsv" ]; then head -n 1 "$dir/same.tsv"; else tail -n 1 "$dir/rounds.tsv"; fi | cut -f 3
}

# A row per target: all that was ever run, and what the code that came last had of it.
table() {
    local files
    files=$(for name in "$dir"/corpus/*/; do
        printf '%s %s\n' "$(basename "$name")" "$(find "$name" -type f 2>/dev/null | wc -l)"
    done)
    total_rows | awk -F '\t' -v files="$files" -v here="$(last_code)" '
        BEGIN {
            n = split(files, lines, "\n")
            for (i = 1; i <= n; i++) {
                split(lines[i], f, " ")
                corpus[f[1]] = f[2]
            }
        }
        function number(n,    s) {
            s = sprintf("%d", n)
            while (match(s, /[0-9][0-9][0-9][0-9]($|,)/))
                s = substr(s, 1, RSTART) "," substr(s, RSTART + 1)
            return s
        }
        {
            if (!($3 in all)) { order[++count] = $3; all[$3] = 0 }
            all[$3] += $4; seconds[$3] += $5; finds[$3] += $8; last = $2
            run[$2, $3] += $4; used[$2, $3] += $5
            if ($2 != code[$3]) edges[$3] = features[$3] = 0
            code[$3] = $2
            if ($6 > edges[$3]) edges[$3] = $6
            if ($7 > features[$3]) features[$3] = $7
        }
        END {
            if (here != "") last = here
            printf "| target | executions | core-hours | with code %s: executions | core-hours | edges | features | corpus | finds |\n", last
            print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            for (i = 1; i <= count; i++) {
                t = order[i]
                printf "| %s | %s | %.2f | %s | %.2f | %s | %s | %s | %d |\n", t, number(all[t]), seconds[t] / 3600,
                    number(run[last, t]), used[last, t] / 3600, number(edges[t]), number(features[t]),
                    corpus[t] == "" ? "" : number(corpus[t]), finds[t]
                sum += all[t]; sum_seconds += seconds[t]; sum_finds += finds[t]
                sum_run += run[last, t]; sum_used += used[last, t]
            }
            printf "| all | %s | %.2f | %s | %.2f | | | | %d |\n", number(sum), sum_seconds / 3600, number(sum_run),
                sum_used / 3600, sum_finds
        }'
}

# Also as a file, for whoever looks while it runs.
print_status() {
    if [ "$(total_rows | wc -l)" -eq 0 ]; then
        echo "campaign: nothing has been run in $dir"
        return
    fi
    table >"$dir/status.new" && mv "$dir/status.new" "$dir/STATUS.md"
    cat "$dir/STATUS.md"
    awk -F '\t' '!seen[$3, $4]++ { printf "find: %s-%s (%s, code %s, again alone: %s)\n", $3, $4, $5, $2, $6 }' "$dir/finds.tsv"
    if [ "$action" = status ] && campaign_runs; then echo "a campaign runs in $dir"; fi
}

# Totals that can be committed. Rows of other campaigns stay, under the code that their program is of; those of this one
# are replaced.
export_totals() {
    {
        echo "# What the fuzz targets have run"
        echo
        echo "By \`tests/fuzz/campaign.sh\`, which writes this file (\`--export\`) and goes on from it. Core-hours are processor"
        echo "time of the fuzzers; executions include those that load the corpus at the start of each round; edges and"
        echo "features are libFuzzer's, under AddressSanitizer and UBSan, with the code that was run last; finds are failures"
        echo "that differ and were seen again alone, whatever came of them."
        echo
        table
        echo
        echo "## By campaign and code"
        echo
        echo "The code is the last commit that changed \`app\`, \`io\` or \`kernels\` (with + where the tree had changes beside), or the"
        echo "one that came last of those with which a target's program is the same, byte for byte."
        echo
        echo "| campaign | code | target | executions | core-seconds | edges | features | finds |"
        echo "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
        total_rows | sed 's/\t/ | /g; s/^/| /; s/$/ |/'
    } >"$dir/totals.new"
    mv "$dir/totals.new" "$totals"
    echo "campaign: totals in $totals"
}
