/* judge_files FILE...: checks that imgtool and libpng accept the same PNG files, and that all
 * decoders of imgtool give the same pixels. libpng's verdict is the one of png_read_png.
 * Prints "NAME: read" or "NAME: refused" for each file. Ends with exit code 1 at the first
 * difference. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/judge.h"

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
        const bool theirs = libpng_reads(bytes.data, bytes.size), ours = judge_decoders(&png);
        free(bytes.data);
        printf("%s\n", ours ? "read" : "refused");
        if (ours != theirs) {
            printf("%s: libpng %s it\n", argv[i], theirs ? "reads" : "refuses");
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
