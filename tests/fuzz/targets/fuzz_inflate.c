/* Checks inflate and deflate without PNG. Every version of imgtool's inflate must give zlib's
 * verdict and data. zlib must inflate the streams that imgtool's deflate writes.
 * Input: HEAD_BYTES of choices, then a raw stream, or data to deflate. */
#include <string.h>
#include <zlib.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/pixels/choices.h"
#include "tests/fuzz/pixels/judge_codec.h"

enum { HEAD_BYTES = 32, DATA_MOST = 200 << 10, FLIPS_MOST = 3 };

static JudgeCuts choose_cuts(Choices *choices)
{
    JudgeCuts cuts;
    cuts.data = 1 + choose_16(choices) % 4096;
    cuts.room = 1 + choose_16(choices) % 9000;
    cuts.beyond = choose_byte(choices);
    return cuts;
}

/* Returns the body of the input (the bytes after the choices), or many copies of it with small
 * changes: a short body alone would not fill a window or a block. */
static FuzzBytes repeated(Choices *choices, const uint8_t *body, size_t size)
{
    const unsigned times = choose_byte(choices), change = choose_byte(choices);
    FuzzBytes data = {0};
    fuzz_put(&data, body, size);
    for (unsigned i = 1;
         i < (times < 128 ? 1 : (times - 127) * 8) && data.size + size <= DATA_MOST && size > 0;
         i++) {
        const size_t at = data.size;
        fuzz_put(&data, body, size);
        data.data[at + i * change % size] ^= (uint8_t)i;
    }
    return data;
}

/* Deflates the data with zlib, with a flush in the middle that the input chooses. */
static FuzzBytes deflated_by_zlib(Choices *choices, const FuzzBytes *data)
{
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE,
                                     Z_FIXED};
    static const int flushes[] = {Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK};
    const int level = (int)choose_below(choices, 10),
              strategy = strategies[choose_below(choices, 5)];
    const int memory = 1 + (int)choose_below(choices, 9), flush = flushes[choose_below(choices, 5)];
    z_stream z = {0};
    expect(deflateInit2(&z, level, Z_DEFLATED, -15, memory, strategy) == Z_OK,
           "zlib does not start");
    const size_t room = deflateBound(&z, (uLong)data->size) + 1000;
    FuzzBytes stream = {.data = allocate(room), .capacity = room};
    z.next_in = data->data;
    z.avail_in = (uInt)(data->size / 2);
    z.next_out = stream.data;
    z.avail_out = (uInt)room;
    (void)deflate(&z, flush);
    z.avail_in += (uInt)(data->size - data->size / 2);
    expect(deflate(&z, Z_FINISH) == Z_STREAM_END, "zlib does not end");
    stream.size = z.total_out;
    deflateEnd(&z);
    return stream;
}

static void damage(Choices *choices, FuzzBytes *stream)
{
    const unsigned flips = choose_below(choices, 1 + FLIPS_MOST);
    for (unsigned i = 0; i < flips && stream->size > 0; i++) {
        const size_t at = choose_16(choices) % stream->size;
        stream->data[at] ^= (uint8_t)(1U << choose_below(choices, 8));
    }
    if (choose_below(choices, 8) == 7)
        stream->size = stream->size * choose_byte(choices) / 256;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { STREAM, STREAM_TOO, BY_ZLIB, BY_US, TODO_COUNT };
    if (size < HEAD_BYTES)
        return 0;
    Choices head = {data, HEAD_BYTES};
    const uint8_t *body = data + HEAD_BYTES;
    const unsigned todo = choose_below(&head, TODO_COUNT);
    const JudgeCuts cuts = choose_cuts(&head);
    size -= HEAD_BYTES;
    if (todo == STREAM || todo == STREAM_TOO) {
        (void)judge_inflate(body, size, cuts);
        return 0;
    }
    FuzzBytes all = repeated(&head, body, size);
    if (todo == BY_US && size > 0) {
        judge_deflate(&head, all.data, all.size);
    } else if (todo == BY_ZLIB) {
        FuzzBytes stream = deflated_by_zlib(&head, &all);
        damage(&head, &stream);
        (void)judge_inflate(stream.data, stream.size, cuts);
        free(stream.data);
    }
    free(all.data);
    return 0;
}
