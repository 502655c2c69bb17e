/* Inflates, changes and deflates compressed data; png_mutate.h has the interface. */
#include "tests/fuzz/mutate/png_mutate.h"

#include <zlib.h>

#include "tests/fuzz/build_png.h"

enum { RAW_MAX = 1 << 20, ADLER_BYTES = 4, WRAPPER_BYTES = 2, IHDR_BYTES = 13 };

void stream_inflate(const uint8_t *data, size_t size, FuzzBytes *raw)
{
    uint8_t out[4096];
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)size};
    if (inflateInit(&z) != Z_OK)
        abort();
    int code = Z_OK;
    while (code == Z_OK && raw->size < RAW_MAX) {
        z.next_out = out;
        z.avail_out = sizeof out;
        code = inflate(&z, Z_NO_FLUSH);
        fuzz_put(raw, out, sizeof out - z.avail_out);
    }
    inflateEnd(&z);
}

/* Deflates all input of `z` and appends the output to `stream`. */
static void drain(z_stream *z, int flush, FuzzBytes *stream)
{
    uint8_t out[4096];
    do {
        z->next_out = out;
        z->avail_out = sizeof out;
        (void)deflate(z, flush);
        fuzz_put(stream, out, sizeof out - z->avail_out);
    } while (z->avail_out == 0);
}

static void change_parameters(z_stream *z, Random *random, FuzzBytes *stream)
{
    uint8_t out[4096];
    int code;
    const int level = (int)random_below(random, 10), strategy = (int)random_below(random, 5);
    do {
        z->next_out = out;
        z->avail_out = sizeof out;
        code = deflateParams(z, level, strategy);
        fuzz_put(stream, out, sizeof out - z->avail_out);
    } while (code == Z_BUF_ERROR && z->avail_out == 0);
}

