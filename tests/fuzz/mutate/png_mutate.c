/* Mutates PNG files chunk by chunk; png_mutate.h has the interface. */
#include "tests/fuzz/mutate/png_mutate.h"

#include "samples/png_file.h"

enum { IHDR_BYTES = 13 };

/* --- Chunks to insert ------------------------------------------------------------------------- */

#define CHUNK(type, bytes)                                                                         \
    {                                                                                              \
        type, bytes, sizeof(bytes) - 1                                                             \
    }
#define ZLIB_OF_AB "x\x01\x01\x02\x00\xfd\xff\x41\x42\x00\xc6\x00\x84"

/* Chunks to insert: one or more of each type that a decoder may know, and some of unknown types. */
static const struct {
    const char *type, *data;
    size_t size;
} SAMPLES[] = {
    CHUNK("PLTE", "\x00\x00\x00\xff\xff\xff\x80\x40\x20\x01\x02\x03"),
    CHUNK("PLTE", "\x10\x20\x30"),
    CHUNK("tRNS", "\x00"),
    CHUNK("tRNS", "\x00\x01"),
    CHUNK("tRNS", "\x00\x01\x00\x02\x00\x03"),
    CHUNK("gAMA", "\x00\x00\xb1\x8f"),
    CHUNK("gAMA", "\x00\x01\x86\xa0"),
    CHUNK("sRGB", "\x00"),
    CHUNK("cHRM", "\x00\x00\x7a\x26\x00\x00\x80\x84\x00\x00\xfa\x00\x00\x00\x80\xe8"
                  "\x00\x00\x75\x30\x00\x00\xea\x60\x00\x00\x3a\x98\x00\x00\x17\x70"),
    CHUNK("iCCP", "p\0\0" ZLIB_OF_AB),
    CHUNK("cICP", "\x09\x10\x00\x01"),
    CHUNK("mDCV", "\x8a\x48\x39\x08\x21\x34\x9b\xaa\x19\x96\x08\xfc\x3d\x13\x40\x42"
                  "\x00\x98\x96\x80\x00\x00\x00\x32"),
    CHUNK("cLLI", "\x00\x98\x96\x80\x00\x3d\x09\x00"),
    CHUNK("sBIT", "\x05"),
    CHUNK("sBIT", "\x05\x06\x05"),
    CHUNK("bKGD", "\x00"),
    CHUNK("bKGD", "\x00\x01\x00\x02\x00\x03"),
    CHUNK("hIST", "\x00\x01\x00\x02\x00\x03\x00\x04"),
    CHUNK("pHYs", "\x00\x00\x0b\x13\x00\x00\x0b\x13\x01"),
    CHUNK("tIME", "\x07\xea\x0b\x1a\x0b\x00\x3c"),
    CHUNK("tEXt", "Comment\0a text"),
    CHUNK("zTXt", "Title\0\0" ZLIB_OF_AB),
    CHUNK("iTXt", "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"6\"/>"),
    CHUNK("iTXt", "Title\0\1\0en\0Titel\0" ZLIB_OF_AB),
    CHUNK("eXIf", "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"),
    CHUNK("eXIf", "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0"),
    CHUNK("sPLT", "s\0\x08\x01\x02\x03\x04\x00\x05"),
    CHUNK("oFFs", "\x00\x00\x00\x05\xff\xff\xff\xfe\x00"),
    CHUNK("pCAL", "p\0\0\0\0\0\0\0\0\xff\0\2m\0"
                  "0\0"
                  "1"),
    CHUNK("sCAL", "\x01"
                  "1.5\0"
                  "2.5"),
    CHUNK("sTER", "\x01"),
    CHUNK("acTL", "\x00\x00\x00\x01\x00\x00\x00\x00"),
    CHUNK("fcTL", "\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00\x00"
                  "\x00\x00\x00\x00\x00\x01\x00\x0a\x00\x00"),
    CHUNK("fdAT", "\x00\x00\x00\x01" ZLIB_OF_AB),
    CHUNK("caNv", "\x00\x00\x00\x08\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00"),
    CHUNK("vpAg", "\x00\x00\x00\x08\x00\x00\x00\x08\x00"),
    CHUNK("maRK", "\x01\x00\x00\x00\x00\x00\x00\x08"),
    CHUNK("blKS", "\x01\x00\x00\x00\x00\x00\x00\x08"),
    CHUNK("IDAT", ""),
    CHUNK("IDAT", ZLIB_OF_AB),
    CHUNK("IEND", ""),
    CHUNK("IHDR", "\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00"),
    CHUNK("ABCD", "critical"),
    CHUNK("abCd", "unknown, unsafe to copy"),
    CHUNK("abCe", "unknown, safe to copy"),
};
enum { SAMPLES_COUNT = sizeof SAMPLES / sizeof *SAMPLES };

