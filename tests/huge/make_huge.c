/* make_huge [options] OUT: writes a PNG of any size and format row by row, in constant memory. The
 * content resembles a photograph: gradients, texture and noise. It depends only on the options. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    TILE = 1024,          /* side of the texture tile in pixels, a power of two */
    NOISE_SIZE = 1 << 21, /* bytes of noise; each row starts to read them at another position */
    CHUNK_SIZE = 1 << 16, /* bytes of an IDAT chunk */
    MAX_CHANNELS = 4,
};

typedef struct Options {
    uint32_t width, height;
    int color, depth; /* as in IHDR */
    int noise;        /* noise is uniform from -noise to noise, on a scale of 255 */
    int level;        /* compression level of zlib */
    uint64_t seed;
} Options;

/* The tables from which rows are computed, with the same order of channels as in a row. A sample is
 * 128 + across + down + waves * tides / 64 + texture + noise. */
typedef struct Content {
    size_t samples; /* samples of a row */
    int channels;
    int16_t *across, *waves; /* one value for each sample of a row */
    int16_t *down, *tides;   /* one value for each row and channel */
    int8_t *texture;         /* TILE rows of TILE pixels */
    int8_t *noise;           /* NOISE_SIZE bytes, and then the first `samples` of them again */
    uint64_t seed;
} Content;

typedef struct Writer {
    FILE *file;
    z_stream z;
    uint8_t chunk[CHUNK_SIZE];
} Writer;

static void fail(const char *what)
{
    fprintf(stderr, "make_huge: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static void *allocate(size_t count, size_t size)
{
    void *data = calloc(count, size);
    if (data == NULL) {
        fail("memory");
    }
    return data;
}

/* --- Content ---------------------------------------------------------------------------------- */

/* Returns a random number that depends only on `key` (splitmix64's finalizer). */
static uint64_t hash(uint64_t key)
{
    key += 0x9e3779b97f4a7c15U;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9U;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebU;
    return key ^ (key >> 31);
}

/* Returns value noise at `at`: random values from -amplitude to amplitude at the multiples of
 * `period`, and smooth curves between them. Computes only with integers, so that all machines give
 * the same result. */
static int smooth(uint64_t seed, uint32_t at, uint32_t period, int amplitude)
{
    const uint64_t cell = at / period;
    const int64_t t = (int64_t)(at % period) * 4096 / period;
    const int64_t s = t * t * (3 * 4096 - 2 * t) >> 24;
    const int64_t range = 2 * amplitude + 1;
    const int64_t a = (int64_t)(hash(seed + cell) % (uint64_t)range) - amplitude;
    const int64_t b = (int64_t)(hash(seed + cell + 1) % (uint64_t)range) - amplitude;
    return (int)(((a * 4096 + (b - a) * s) + 2048) >> 12);
}

/* Fills `count` values per channel with sums of curves. The periods of the curves are 4409, 2953
 * and 311 pixels. */
static void fill_curves(int16_t *values, uint32_t count, int channels, uint64_t seed, int amplitude)
{
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < channels; c++) {
            /* the first curve is common to all channels, so that most colours are muted */
            values[(size_t)i * (size_t)channels + (size_t)c] =
                (int16_t)(smooth(seed, i, 2953, amplitude) +
                          smooth(seed ^ hash((uint64_t)c + 1), i, 4409, amplitude / 2) +
                          smooth(seed ^ hash((uint64_t)c + 11), i, 311, amplitude / 4));
        }
    }
}

/* Fills the tile with coarse and fine value noise. All periods divide TILE, so that neighbouring
 * tiles fit together. */
static void fill_texture(Content *content)
{
    int8_t *to = content->texture;
    for (uint32_t y = 0; y < TILE; y++) {
        for (uint32_t x = 0; x < TILE; x++) {
            const int coarse = smooth(content->seed ^ hash(y / 64), x % TILE, 64, 9) +
                               smooth(content->seed ^ hash(x / 32 + 99), y % TILE, 32, 9);
            const int fine = smooth(content->seed ^ hash(y / 4 + 999), x, 8, 4);
            for (int c = 0; c < content->channels; c++) {
                *to++ = (int8_t)(coarse + fine + (c == 1 ? fine / 2 : 0));
            }
        }
    }
}

