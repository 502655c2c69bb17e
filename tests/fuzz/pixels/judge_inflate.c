/* Compares imgtool's inflate with zlib: see judge_codec.h. */
#include "tests/fuzz/pixels/judge_codec.h"

#include <string.h>
#include <zlib.h>

#include "io/png/inflate/inflate.h"
#include "io/png/inflate/inflate_priv.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/fuzz/pixels/choices.h"

enum {
    DATA = IMG_INFLATE_DATA_SLACK,
    ROOM = IMG_INFLATE_ROOM_SLACK,
    BLOCKS_MOST = 64,
    ENTERED_MOST = 4
};

/* A stream with IMG_INFLATE_DATA_SLACK bytes after it. The allocation ends with the slack. */
typedef struct Stream {
    uint8_t *bytes; /* owned */
    size_t size;    /* number of bytes of the stream, without the slack */
} Stream;

static Stream stream_copy(const uint8_t *bytes, size_t size, uint8_t beyond)
{
    const Stream stream = {allocate(size + DATA), size};
    if (size > 0)
        memcpy(stream.bytes, bytes, size);
    memset(stream.bytes + size, beyond, DATA);
    return stream;
}

Inflated zlib_inflated(const uint8_t *stream, size_t size)
{
    static uint8_t room[JUDGE_OUTPUT_MOST];
    Inflated all = {.is_sound = false};
    z_stream z = {.next_in = (uint8_t *)(uintptr_t)stream, .avail_in = (uInt)size};
    expect(inflateInit2(&z, -15) == Z_OK, "zlib does not start");
    z.next_out = room;
    z.avail_out = sizeof room;
    all.is_sound = inflate(&z, Z_FINISH) == Z_STREAM_END;
    all.size = z.total_out;
    all.used = z.total_in;
    all.bytes = allocate(all.size);
    memcpy(all.bytes, room, all.size);
    inflateEnd(&z);
    return all;
}

static const ImgInflateCode *const VERSIONS[] = {
    &img_inflate_portable,
#if IMGTOOL_X86
    &img_inflate_avx2, /* last, because a processor without AVX2 uses only the first */
#endif
};
enum { VERSION_COUNT = sizeof VERSIONS / sizeof VERSIONS[0] };

static int usable_versions(void)
{
    return img_cpu_level() >= IMG_CPU_AVX2 ? VERSION_COUNT : 1;
}

/* Returns a state that starts at the bit `position`. All inputs share one state, to test that its
 * old content does not affect a result. */
static ImgInflate *state_at(uint64_t position)
{
    static ImgInflate *state;
    if (state == NULL)
        state = allocate(sizeof *state);
    img_inflate_start(state, position);
    return state;
}

/* --- Inflating in one call -------------------------------------------------------------------- */

/* Inflates with room for `room_size` bytes. The result must match zlib's. Nothing may be written
 * past the slack after the room. */
static void judge_room(int version, const Stream *stream, const Inflated *zlib, size_t room_size)
{
    uint8_t *out = allocate(room_size + ROOM);
    ImgInflate *state = state_at(0);
    const ImgInflateData data = {stream->bytes, 0, stream->size, true};
    ImgInflateRoom room = {out, out, out + room_size};
    const ImgInflateStop stop = VERSIONS[version]->bytes(state, &data, &room, false);
    const size_t got = (size_t)(room.at - out), whole = got < room_size ? got : room_size;
    expect(got <= room_size + ROOM, "version %d: %zu bytes in room for %zu", version, got,
           room_size);
    expect(stop != IMG_INFLATE_BLOCK && stop != IMG_INFLATE_NEED_INPUT, "version %d: stops with %d",
           version, (int)stop);
    expect(stop != IMG_INFLATE_OUTPUT_FULL || got >= room_size, "version %d: full at %zu of %zu",
           version, got, room_size);
    expect(stop == IMG_INFLATE_OUTPUT_FULL || (stop == IMG_INFLATE_END) == zlib->is_sound ||
               (!zlib->is_sound && got > JUDGE_OUTPUT_MOST),
           "version %d: %s, zlib: %s, %zu bytes of %zu", version,
           stop == IMG_INFLATE_END ? "sound" : "damaged", zlib->is_sound ? "sound" : "damaged", got,
           zlib->size);
    if (zlib->is_sound) {
        expect(whole <= zlib->size && memcmp(out, zlib->bytes, whole) == 0,
               "version %d: different bytes", version);
        expect(room_size <= zlib->size || stop == IMG_INFLATE_END, "version %d: no end", version);
        expect(stop != IMG_INFLATE_END ||
                   (got == zlib->size && (state->position + 7) / 8 == zlib->used),
               "version %d: %zu bytes of %zu, ends at byte %zu, zlib at %zu", version, got,
               zlib->size, (size_t)(state->position + 7) / 8, zlib->used);
    }
    free(out);
}

