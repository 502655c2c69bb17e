/* make_pixel_seeds DIRECTORY: writes the first inputs of the targets inflate, encode, operations,
 * kernels_emulated and matches_emulated. They go to subdirectories with these names, which must
 * exist.
 * The inputs cover every kind of deflate block, every picture format, every operation, and repeated
 * data. */
#include <string.h>
#include <zlib.h>

#include "kernels/registry.h"
#include "tests/fuzz/pixels/op_case.h"

static void write_seed(const char *directory, const char *target, const char *name,
                       const uint8_t *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", directory, target, name);
    FILE *file = fopen(path, "wb");
    expect(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0,
           "%s: cannot be written", path);
}

/* --- Deflate streams: inputs of fuzz_inflate, with a head of 32 bytes ------------------------- */

enum { HEAD = 32, TEXT = 600, ROOM = HEAD + 2 * TEXT };

static void write_streams(const char *directory)
{
    static const struct {
        const char *name;
        int level, strategy;
    } kinds[] = {{"stored", 0, Z_DEFAULT_STRATEGY},
                 {"fixed-codes", 6, Z_FIXED},
                 {"own-codes", 9, Z_DEFAULT_STRATEGY},
                 {"literals-only", 6, Z_HUFFMAN_ONLY},
                 {"runs", 6, Z_RLE}};
    uint8_t text[TEXT], out[ROOM] = {0};
    for (size_t i = 0; i < TEXT; i++)
        text[i] = (uint8_t)(i % 7 * (i / 100) + i / 50 + (i * i % 11 == 0 ? i : 0));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        z_stream z = {0};
        expect(deflateInit2(&z, kinds[k].level, Z_DEFLATED, -15, 8, kinds[k].strategy) == Z_OK,
               "zlib does not start");
        z.next_in = text;
        z.avail_in = TEXT;
        z.next_out = out + HEAD;
        z.avail_out = ROOM - HEAD;
        expect(deflate(&z, Z_FINISH) == Z_STREAM_END, "zlib does not end");
        write_seed(directory, "inflate", kinds[k].name, out, HEAD + z.total_out);
        deflateEnd(&z);
    }
    memcpy(out + HEAD, text, TEXT);
    out[0] = 2;
    write_seed(directory, "inflate", "by-zlib", out, HEAD + TEXT);
    out[6] = 0x90; /* makes the target repeat the data */
    write_seed(directory, "inflate", "by-zlib-long", out, HEAD + TEXT);
    out[0] = 3;
    for (uint8_t way = 0; way < 5; way++) {
        char name[32];
        snprintf(name, sizeof name, "by-us-%u", way);
        out[9] = way; /* index of the deflate method; byte 8 is the number of pieces */
        write_seed(directory, "inflate", name, out, HEAD + TEXT);
    }
}

/* --- Pictures: inputs of fuzz_encode ---------------------------------------------------------- */

/* Writes inputs for each check of fuzz_encode: one input for every `step`-th format or pixel
 * size. */
static void write_pictures(const char *directory)
{
    static const struct {
        const char *name;
        unsigned formats, step;
    } kinds[] = {{"whole", 15, 1},
                 {"large", 1, 1},
                 {"strips", 15, 3},
                 {"filters", 6, 4},
                 {"unfilters", 6, 5}};
    uint8_t seed[64];
    for (size_t i = 0; i < sizeof seed; i++)
        seed[i] = (uint8_t)(37 * i + i / 5);
    for (unsigned kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        for (unsigned format = 0; format < kinds[kind].formats; format += kinds[kind].step) {
            char name[32];
            seed[0] = (uint8_t)kind;
            seed[1] = kind == 1 ? 0xff : (uint8_t)format;
            snprintf(name, sizeof name, "%s-%u", kinds[kind].name, format);
            write_seed(directory, "encode", name, seed, sizeof seed);
        }
    }
}

/* --- Operations ------------------------------------------------------------------------------- */

/* Offsets of bytes in an input of fuzz_operations. */
enum { KIND, ALIGNMENT, ROWS, FIRST, WHAT = 5, OPERATION, FORMAT, WIDTH, HEIGHT = 10, SIZE = 40 };

/* Makes an input for operation number `number`. Its parameters depend on `fill`. */
static void make_operation(size_t number, int fill, uint8_t seed[SIZE])
{
    memset(seed, fill, SIZE);
    seed[KIND] = 1;
    seed[WHAT] = (uint8_t)(number % 3);
    seed[OPERATION] = (uint8_t)number;
    seed[FORMAT] = (uint8_t)(2 + 4 * (number % 2)); /* RGB with 8 or with 16 bits per sample */
    seed[WIDTH] = (uint8_t)(20 + number);
    seed[HEIGHT] = (uint8_t)(17 + number % 31);
    seed[WIDTH + 1] = seed[HEIGHT + 1] = 0;
}