static void fill_noise(int8_t *noise, size_t extra, int amplitude, uint64_t seed)
{
    const uint64_t range = 2 * (uint64_t)amplitude + 1;
    for (size_t i = 0; i < NOISE_SIZE; i++) {
        noise[i] = (int8_t)((int)(hash(seed + i) % range) - amplitude);
    }
    for (size_t i = 0; i < extra; i++) {
        noise[NOISE_SIZE + i] = noise[i % NOISE_SIZE];
    }
}

static Content make_content(const Options *options, int channels)
{
    const size_t width = options->width, height = options->height, count = (size_t)channels;
    Content content = {.samples = width * count, .channels = channels, .seed = options->seed};
    content.across = allocate(content.samples, sizeof *content.across);
    content.waves = allocate(content.samples, sizeof *content.waves);
    content.down = allocate(height * count, sizeof *content.down);
    content.tides = allocate(height * count, sizeof *content.tides);
    content.texture = allocate((size_t)TILE * TILE, count);
    content.noise = allocate(NOISE_SIZE + content.samples, 1);
    fill_curves(content.across, options->width, channels, hash(content.seed + 1), 70);
    fill_curves(content.waves, options->width, channels, hash(content.seed + 2), 90);
    fill_curves(content.down, options->height, channels, hash(content.seed + 3), 70);
    fill_curves(content.tides, options->height, channels, hash(content.seed + 4), 90);
    fill_texture(&content);
    fill_noise(content.noise, content.samples, options->noise, hash(content.seed + 5));
    return content;
}

static void free_content(Content *content)
{
    free(content->across);
    free(content->waves);
    free(content->down);
    free(content->tides);
    free(content->texture);
    free(content->noise);
}

/* Computes `count` samples of a row from sample `first` onwards. `texture` and `noise` point to the
 * values for these samples. `down` and `tides` have the values of the row, repeated for each
 * sample. */