static void insert_sample(PngChunks *chunks, Random *random)
{
    const uint32_t i = random_below(random, SAMPLES_COUNT);
    const size_t at = 1 + random_below(random, (uint32_t)chunks->count);
    png_chunks_insert(chunks, at, SAMPLES[i].type, (const uint8_t *)SAMPLES[i].data,
                      SAMPLES[i].size);
}

/* Makes a file of one pixel, the smallest possible picture. */
static void make_smallest(PngChunks *chunks, Random *random)
{
    const uint8_t ihdr[IHDR_BYTES] = {0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0};
    *chunks = (PngChunks){0};
    png_chunks_insert(chunks, 0, "IHDR", ihdr, sizeof ihdr);
    png_chunks_insert(chunks, 1, "IEND", NULL, 0);
    png_remake_rows(chunks, random, NULL);
}

/* --- The header ------------------------------------------------------------------------------- */

static uint32_t any_side(Random *random)
{
    static const uint32_t odd[] = {0,   1,   2,    7,    8,     9,          15,        16,  17,
                                   31,  33,  63,   64,   65,    127,        128,       129, 255,
                                   256, 257, 1023, 4097, 65535, 0x7fffffff, 0x80000000};
    if (random_one_in(random, 2))
        return 1 + random_below(random, 40);
    return odd[random_below(random, sizeof odd / sizeof *odd)];
}

static void mutate_header(PngChunks *chunks, Random *random, PngMutateBytes bytes)
{
    PngChunk *chunk = &chunks->list[png_chunks_find(chunks, "IHDR") % chunks->count];
    uint8_t *ihdr = chunk->data.data;
    const PngKind *kind = &png_kinds[random_below(random, PNG_KINDS)];
    if (chunk->data.size != IHDR_BYTES)
        return;
    switch (random_below(random, 6)) {
    case 0:
    case 1:
        ihdr[8] = (uint8_t)kind->depth;
        ihdr[9] = (uint8_t)kind->color;
        break;
    case 2:
        fuzz_store32(ihdr, any_side(random));
        break;
    case 3:
        fuzz_store32(ihdr + 4, any_side(random));
        break;
    case 4:
        ihdr[12] ^= 1;
        break;
    default:
        (void)bytes(ihdr + 8, 5, 5); /* sets any bytes from the bit depth to the interlacing */
        break;
    }
    if (!random_one_in(random, 4))
        png_remake_rows(chunks, random, NULL);
}

/* --- One chunk -------------------------------------------------------------------------------- */

static void mutate_type(PngChunk *chunk, Random *random)
{
    if (random_one_in(random, 2))
        /* flips a property bit of the type, such as "ancillary" */
        chunk->type[random_below(random, 4)] ^= 0x20;
    else
        memcpy(chunk->type, SAMPLES[random_below(random, SAMPLES_COUNT)].type, sizeof chunk->type);
}

static void mutate_data(PngChunk *chunk, Random *random, PngMutateBytes bytes)
{
    enum { MORE = 32 };
    const uint8_t zeros[MORE] = {0};
    if (!random_one_in(random, 3) && png_mutate_compressed(chunk, random, bytes))
        return;
    const size_t size = chunk->data.size;
    fuzz_put(&chunk->data, zeros, sizeof zeros);
    chunk->data.size =
        size > 0 ? bytes(chunk->data.data, size, size + MORE) : 1 + random_below(random, MORE);
}

/* Splits chunk number `at` into two chunks of the same type. */
static void split(PngChunks *chunks, size_t at, Random *random)
{
    PngChunk *chunk = &chunks->list[at];
    const size_t first = random_below(random, (uint32_t)chunk->data.size + 1);
    const FuzzBytes whole = chunk->data;
    if (chunks->count >= PNG_CHUNKS_MAX)
        return;
    chunk->data.size = first;
    if (whole.size > first)
        png_chunks_insert(chunks, at + 1, chunk->type, whole.data + first, whole.size - first);
    else
        png_chunks_insert(chunks, at + 1, chunk->type, NULL, 0);
}

