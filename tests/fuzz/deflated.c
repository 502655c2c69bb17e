/* Computes the length of deflate streams and the Adler-32 of their data with zlib, and makes
 * streams from rows. */
#include "tests/fuzz/build_png.h"

#include <zlib.h>

bool fuzz_measure_stream(const uint8_t *data, size_t size, size_t *used, uint32_t *adler)
{
    uint8_t out[4096];
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)size};
    if (inflateInit2(&z, -15) != Z_OK)
        abort();
    *adler = (uint32_t)adler32(0, NULL, 0);
    int code = Z_OK;
    while (code == Z_OK && z.total_out <= FUZZ_INFLATE_MAX) {
        z.next_out = out;
        z.avail_out = sizeof out;
        code = inflate(&z, Z_NO_FLUSH);
        *adler = (uint32_t)adler32(*adler, out, (uInt)(sizeof out - z.avail_out));
    }
    *used = z.total_in;
    inflateEnd(&z);
    return code == Z_STREAM_END;
}

/* Fills row `y` with bytes of the material plus noise. Its bytes start 3 bytes later in the
 * material than those of the row above, so that rows are similar but shifted. The first byte of a
 * row is its filter type. */
static void draw_row(const uint8_t *material, size_t size, size_t y, uint32_t *noise, uint8_t *row,
                     size_t bytes)
{
    uint8_t mask = size > 0 ? material[y % size] & 15 : 0;
    for (size_t i = 0; i < bytes; i++) {
        *noise = *noise * 1664525U + 1013904223U;
        uint8_t base = size > 0 ? material[(i + 3 * y) % size] : 0;
        row[i] = (uint8_t)(base + ((*noise >> 24) & mask));
    }
    row[0] %= row[0] == 255 ? 255 : 5; /* always a valid filter type, 0 to 4 */
}

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

void fuzz_deflate_rows(const uint8_t *material, size_t size, size_t row, size_t rows,
                       FuzzBytes *stream)
{
    static const int flushes[] = {Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK};
    uint8_t how[8] = {0};
    size_t head = size < sizeof how ? size : sizeof how;
    if (head > 0)
        memcpy(how, material, head);
    uint8_t *line = malloc(row);
    z_stream z = {0};
    if (line == NULL || deflateInit2(&z, how[0] % 10, Z_DEFLATED, -(9 + how[3] % 7), 1 + how[2] % 9,
                                     how[1] % 5) != Z_OK)
        abort();
    size_t every = 1 + how[5] % 32;
    uint32_t noise = 1;
    for (size_t y = 0; y < rows; y++) {
        draw_row(material + head, size - head, y, &noise, line, row);
        z.next_in = line;
        z.avail_in = (uInt)row;
        drain(&z, y % every == every - 1 ? flushes[how[4] % 5] : Z_NO_FLUSH, stream);
    }
    drain(&z, Z_FINISH, stream);
    deflateEnd(&z);
    free(line);
    size_t wrong = (size_t)how[6] << 8 | how[7];
    if (wrong > 0 && stream->size > 0)
        stream->data[wrong * 7 % stream->size] ^= (uint8_t)(1 << wrong % 8);
}
