# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with campaign.sh, which sources it
# Prints the table of results: rounds of this campaign, and totals of other campaigns from the tree.

# These two lines enclose the totals in MEASUREMENTS.md.
totals=$here/MEASUREMENTS.md begin_mark='<!-- begin: campaign.sh --export -->' end_mark='<!-- end: campaign.sh --export -->'

# An awk function code_of(code, target), for programs whose variable `same` is the path of same.tsv. Several commits can
# give the same program of a target. The function returns the last one that gave the same program as the commit `code`;
# the results of all of them are counted for it.
code_of='
    function code_of(code, target) { return (target, code) in later ? later[target, code] : code }
    BEGIN {
        while ((getline line <same) > 0) {
            split(line, f, "\t")
            later[f[1], f[2]] = f[3]
        }
    }'

# Prints a line per campaign, code (commit) and target, with fields separated by tabs: campaign, code, target,
# executions, core-seconds, edges, features, finds. The codes are in the order in which they were first fuzzed.
total_rows() {
    # Rows of other campaigns are in MEASUREMENTS.md of the tree.
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

# Reads the lines of total_rows. For each campaign and target, adds up the rows of all commits except the last one to a
# single row with the code `older`, because the table shows older commits only as a sum.
merge_older() {
    awk -F '\t' -v OFS='\t' -v OFMT=%.2f '
        { row[NR] = $0; last[$3] = $2 }
        END {
            for (i = 1; i <= NR; i++) {
                split(row[i], f, "\t")
                if (f[2] == last[f[3]])
                    continue
                key = f[1] OFS "older" OFS f[3]
                if (!(key in executions))
                    order[++count] = key
                executions[key] += f[4]
                seconds[key] += f[5]
                finds[key] += f[8]
            }
            for (i = 1; i <= count; i++)
                print order[i], executions[order[i]], seconds[order[i]], 0, 0, finds[order[i]]
            for (i = 1; i <= NR; i++) {
                split(row[i], f, "\t")
                if (f[2] == last[f[3]])
                    print row[i]
            }
        }'
}

# Prints the code (commit) of the last build. If there was no build, prints the code of the last round, or nothing.
last_code() {
    if [ -s "$dir/same.tsv" ]; then head -n 1 "$dir/same.tsv"; else tail -n 1 "$dir/rounds.tsv"; fi | cut -f 3
}

# Prints a row per target: totals of all runs, and totals of the runs with the last code (commit).
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

# Prints the table and writes it to STATUS.md.
print_status() {
    if [ "$(total_rows | wc -l)" -eq 0 ]; then
        echo "campaign: nothing has run in $dir"
        return
    fi
    table >"$dir/status.new" && mv "$dir/status.new" "$dir/STATUS.md"
    cat "$dir/STATUS.md"
    awk -F '\t' '!seen[$3, $4]++ { printf "find: %s-%s (%s, code %s, again alone: %s)\n", $3, $4, $5, $2, $6 }' "$dir/finds.tsv"
    if [ "$action" = status ] && campaign_runs; then echo "a campaign runs in $dir"; fi
}

# Writes the totals between the two marks of MEASUREMENTS.md. Rows of other campaigns stay, those of this campaign are
# replaced.
export_totals() {
    {
        table
        echo
        echo "By campaign; \`older\` adds up all codes before the target's last one:"
        echo
        echo "| campaign | code | target | executions | core-seconds | edges | features | finds |"
        echo "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
        total_rows | merge_older | sed 's/\t/ | /g; s/^/| /; s/$/ |/'
    } >"$dir/totals.rows"
    [ -e "$totals" ] || printf '%s\n' '# Fuzzing: measurements' '' "$begin_mark" "$end_mark" >"$totals"
    awk -v rows="$dir/totals.rows" -v begin="$begin_mark" -v end="$end_mark" '
        $0 == end { inside = 0 }
        !inside
        $0 == begin {
            inside = 1
            while ((getline line <rows) > 0) print line
        }' "$totals" >"$dir/totals.new"
    mv "$dir/totals.new" "$totals"
    echo "campaign: the totals are in $totals"
}
