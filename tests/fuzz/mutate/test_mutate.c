/* test_mutate FILE...: tests the mutator of PNG files, and prints the results. It mutates each file
 * 60 times, with up to 4 changes in a row.
 * The mutator must stay in its buffer, and give the same result for the same seed. More than 90 %
 * of the results must have valid lengths and CRCs, and more than half a valid zlib stream. libpng
 * must read 20 % to 75 % of the results, apart from pictures that are too large. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "tests/fuzz/judge.h"
#include "tests/fuzz/mutate/png_mutate.h"

enum { LONGEST = 4096, TIMES = 60, TOGETHER = 4, GUARD = 0xa5 };

static Random choices;

static size_t flip(uint8_t *data, size_t size, size_t most)
{
    (void)most;
    if (size > 0)
        data[random_below(&choices, (uint32_t)size)] ^= (uint8_t)(1U << random_below(&choices, 8));
    return size;
}

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        exit(EXIT_FAILURE);
    }
}

static size_t mutated(const FuzzBytes *from, uint8_t *to, unsigned seed)
{
    uint8_t room[LONGEST + 1];
    choices.state = seed;
    if (from->size > 0)
        memcpy(room, from->data, from->size);
    room[LONGEST] = GUARD;
    const size_t size = png_mutate(room, from->size, LONGEST, seed, flip);
    check(size <= LONGEST && room[LONGEST] == GUARD, "png_mutate: writes past the buffer");
    memcpy(to, room, size);
    return size;
}

/* Returns true if the file consists of complete chunks with valid CRCs. */
static bool is_framed(const uint8_t *data, size_t size)
{
    PngChunks chunks;
    FuzzBytes again = {0};
    bool framed = png_chunks_read(data, size, &chunks);
    if (framed)
        png_chunks_write(&chunks, &again);
    framed = framed && again.size == size && memcmp(again.data, data, size) == 0;
    png_chunks_free(&chunks);
    free(again.data);
    return framed;
}

static bool has_a_stream(const uint8_t *data, size_t size)
{
    static uint8_t raw[1 << 20];
    PngChunks chunks;
    FuzzBytes stream = {0};
    uLongf raw_size = sizeof raw;
    if (png_chunks_read(data, size, &chunks))
        png_chunks_gather_idat(&chunks, &stream);
    const bool sound =
        stream.size > 0 && uncompress(raw, &raw_size, stream.data, stream.size) == Z_OK;
    png_chunks_free(&chunks);
    free(stream.data);
    return sound;
}

/* Returns false for headers for which libpng would allocate gigabytes. */
static bool is_small(const uint8_t *data, size_t size)
{
    return size >= 33 && fuzz_load32(data + 16) < 5000 && fuzz_load32(data + 20) < 5000 &&
           memcmp(data + 12, "IHDR", 4) == 0;
}

int main(int argc, char **argv)
{
    unsigned all = 0, framed = 0, streams = 0, read = 0, small = 0;
    for (int i = 1; i < argc; i++) {
        FuzzBytes original = {0}, file = {0};
        check(fuzz_put_file(&original, argv[i]) && original.size <= LONGEST, argv[i]);
        for (unsigned seed = 0; seed < TIMES; seed++) {
            uint8_t one[LONGEST], again[LONGEST];
            if (seed % TOGETHER == 0) {
                file.size = 0;
                fuzz_put(&file, original.data, original.size);
            }
            const size_t size = mutated(&file, one, seed * 2654435761U + (unsigned)i);
            check(mutated(&file, again, seed * 2654435761U + (unsigned)i) == size &&
                      memcmp(one, again, size) == 0,
                  "png_mutate: the same seed gives different files");
            all++;
            framed += is_framed(one, size);
            streams += has_a_stream(one, size);
            small += is_small(one, size);
            read += is_small(one, size) && libpng_reads(one, size);
            file.size = 0;
            fuzz_put(&file, one, size);
        }
        free(file.data);
        free(original.data);
    }
    printf("%u files: framed %u, with a sound stream %u; of %u not too large libpng reads %u\n",
           all, framed, streams, small, read);
    check(all > 1000, "too few files");
    check(framed > all * 9 / 10, "CRCs and lengths are wrong too often");
    check(streams > all / 2, "streams are wrong too often");
    check(read > small / 5 && read < small * 3 / 4, "libpng gives nearly always the same verdict");
    return EXIT_SUCCESS;
}