/* Returns true if the operation accepts the parameters of the input. */
static bool runs(const uint8_t seed[SIZE])
{
    static const CaseLimits limits = {.side = 100, .pixels = 6000, .seconds = 20e-6};
    Choices choices = {seed + OPERATION, SIZE - OPERATION};
    Case one;
    return choose_case(&choices, &limits, &one);
}

/* Writes the input `small` again, for a picture of 500 x 400 pixels. */
static void write_large(const char *directory, const char *operation, const uint8_t small[SIZE])
{
    uint8_t seed[SIZE];
    char name[64];
    memcpy(seed, small, SIZE);
    seed[KIND] = 15;
    seed[WIDTH] = 499 & 255;
    seed[HEIGHT] = 399 & 255;
    seed[WIDTH + 1] = seed[HEIGHT + 1] = 0x80 | 1; /* bit 7 selects large sizes */
    snprintf(name, sizeof name, "large-%s", operation);
    write_seed(directory, "operations", name, seed, sizeof seed);
}

/* Writes an input per operation, with the first parameters that it accepts. Also writes inputs with
 * pipelines. */
static void write_operations(const char *directory)
{
    const ImgOp *op;
    uint8_t seed[SIZE];
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++) {
        int fill = 1;
        for (make_operation(o, fill, seed); !runs(seed) && fill < 256; fill++)
            make_operation(o, fill, seed);
        expect(fill < 256, "%s accepts no parameters", op->name);
        write_seed(directory, "operations", op->name, seed, sizeof seed);
        if (o % 4 == 0)
            write_large(directory, op->name, seed);
        write_seed(directory, "kernels_emulated", op->name, seed + OPERATION,
                   sizeof seed - OPERATION);
    }
    /* Writes inputs with pipelines. Each step of a pipeline reads about ten bytes of its input. */
    for (size_t o = 0; o + 3 < 40; o += 6) {
        char name[32];
        uint8_t steps[64] = {[KIND] = 0, [1] = 2, [2] = 40, [4] = 30, [10] = 2};
        for (size_t i = 11; i < sizeof steps; i++)
            steps[i] = (uint8_t)(o + i % 11);
        snprintf(name, sizeof name, "steps-%zu", o);
        write_seed(directory, "operations", name, steps, sizeof steps);
    }
}

/* --- Data: inputs of fuzz_matches_emulated ---------------------------------------------------- */

/* Writes the inputs of fuzz_matches_emulated. Each input begins with a head of eight bytes:
 *
 *     0     bytes per pixel, minus 1
 *     1     1 for palette indices, 0 for pixels
 *     2, 3  bytes per row, minus 2; low byte first
 *     4     how often the data are repeated: 2 * byte - 128 times, at least once
 *     5     one byte of each repetition is changed; its position moves by this many bytes each time
 *     6     bits for the alignment of the two units and for the end of the stream
 *     7     size of the second unit, in 256ths of the data */
static void write_matches(const char *directory)
{
    enum { CHOICES = 8, DATA = 512 };
    static const struct {
        const char *name;
        uint8_t head[CHOICES];
        /* number of different byte values; distance of copies in bytes, 0 for none */
        uint8_t values, repeats;
    } seeds[] = {{"noise", {0, 0, 30, 0, 0, 0, 16, 0}, 255, 0},
                 {"few-values", {2, 0, 89, 0, 0, 0, 16, 0}, 3, 0},
                 {"runs", {3, 0, 79, 0, 80, 1, 1, 40}, 1, 4},
                 {"rows", {2, 0, 29, 0, 90, 7, 22, 100}, 90, 31},
                 {"indices", {0, 1, 40, 0, 70, 3, 18, 128}, 20, 42},
                 {"zeros", {0, 1, 255, 127, 120, 0, 0, 7}, 1, 1},
                 {"far", {0, 0, 254, 127, 255, 0, 16, 0}, 200, 0},
                 {"two-units", {7, 0, 100, 1, 100, 5, 9, 200}, 7, 9}};
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        uint8_t out[CHOICES + DATA];
        uint32_t number = 1;
        memcpy(out, seeds[s].head, CHOICES);
        for (size_t i = 0; i < DATA; i++) {
            const uint8_t far = seeds[s].repeats;
            number = number * 1664525 + 1013904223;
            const bool copies = far > 0 && i >= far && number >> 28 != 0;
            out[CHOICES + i] =
                copies ? out[CHOICES + i - far] : (uint8_t)((number >> 16) % seeds[s].values);
        }
        write_seed(directory, "matches_emulated", seeds[s].name, out, sizeof out);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_pixel_seeds DIRECTORY\n", stderr);
        return 2;
    }
    write_streams(argv[1]);
    write_pictures(argv[1]);
    write_operations(argv[1]);
    write_matches(argv[1]);
    return 0;
}
