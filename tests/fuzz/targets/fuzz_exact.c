/* Checks the deflater with exact costs: zlib and every version of imgtool's inflate must inflate
 * its streams to the data. With less room it must give the same bytes or none. Input: HEAD_BYTES of
 * choices, then data. */
#include <string.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/exact.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/pixels/choices.h"
#include "tests/fuzz/pixels/judge_codec.h"

enum { HEAD_BYTES = 32, DATA_MOST = 64 << 10 };

/* Returns the body of the input, or many copies of it with small changes: a short body alone would
 * not fill a window or a block. */
static FuzzBytes repeated(Choices *choices, const uint8_t *body, size_t size)
{
    const unsigned times = choose_byte(choices), change = choose_byte(choices);
    FuzzBytes data = {0};
    fuzz_put(&data, body, size);
    for (unsigned i = 128; i < times && size > 0 && data.size + size <= DATA_MOST; i++) {
        const size_t at = data.size;
        fuzz_put(&data, body, size);
        data.data[at + i * change % size] ^= (uint8_t)i;
    }
    return data;
}

static ImgExactEffort choose_effort(Choices *choices)
{
    ImgExactEffort effort = {.rounds = choose_below(choices, 5)};
    effort.depth = 1 + choose_16(choices) % 400;
    effort.fine = 1 + choose_below(choices, 128);
    return effort;
}

/* Checks a stream, to which an empty block is added if it has no last one. */
static void check_stream(const FuzzBytes *data, bool last, const uint8_t *stream, size_t size)
{
    static const uint8_t empty[] = {3, 0};
    const JudgeCuts cuts = {.data = 1000, .room = 5000, .beyond = 255};
    FuzzBytes whole = {0};
    fuzz_put(&whole, stream, size);
    if (!last)
        fuzz_put(&whole, empty, sizeof empty);
    expect(judge_inflate(whole.data, whole.size, cuts), "the stream is not valid");
    Inflated back = zlib_inflated(whole.data, whole.size);
    expect(back.size == data->size && memcmp(back.bytes, data->data, back.size) == 0,
           "%zu bytes become %zu other bytes", data->size, back.size);
    expect(back.used == whole.size, "the stream ends after %zu of %zu bytes", back.used,
           whole.size);
    free(back.bytes);
    free(whole.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= HEAD_BYTES)
        return 0;
    Choices head = {data, HEAD_BYTES};
    const ImgExactEffort effort = choose_effort(&head);
    const bool last = choose_below(&head, 2) > 0;
    const unsigned share = choose_byte(&head);
    FuzzBytes all = repeated(&head, data + HEAD_BYTES, size - HEAD_BYTES);
    const size_t room = all.size + all.size / 1000 + 100;
    uint8_t *stream = allocate(room + IMG_BITS_SLACK);
    ImgExact *work = img_exact_create(all.size);
    expect(work != NULL, "no memory");
    const size_t made = img_deflate_exact(work, &effort, all.data, all.size, last, stream, room);
    expect(made > 0 && made <= room, "%zu bytes become %zu", all.size, made);
    check_stream(&all, last, stream, made);
    const size_t little = made * share / 255;
    uint8_t *less = allocate(little + IMG_BITS_SLACK);
    const size_t again = img_deflate_exact(work, &effort, all.data, all.size, last, less, little);
    expect(again == 0 || (again == made && memcmp(less, stream, made) == 0),
           "%zu bytes in room for %zu", again, little);
    img_exact_free(work);
    free(less);
    free(stream);
    free(all.data);
    return 0;
}
