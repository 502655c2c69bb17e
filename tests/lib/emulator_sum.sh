# shellcheck shell=bash
# The GPU emulator (tests/emulator) takes three tenths of the time of all tests, and gives the same result for the same
# code. tests/emulator.sum holds the checksum of the code that last passed these tests. tests/run.sh skips them while
# the checksum is the same.

# Prints a checksum of the sources that the emulator builds, without blank lines and comments.
# shellcheck disable=SC2016 # text for inner shells
emulator_sum() {
    find CMakeLists.txt kernels io/CMakeLists.txt io/png app/bench/model app/bench/timing app/bench/experiments \
        tests/emulator tests/checkkernels tests/checkcodec tests/device tests/fuzz -type f \
        \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name CMakeLists.txt \
            -o -name '*.cmake' -o -name targets.txt \) -print0 |
        xargs -0 -n 40 -P "$(nproc)" bash -c '
            for file; do
                text=$({ [[ $file == *.txt || $file == *.cmake ]] && sed "s/^[[:space:]]*#.*//" "$file"; } ||
                    gcc -x c++ -w -fpreprocessed -E -P -dD "$file" 2>/dev/null || cat "$file")
                printf "%s %s\n" "$file" "$(sed "s/[[:space:]]*$//; /^$/d" <<<"$text" | sha256sum)"
            done' _ |
        LC_ALL=C sort | sha256sum | cut -d" " -f1
}