static void mutate_one(PngChunks *chunks, Random *random, PngMutateBytes bytes)
{
    const uint32_t count = (uint32_t)chunks->count;
    /* Chunk 0 is mostly the header, which is mutated rarely: readers reject a file without it at
     * once. */
    const size_t at =
        count > 1 && !random_one_in(random, 32) ? 1 + random_below(random, count - 1) : 0;
    PngChunk *chunk = &chunks->list[at];
    switch (random_below(random, 8)) {
    case 0:
        if (count > 1)
            png_chunks_remove(chunks, at);
        break;
    case 1:
        png_chunks_insert(chunks, at, chunk->type, chunk->data.data, chunk->data.size);
        break;
    case 2:
        png_chunks_move(chunks, at, random_below(random, count));
        break;
    case 3:
        split(chunks, at, random);
        break;
    case 4:
        mutate_type(chunk, random);
        break;
    default:
        mutate_data(chunk, random, bytes);
        break;
    }
}

/* --- The whole file --------------------------------------------------------------------------- */

static void mutate_chunks(PngChunks *chunks, Random *random, PngMutateBytes bytes)
{
    switch (random_below(random, 8)) {
    case 0:
        mutate_header(chunks, random, bytes);
        break;
    case 1:
        insert_sample(chunks, random);
        break;
    case 2:
        png_remake_rows(chunks, random, random_one_in(random, 2) ? NULL : bytes);
        break;
    case 3:
    case 4:
        png_mutate_stream(chunks, random, bytes);
        break;
    default:
        mutate_one(chunks, random, bytes);
        break;
    }
}

/* Flips one bit of the file or truncates it. */
static void damage(FuzzBytes *file, Random *random)
{
    const size_t at = random_below(random, (uint32_t)file->size);
    if (random_one_in(random, 2))
        file->data[at] ^= (uint8_t)(1U << random_below(random, 8));
    else
        file->size = at;
}

size_t png_mutate(uint8_t *data, size_t size, size_t most, unsigned seed, PngMutateBytes bytes)
{
    Random random = {seed};
    PngChunks chunks;
    FuzzBytes file = {0};
    if (size > PNG_SIGNATURE_BYTES && random_one_in(&random, 64))
        return bytes(data, size, most);
    if (!png_chunks_read(data, size, &chunks))
        make_smallest(&chunks, &random);
    for (uint32_t i = 0, times = 1 + random_below(&random, 3); i < times; i++)
        mutate_chunks(&chunks, &random, bytes);
    png_chunks_write(&chunks, &file);
    if (random_one_in(&random, 32))
        damage(&file, &random);
    const bool fits = file.size <= most;
    if (fits)
        memcpy(data, file.data, file.size);
    const size_t result = fits ? file.size : size;
    png_chunks_free(&chunks);
    free(file.data);
    /* If the mutated file is too long for the buffer, the input is mutated as plain bytes instead.
     */
    return fits ? result : bytes(data, size, most);
}

size_t png_cross_over(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                      uint8_t *to, size_t most, unsigned seed)
{
    Random random = {seed};
    PngChunks mine, theirs;
    FuzzBytes file = {0};
    if (!png_chunks_read(one, one_size, &mine))
        return 0;
    if (png_chunks_read(other, other_size, &theirs)) {
        for (uint32_t i = 0, times = 1 + random_below(&random, 3); i < times; i++) {
            const PngChunk *chunk = &theirs.list[random_below(&random, (uint32_t)theirs.count)];
            const size_t same = png_chunks_find(&mine, chunk->type);
            const size_t any = random_below(&random, (uint32_t)mine.count + 1);
            png_chunks_insert(&mine, same < mine.count ? same : any, chunk->type, chunk->data.data,
                              chunk->data.size);
            if (same + 1 < mine.count && random_one_in(&random, 2))
                png_chunks_remove(&mine, same + 1);
        }
    }
    png_chunks_write(&mine, &file);
    const size_t size = file.size <= most ? file.size : 0;
    if (size > 0)
        memcpy(to, file.data, size);
    png_chunks_free(&mine);
    png_chunks_free(&theirs);
    free(file.data);
    return size;
}
