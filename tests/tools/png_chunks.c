/* png_chunks FILE [TYPE]: lists all chunks, or those of one type. Prints "TYPE SIZE HEX" for each
 * chunk; for all IDATs together it prints only the name. Exit code 1 if the file is truncated or
 * has no chunk of that type. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/png_read.h"

static void print_chunk(const PngChunkView *chunk)
{
    printf("%s %u ", chunk->type, chunk->size);
    for (uint32_t i = 0; i < chunk->size; i++) {
        printf("%02x", chunk->data[i]);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: png_chunks FILE [TYPE]\n");
        return 2;
    }
    Bytes png = bytes_read(argv[1]);
    if (png.data == NULL) {
        return 1;
    }
    PngChunkView chunk;
    char previous[5] = "";
    size_t offset = 0;
    size_t count = 0;
    while (png_next_chunk(png, &offset, &chunk)) {
        if (argc == 3 && strcmp(chunk.type, argv[2]) != 0) {
            continue;
        }
        count++;
        if (strcmp(chunk.type, "IDAT") != 0) {
            print_chunk(&chunk);
        } else if (strcmp(previous, "IDAT") != 0) {
            puts("IDAT");
        }
        memcpy(previous, chunk.type, sizeof previous);
    }
    bool whole = offset == png.size;
    free(png.data);
    return whole && count > 0 ? 0 : 1;
}
