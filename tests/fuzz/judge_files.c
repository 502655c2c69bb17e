/* judge_files FILE...: is each file, as it is, judged as libpng judges it, and decoded alike?
 * libpng's own verdict is that of png_read_png; pixels are held against rows that libpng decodes,
 * by every strategy and through the public interface. Prints "read NAME" or "refused NAME"; the
 * file that differs ends it. Exit code 0: none differs. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/judge_libpng.h"
#include "tests/fuzz/judge_ways.h"

enum { THREADS = 2, PIECE_BYTES = 512 };

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FuzzBytes bytes = {0};
        printf("%s: ", argv[i]);
        fflush(stdout);
        if (!fuzz_put_file(&bytes, argv[i]))
            return EXIT_FAILURE;
        const FuzzPng png = {bytes.data, bytes.size, THREADS, PIECE_BYTES};
        const bool theirs = libpng_reads(bytes.data, bytes.size), ours = judge_ways(&png);
        free(bytes.data);
        printf("%s\n", ours ? "read" : "refused");
        if (ours != theirs) {
            printf("%s: libpng %s it\n", argv[i], theirs ? "reads" : "refuses");
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