/* --- Inflating in portions -------------------------------------------------------------------- */

typedef struct Portions {
    const Stream *stream;
    JudgeCuts cuts;
    uint8_t *bytes; /* current portion, owned; NULL before the first one */
    ImgInflateData data;
} Portions;

static void next_portion(Portions *portions, uint64_t position)
{
    const size_t start = (size_t)(position / 8), left = portions->stream->size - start;
    const size_t least = IMG_INFLATE_DATA_LEAST + portions->cuts.data,
                 size = left < least ? left : least;
    free(portions->bytes);
    expect(start <= portions->stream->size, "needs data from byte %zu of %zu", start,
           portions->stream->size);
    portions->bytes = allocate(size + DATA);
    memcpy(portions->bytes, portions->stream->bytes + start, size);
    memset(portions->bytes + size, portions->cuts.beyond, DATA);
    portions->data = (ImgInflateData){portions->bytes, start, size, size == left};
}

static void judge_portions(int version, const Stream *stream, const Inflated *zlib, JudgeCuts cuts)
{
    Portions portions = {.stream = stream, .cuts = cuts};
    const size_t most = zlib->size + 1 + cuts.room;
    uint8_t *out = allocate(most + ROOM);
    ImgInflate *state = state_at(0);
    ImgInflateRoom room = {out, out, out + cuts.room};
    ImgInflateStop stop = IMG_INFLATE_NEED_INPUT;
    size_t at_least = 0;
    while (stop != IMG_INFLATE_END && stop != IMG_INFLATE_DAMAGED && room.at <= out + zlib->size) {
        if (stop == IMG_INFLATE_NEED_INPUT)
            next_portion(&portions, state->position);
        if (stop == IMG_INFLATE_OUTPUT_FULL)
            room.limit = room.at + cuts.room < out + most ? room.at + cuts.room : out + most;
        stop = VERSIONS[version]->bytes(state, &portions.data, &room, cuts.room % 2 == 0);
        expect(stop != IMG_INFLATE_NEED_INPUT || !portions.data.last,
               "version %d: needs data after the end", version);
        expect(state->position + 8 * (uint64_t)(room.at - out) + (stop != IMG_INFLATE_OUTPUT_FULL) >
                   at_least,
               "version %d: makes no progress", version);
        at_least = state->position + 8 * (uint64_t)(room.at - out);
    }
    const size_t got = (size_t)(room.at - out);
    const bool ends = stop == IMG_INFLATE_END && got <= JUDGE_OUTPUT_MOST;
    expect(ends == zlib->is_sound, "version %d in portions: %s", version,
           ends ? "sound" : "damaged");
    expect(!ends || (got == zlib->size && memcmp(out, zlib->bytes, got) == 0),
           "version %d in portions: different bytes, %zu of %zu", version, got, zlib->size);
    free(portions.bytes);
    free(out);
}

/* --- Inflating from the middle of a stream ---------------------------------------------------- */

/* The start of a block in a stream. */
typedef struct Place {
    uint64_t bit; /* position in the stream, in bits */
    size_t bytes; /* number of inflated bytes before the block */
} Place;

static size_t list_places(const Stream *stream, size_t output, Place *places, size_t most)
{
    uint8_t *out = allocate(output + 1 + ROOM);
    ImgInflate *state = state_at(0);
    const ImgInflateData data = {stream->bytes, 0, stream->size, true};
    ImgInflateRoom room = {out, out, out + output + 1};
    size_t count = 0;
    for (ImgInflateStop stop = IMG_INFLATE_BLOCK; stop == IMG_INFLATE_BLOCK && count < most;) {
        places[count++] = (Place){state->position, (size_t)(room.at - out)};
        stop = img_inflate(state, &data, &room, true);
    }
    free(out);
    return count;
}

size_t list_blocks(const uint8_t *bytes, size_t size, uint64_t *starts, size_t most)
{
    const Stream stream = stream_copy(bytes, size, 0);
    Inflated zlib = zlib_inflated(bytes, size);
    Place *places = allocate((most + 1) * sizeof *places);
    const size_t count = list_places(&stream, zlib.size, places, most + 1);
    size_t blocks = 0;
    for (size_t i = 0; i < count && blocks < most; i++)
        if ((i + 1 < count ? places[i + 1].bytes : zlib.size) > places[i].bytes)
            starts[blocks++] = places[i].bit;
    free(places);
    free(zlib.bytes);
    free(stream.bytes);
    return blocks;
}

/* Inflates from the block at `place`, in the middle of the stream. Some symbols are markers that
 * refer to data before the block. The data that they refer to and all other symbols must equal
 * zlib's data. */
