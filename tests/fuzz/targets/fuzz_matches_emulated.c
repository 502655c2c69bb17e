/* Runs the GPU's LZ77 (io/png/cuda/matches) in the emulator. The data are any bytes in one or two
 * units, with pixels and rows of any size. A unit is a part of the data that is deflated without
 * the other part.
 * The GPU must write the CPU's blocks, bit for bit. zlib must inflate the blocks that the CPU
 * writes. Input: HEAD_BYTES of choices, then the data. */
#include <string.h>
#include <zlib.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/matches.h"
#include "tests/checkcodec/match_units.h"
#include "tests/emulator/settings.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/pixels/choices.h"

enum { HEAD_BYTES = 8, ORDERS = 3, PIXEL_MOST = 8 };

/* Returns the body of the input (the bytes after the choices), or copies of it with small changes:
 * a short body alone would not fill a segment. Only few results are longer than the largest match
 * distance, because these take more time. */
static FuzzBytes repeated(Choices *choices, const uint8_t *body, size_t size)
{
    enum { USUAL_MOST = 9000, MOST = 36000, LONG = 252 };
    const unsigned times = choose_byte(choices), change = choose_byte(choices);
    FuzzBytes data = {0};
    fuzz_put(&data, body, size);
    const size_t most = times < LONG ? USUAL_MOST : MOST;
    for (unsigned i = 1; i + 128 < times * 2 && data.size + size <= most; i++) {
        const size_t at = data.size;
        fuzz_put(&data, body, size);
        data.data[at + i * change % size] ^= (uint8_t)i;
    }
    return data;
}

/* Deflates the unit on the CPU, and inflates the result with zlib. */
static void inflate_again(const ImgMatchRows *rows, const MatchData *unit)
{
    static ImgMatches *work; /* kept, to test that earlier units do not affect the result */
    const size_t room = 2 * (size_t)unit->size + 1000;
    uint8_t *bytes = allocate(room + IMG_BITS_SLACK), *back = allocate(unit->size);
    z_stream z = {0};
    if (work == NULL)
        work = img_matches_create();
    expect(work != NULL, "no memory");
    z.next_in = bytes;
    z.avail_in =
        (uInt)img_deflate_matches(work, rows, unit->bytes, unit->size, true, bytes, room, NULL);
    z.next_out = back;
    z.avail_out = unit->size;
    expect(inflateInit2(&z, -15) == Z_OK, "zlib does not start");
    expect(inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0,
           "zlib rejects the stream, or data follow it");
    expect(memcmp(back, unit->bytes, unit->size) == 0, "zlib inflates different bytes");
    inflateEnd(&z);
    free(back);
    free(bytes);
}

static ImgMatchRows choose_rows(Choices *choices)
{
    ImgMatchRows rows = {.pixel = 1 + choose_below(choices, PIXEL_MOST)};
    rows.hashed =
        choose_below(choices, 2) > 0 ? IMG_MATCH_HASHED_OF_INDICES : IMG_MATCH_HASHED_OF_VALUES;
    rows.stride = 2 + choose_16(choices);
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= HEAD_BYTES)
        return 0;
    Choices head = {data, HEAD_BYTES};
    char message[256];
    const ImgMatchRows rows = choose_rows(&head);
    FuzzBytes all = repeated(&head, data + HEAD_BYTES, size - HEAD_BYTES);
    const unsigned layout = choose_byte(&head), share = choose_byte(&head);
    const uint32_t first = (uint32_t)(all.size - all.size * share / 256);
    const MatchData units[] = {{all.data, first, layout & 3},
                               {all.data + first, (uint32_t)all.size - first, layout >> 2 & 3}};
    const bool is_last = (layout & 16) != 0;
    emulator_set_order((int)(size % ORDERS), layout);
    const char *fault = compare_matches(&rows, units, sizeof units / sizeof *units, is_last,
                                        message, sizeof message);
    expect(fault == NULL, "%s", fault);
    expect(emulator_faults() == 0, "the emulator found %llu faults",
           (unsigned long long)emulator_faults());
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].size > 0)
            inflate_again(&rows, &units[i]);
    free(all.data);
    return 0;
}