static void mix(const Content *content, size_t first, size_t count, const int8_t *texture,
                const int8_t *noise, const int16_t *down, const int16_t *tides, uint8_t *to)
{
    const int16_t *across = content->across + first, *waves = content->waves + first;
    for (size_t i = 0; i < count; i++) {
        const int product = waves[i] * tides[i] >> 6;
        const int value = 128 + across[i] + down[i] + product + texture[i] + noise[i];
        to[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

/* Computes row `y` with 8 bits per sample. Tiles start at another column in each row of tiles. */
static void make_row(const Content *content, uint32_t y, uint8_t *to)
{
    const size_t channels = (size_t)content->channels, tile = TILE * channels;
    int16_t down[TILE * MAX_CHANNELS] = {0}, tides[TILE * MAX_CHANNELS] = {0};
    for (size_t i = 0; i < tile; i++) {
        down[i] = content->down[y * channels + i % channels];
        tides[i] = content->tides[y * channels + i % channels];
    }
    size_t at = hash(content->seed ^ (y / TILE)) % TILE * channels;
    const int8_t *texture = content->texture + y % TILE * tile;
    const int8_t *noise = content->noise + hash(content->seed + y) % NOISE_SIZE;
    for (size_t x = 0; x < content->samples; at = 0) {
        const size_t left = content->samples - x;
        const size_t count = left < tile - at ? left : tile - at;
        mix(content, x, count, texture + at, noise + x, down, tides, to + x);
        x += count;
    }
}

/* --- PNG -------------------------------------------------------------------------------------- */

static void put(Writer *writer, const void *data, size_t size)
{
    if (size > 0 && fwrite(data, 1, size, writer->file) != size) {
        fail("cannot write");
    }
}

static void store_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static void put_chunk(Writer *writer, const char *type, const uint8_t *data, size_t size)
{
    uint8_t word[4];
    uLong crc = crc32(crc32(0, NULL, 0), (const Bytef *)type, 4);
    if (size > 0) {
        crc = crc32(crc, data, (uInt)size);
    }
    store_u32(word, (uint32_t)size);
    put(writer, word, 4);
    put(writer, type, 4);
    put(writer, data, size);
    store_u32(word, (uint32_t)crc);
    put(writer, word, 4);
}

static void put_header(Writer *writer, const Options *options)
{
    put(writer, "\x89PNG\r\n\x1a\n", 8);
    uint8_t header[13] = {0};
    store_u32(header, options->width);
    store_u32(header + 4, options->height);
    header[8] = (uint8_t)options->depth;
    header[9] = (uint8_t)options->color;
    put_chunk(writer, "IHDR", header, sizeof header);
    if (options->color == 3) {
        uint8_t palette[256 * 3];
        for (int i = 0; i < 256 * 3; i++) {
            palette[i] = (uint8_t)(hash((uint64_t)i) >> 8);
        }
        put_chunk(writer, "PLTE", palette, (size_t)3 << options->depth);
    }
}

/* Compresses the bytes and writes each IDAT chunk that is full. With Z_FINISH also writes the last
 * chunk. */
static void deflate_bytes(Writer *writer, const uint8_t *data, size_t size, int flush)
{
    writer->z.next_in = (Bytef *)data;
    writer->z.avail_in = (uInt)size;
    int status;
    do {
        status = deflate(&writer->z, flush);
        const size_t made = CHUNK_SIZE - writer->z.avail_out;
        if (made == CHUNK_SIZE || (status == Z_STREAM_END && made > 0)) {
            put_chunk(writer, "IDAT", writer->chunk, made);
            writer->z.next_out = writer->chunk;
            writer->z.avail_out = CHUNK_SIZE;
        }
    } while (flush == Z_FINISH ? status == Z_OK : writer->z.avail_in > 0);
}

/* Converts samples of 8 bits to the file's depth. Returns the number of bytes. With 16 bits, the
 * low byte is computed from the high byte. */
static size_t pack_row(const uint8_t *samples, size_t count, int depth, uint8_t *to)
{
    if (depth == 16) {
        for (size_t i = 0; i < count; i++) {
            to[2 * i] = samples[i];
            to[2 * i + 1] = (uint8_t)(samples[i] * 73U);
        }
        return 2 * count;
    }
    if (depth == 8) {
        memcpy(to, samples, count);
        return count;
    }
    const size_t bits = (size_t)depth, bytes = (count * bits + 7) / 8;
    memset(to, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        const size_t bit = i * bits;
        to[bit / 8] |= (uint8_t)(samples[i] >> (8 - bits) << (8 - bits - bit % 8));
    }
    return bytes;
}

/* Filters a row with Paeth, as most files of photographs do. `pixel` is the number of bytes to the
 * left neighbour. The same number of zeros must precede `above` and `row`. */
static void filter_paeth(const uint8_t *row, const uint8_t *above, size_t bytes, size_t pixel,
                         uint8_t *to)
{
    const uint8_t *left = row - pixel, *corner = above - pixel;
    for (size_t i = 0; i < bytes; i++) {
        const int a = left[i], b = above[i], c = corner[i];
        const int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
        const int least = pb <= pc ? b : c;
        const int other = pb <= pc ? pb : pc;
        to[i] = (uint8_t)(row[i] - (pa <= other ? a : least));
    }
}

static void write_rows(Writer *writer, const Options *options, int channels)
{
    Content content = make_content(options, channels);
    const bool filtered = options->depth >= 8 && options->color != 3;
    const size_t pixel = (size_t)(options->depth * channels + 7) / 8;
    const size_t room = content.samples * 2 + pixel;
    uint8_t *samples = allocate(content.samples, 1), *packed = allocate(1 + room, 1);
    uint8_t *rows[2] = {allocate(room, 1), allocate(room, 1)};
    for (uint32_t y = 0; y < options->height; y++) {
        uint8_t *row = rows[y % 2] + pixel;
        make_row(&content, y, samples);
        const size_t bytes = pack_row(samples, content.samples, options->depth, row);
        packed[0] = filtered ? 4 : 0;
        if (filtered) {
            filter_paeth(row, rows[(y + 1) % 2] + pixel, bytes, pixel, packed + 1);
        } else {
            memcpy(packed + 1, row, bytes);
        }
        deflate_bytes(writer, packed, bytes + 1, Z_NO_FLUSH);
    }
    deflate_bytes(writer, packed, 0, Z_FINISH);
    free(rows[0]);
    free(rows[1]);
    free(packed);
    free(samples);
    free_content(&content);
}

static void write_file(const Options *options, int channels, const char *name)
{
    Writer *writer = allocate(1, sizeof *writer);
    writer->file = fopen(name, "wb");
    if (writer->file == NULL) {
        fail(name);
    }
    writer->z.next_out = writer->chunk;
    writer->z.avail_out = CHUNK_SIZE;
    if (deflateInit2(&writer->z, options->level, Z_DEFLATED, 15, 9,
                     options->color == 3 ? Z_DEFAULT_STRATEGY : Z_FILTERED) != Z_OK) {
        fail("zlib");
    }
    put_header(writer, options);
    write_rows(writer, options, channels);
    put_chunk(writer, "IEND", NULL, 0);
    deflateEnd(&writer->z);
    if (fclose(writer->file) != 0) {
        fail(name);
    }
    free(writer);
}

/* --- Command line ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int color, channels, depths; /* depths: sum of the bit depths that PNG allows */
} colors[] = {
    {"gray", 0, 1, 1 + 2 + 4 + 8 + 16}, {"rgb", 2, 3, 8 + 16},  {"palette", 3, 1, 1 + 2 + 4 + 8},
    {"gray-alpha", 4, 2, 8 + 16},       {"rgba", 6, 4, 8 + 16},
};

static int usage(void)
{
    fputs("usage: make_huge [--size WxH] [--color gray|rgb|palette|gray-alpha|rgba] [--depth N]\n"
          "                 [--noise 0..40] [--seed N] [--level 0..9] OUT\n"
          "default: --size 100000x40000 --color rgb --depth 8 --noise 2 --seed 1 --level 1\n",
          stderr);
    return 2;
}

/* Returns the index in `colors` of the colour type `name`. Returns -1 if there is none, or if it
 * does not allow this depth. */
static int find_color(const char *name, int depth)
{
    for (int i = 0; i < (int)(sizeof colors / sizeof colors[0]); i++) {
        if (strcmp(colors[i].name, name) == 0) {
            return (colors[i].depths & depth) != 0 ? i : -1;
        }
    }
    return -1;
}

static bool is_valid(const Options *options)
{
    return options->width >= 1 && options->width <= INT32_MAX / 16 && options->height >= 1 &&
           options->height <= INT32_MAX && options->depth >= 1 && options->depth <= 16 &&
           (options->depth & (options->depth - 1)) == 0 && options->noise >= 0 &&
           options->noise <= 40 && options->level >= 0 && options->level <= 9;
}

int main(int argc, char **argv)
{
    static const struct option names[] = {
        {"size", 1, NULL, 's'},  {"color", 1, NULL, 'c'}, {"depth", 1, NULL, 'd'},
        {"noise", 1, NULL, 'n'}, {"seed", 1, NULL, 'r'},  {"level", 1, NULL, 'l'},
        {NULL, 0, NULL, 0},
    };
    Options options = {100000, 40000, 2, 8, 2, 1, 1};
    const char *color = "rgb";
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (option) {
        case 's':
            if (sscanf(optarg, "%ux%u", &options.width, &options.height) != 2) {
                return usage();
            }
            break;
        case 'c':
            color = optarg;
            break;
        case 'd':
            options.depth = atoi(optarg);
            break;
        case 'n':
            options.noise = atoi(optarg);
            break;
        case 'r':
            options.seed = strtoull(optarg, NULL, 10);
            break;
        case 'l':
            options.level = atoi(optarg);
            break;
        default:
            return usage();
        }
    }
    const int found = find_color(color, options.depth);
    if (found < 0 || optind + 1 != argc || !is_valid(&options)) {
        return usage();
    }
    options.color = colors[found].color;
    write_file(&options, colors[found].channels, argv[optind]);
    return 0;
}