static void judge_symbols(int version, const Stream *stream, const Inflated *zlib, Place place)
{
    const size_t left = zlib->size - place.bytes, count = IMG_INFLATE_WINDOW + left + 1 + ROOM;
    uint16_t *symbols = allocate(count * sizeof *symbols), *first = symbols + IMG_INFLATE_WINDOW;
    ImgInflate *state = state_at(place.bit);
    const ImgInflateData data = {stream->bytes, 0, stream->size, true};
    ImgInflateSymbols room = {first, first, first + left + 1};
    img_inflate_fill_markers(symbols);
    const ImgInflateStop stop = VERSIONS[version]->symbols(state, &data, &room, false);
    expect(stop == IMG_INFLATE_END && (size_t)(room.at - first) == left,
           "version %d from bit %llu: %zu of %zu symbols", version, (unsigned long long)place.bit,
           (size_t)(room.at - first), left);
    for (size_t i = 0; i < left; i++) {
        const size_t back = (size_t)IMG_INFLATE_WINDOW + IMG_INFLATE_MARKER - first[i];
        expect(first[i] < 256 || (first[i] >= IMG_INFLATE_MARKER && back <= place.bytes),
               "version %d: symbol %u", version, first[i]);
        const uint8_t byte = first[i] < 256 ? (uint8_t)first[i] : zlib->bytes[place.bytes - back];
        expect(byte == zlib->bytes[place.bytes + i],
               "version %d: symbol %zu gives a different byte", version, i);
    }
    free(symbols);
}

/* Inflates from the bit `position`, which need not be the start of a block. Whatever the bits there
 * are, the call must return, and must not write beyond its room. */
static void try_symbols(int version, const Stream *stream, size_t room_size, uint64_t position)
{
    uint16_t *symbols = allocate((IMG_INFLATE_WINDOW + room_size + ROOM) * sizeof *symbols);
    uint16_t *first = symbols + IMG_INFLATE_WINDOW;
    const ImgInflateData data = {stream->bytes, 0, stream->size, true};
    ImgInflateSymbols room = {first, first, first + room_size};
    img_inflate_fill_markers(symbols);
    (void)VERSIONS[version]->symbols(state_at(position), &data, &room, false);
    expect(room.at >= first && room.at <= first + room_size + ROOM,
           "version %d: symbols past the slack", version);
    free(symbols);
}

/* Returns true if a valid header of a dynamic block that is not the last one stands at this bit. */
static bool is_header(const Stream *stream, uint64_t bit)
{
    const size_t byte = (size_t)(bit / 8);
    const unsigned three =
        (unsigned)(stream->bytes[byte] | stream->bytes[byte + 1] << 8) >> bit % 8 & 7;
    return three == 4 &&
           img_inflate_header(state_at(0), stream->bytes + byte, stream->size - byte, bit % 8) > 0;
}

/* Checks that the block finder finds every header of a dynamic block that is not the last block,
 * and nothing else. */
static void judge_finding(const Stream *stream)
{
    enum { BITS_MOST = 2 << 10 };
    const uint64_t bits =
        8 * (uint64_t)stream->size < BITS_MOST ? 8 * (uint64_t)stream->size : BITS_MOST;
    uint64_t found = 0, from = 0;
    for (uint64_t bit = 0; bit < bits; bit++) {
        if (!is_header(stream, bit))
            continue;
        expect(img_inflate_find(state_at(0), stream->bytes, stream->size, from, bits, &found) &&
                   found == bit,
               "a block at bit %llu is not found from bit %llu on", (unsigned long long)bit,
               (unsigned long long)from);
        from = bit + 1;
    }
    expect(!img_inflate_find(state_at(0), stream->bytes, stream->size, from, bits, &found),
           "a block is found at bit %llu, where there is none", (unsigned long long)found);
}

static void judge_middle(int version, const Stream *stream, const Inflated *zlib,
                         const Place *places, size_t count)
{
    const size_t step = count / ENTERED_MOST + 1;
    for (size_t i = 0; i < count; i += step)
        judge_symbols(version, stream, zlib, places[i]);
}

bool judge_inflate(const uint8_t *bytes, size_t size, JudgeCuts cuts)
{
    const Stream stream = stream_copy(bytes, size, cuts.beyond);
    Inflated zlib = zlib_inflated(stream.bytes, size);
    Place places[BLOCKS_MOST];
    const size_t rooms[] = {zlib.size + 1, cuts.room % (zlib.size + 1)};
    const size_t count = zlib.is_sound ? list_places(&stream, zlib.size, places, BLOCKS_MOST) : 0;
    for (int version = 0; version < usable_versions(); version++) {
        for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
            judge_room(version, &stream, &zlib, rooms[i]);
        judge_portions(version, &stream, &zlib, cuts);
        judge_middle(version, &stream, &zlib, places, count);
        try_symbols(version, &stream, cuts.room, size > 0 ? cuts.data % (8 * size) : 0);
    }
    judge_finding(&stream);
    free(zlib.bytes);
    free(stream.bytes);
    return zlib.is_sound;
}
