#!/usr/bin/env bash
# check_examples.sh EXAMPLES: checks that the stand-in for Criterion reports every kind of result.
set -u
said=$("$1" 2>&1)
code=$?
failed=0
for line in '[PASS] suite/passes_after_its_init' '[PASS] suite/passes_in_a_process_of_its_own' \
    '[FAIL] suite/fails_and_continues' ': 1 == 2 does not hold: first of 2' ': "a" is "b" does not hold' \
    '[FAIL] suite/fails_and_ends' '[FAIL] suite/fails_at_its_end' 'the function for the end ran' '[FAIL] suite/crashes' \
    'ended by signal 9' '[FAIL] suite/hangs' 'ended by signal 14' '[SKIP] suite/is_skipped' 'it cannot run' \
    'Tested: 7 | Passing: 2 | Failing: 3 | Crashing: 2'; do
    if ! grep -qF -e "$line" <<<"$said"; then
        echo "this line is missing: $line"
        failed=1
    fi
done
if [ "$code" -eq 0 ] || "$1" --filter 'suite/crashes' 2>/dev/null; then
    echo "the exit code is 0 although tests failed"
    failed=1
fi
if ! "$1" --filter 'suite/passes_*' 2>/dev/null; then
    echo "tests that passed give another exit code than 0"
    failed=1
fi
[ "$failed" -eq 0 ] || echo "$said"
exit "$failed"