void stream_deflate(const FuzzBytes *raw, Random *random, FuzzBytes *stream)
{
    static const int flushes[] = {Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK};
    z_stream z = {0};
    const bool plain = random_one_in(random, 3);
    const int window = plain ? 15 : 9 + (int)random_below(random, 7);
    const int memory = plain ? 8 : 1 + (int)random_below(random, 9);
    if (deflateInit2(&z, (int)random_below(random, 10), Z_DEFLATED, window, memory,
                     plain ? Z_DEFAULT_STRATEGY : (int)random_below(random, 5)) != Z_OK)
        abort();
    const uint32_t most = 1 + random_below(random, random_one_in(random, 2) ? 16 : 4096);
    for (size_t at = 0; !plain && at < raw->size;) {
        const size_t left = raw->size - at, piece = 1 + random_below(random, most);
        z.next_in = raw->data + at;
        z.avail_in = (uInt)(piece < left ? piece : left);
        at += z.avail_in;
        drain(&z, flushes[random_below(random, 5)], stream);
        if (random_one_in(random, 4))
            change_parameters(&z, random, stream);
        if (random_one_in(random, 8)) /* stop early: the rest is deflated in one call below */
            break;
    }
    z.next_in = raw->data != NULL ? raw->data + z.total_in : NULL;
    z.avail_in = (uInt)(raw->size - z.total_in);
    drain(&z, Z_FINISH, stream);
    deflateEnd(&z);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static size_t pass_size(size_t width, size_t height, size_t pixel_bits)
{
    return width == 0 || height == 0 ? 0 : height * (1 + (width * pixel_bits + 7) / 8);
}

size_t png_raw_size(const uint8_t *ihdr, size_t size)
{
    static const uint8_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    static const struct {
        uint8_t x, y, dx, dy;
    } passes[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                  {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    if (size < IHDR_BYTES || ihdr[9] >= sizeof channels || ihdr[8] > 16)
        return 0;
    const size_t width = fuzz_load32(ihdr), height = fuzz_load32(ihdr + 4);
    const size_t bits = (size_t)channels[ihdr[9]] * ihdr[8];
    if (width > RAW_MAX || height > RAW_MAX || width * height > RAW_MAX / 8)
        return 0;
    if (ihdr[12] == 0)
        return pass_size(width, height, bits);
    size_t all = 0;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        all += pass_size((width + passes[i].dx - 1 - passes[i].x) / passes[i].dx,
                         (height + passes[i].dy - 1 - passes[i].y) / passes[i].dy, bits);
    return all;
}

void png_put_idat(PngChunks *chunks, const FuzzBytes *stream, Random *random)
{
    size_t at = png_chunks_find(chunks, "IDAT");
    if (at == chunks->count)
        at = png_chunks_find(chunks, "IEND");
    for (size_t i = chunks->count; i-- > 0;)
        if (png_chunk_is(&chunks->list[i], "IDAT"))
            png_chunks_remove(chunks, i);
    const size_t pieces = random_one_in(random, 3) ? 1 + random_below(random, 6) : 1;
    size_t from = 0;
    for (size_t i = 0; i < pieces; i++) {
        const size_t left = stream->size - from;
        const size_t size = i + 1 < pieces ? random_below(random, (uint32_t)left + 1) : left;
        png_chunks_insert(chunks, at++, "IDAT", stream->data + from, size);
        from += size;
    }
}

/* Replaces invalid filter types, mostly by valid ones. Does nothing to interlaced pictures. */
static void mend_filters(const uint8_t *ihdr, FuzzBytes *raw, Random *random)
{
    const size_t height = fuzz_load32(ihdr + 4);
    if (ihdr[12] != 0 || height == 0 || raw->size % height != 0)
        return;
    for (size_t at = 0; at < raw->size; at += raw->size / height)
        if (raw->data[at] > 4)
            raw->data[at] = (uint8_t)random_below(random, random_one_in(random, 64) ? 6 : 5);
}

void png_remake_rows(PngChunks *chunks, Random *random, PngMutateBytes bytes)
{
    enum { MORE = 64 };
    const uint8_t zeros[MORE] = {0};
    FuzzBytes old = {0}, raw = {0}, stream = {0};
    const PngChunk *ihdr = &chunks->list[png_chunks_find(chunks, "IHDR") % chunks->count];
    png_chunks_gather_idat(chunks, &old);
    stream_inflate(old.data, old.size, &raw);
    if (bytes != NULL) {
        const size_t size = raw.size;
        fuzz_put(&raw, zeros, sizeof zeros); /* `bytes` may use these extra bytes */
        raw.size = bytes(raw.data, size, size + MORE);
    }
    const size_t wanted = png_raw_size(ihdr->data.data, ihdr->data.size);
    if (wanted > 0 && (bytes == NULL || !random_one_in(random, 4))) {
        const size_t period = raw.size > 0 ? raw.size : 1;
        while (raw.size < wanted)
            fuzz_put(&raw, raw.size >= period ? &(uint8_t){raw.data[raw.size - period]} : zeros, 1);
        raw.size = wanted;
        if (!random_one_in(random, 16))
            mend_filters(ihdr->data.data, &raw, random);
    }
    stream_deflate(&raw, random, &stream);
    png_put_idat(chunks, &stream, random);
    free(old.data);
    free(raw.data);
    free(stream.data);
}

/* --- Compressed streams ----------------------------------------------------------------------- */

static void mend_adler(FuzzBytes *stream)
{
    size_t used;
    uint32_t adler;
    uint8_t four[ADLER_BYTES];
    if (stream->size <= WRAPPER_BYTES ||
        !fuzz_measure_stream(stream->data + WRAPPER_BYTES, stream->size - WRAPPER_BYTES, &used,
                             &adler))
        return;
    fuzz_store32(four, adler);
    stream->size = WRAPPER_BYTES + used;
    fuzz_put(stream, four, sizeof four);
}

void png_mutate_stream(PngChunks *chunks, Random *random, PngMutateBytes bytes)
{
    enum { MORE = 16 };
    FuzzBytes stream = {0};
    png_chunks_gather_idat(chunks, &stream);
    const size_t size = stream.size, first = random_one_in(random, 8) ? 0 : WRAPPER_BYTES;
    if (size > WRAPPER_BYTES) {
        const uint8_t zeros[MORE] = {0};
        fuzz_put(&stream, zeros, sizeof zeros);
        stream.size = first + bytes(stream.data + first, size - first, size - first + MORE);
        if (!random_one_in(random, 8))
            mend_adler(&stream);
        png_put_idat(chunks, &stream, random);
    }
    free(stream.data);
}

/* Returns the offset of the compressed data in the chunk, after the keyword and other fields.
 * Returns the size of the chunk if it has no compressed data. */
static size_t compressed_at(const PngChunk *chunk)
{
    const FuzzBytes *data = &chunk->data;
    const bool itxt = png_chunk_is(chunk, "iTXt");
    const uint8_t *end = data->size > 0 ? memchr(data->data, 0, data->size) : NULL;
    if (end == NULL || !(itxt || png_chunk_is(chunk, "iCCP") || png_chunk_is(chunk, "zTXt")))
        return data->size;
    size_t at = (size_t)(end - data->data) + (itxt ? 3 : 2);
    for (int i = 0; itxt && i < 2; i++) { /* skips language and translated keyword */
        end = at < data->size ? memchr(data->data + at, 0, data->size - at) : NULL;
        if (end == NULL)
            return data->size;
        at = (size_t)(end - data->data) + 1;
    }
    return at;
}

bool png_mutate_compressed(PngChunk *chunk, Random *random, PngMutateBytes bytes)
{
    enum { MORE = 64 };
    const uint8_t zeros[MORE] = {0};
    FuzzBytes raw = {0};
    const size_t at = compressed_at(chunk);
    if (at >= chunk->data.size)
        return false;
    stream_inflate(chunk->data.data + at, chunk->data.size - at, &raw);
    const size_t size = raw.size;
    fuzz_put(&raw, zeros, sizeof zeros);
    raw.size = bytes(raw.data, size, size + MORE);
    chunk->data.size = at;
    stream_deflate(&raw, random, &chunk->data);
    free(raw.data);
    return true;
}
