/* Tests of imgtool's inflate. It must give the same bytes as zlib, and reject the streams that zlib
 * rejects. The tests cover input in portions of any size, entry in the middle of a stream, and the
 * search for block starts. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/png/inflate/inflate.h"
#include "io/png/inflate/inflate_priv.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/unit/sanitizers.h"

enum { SLACK = IMG_INFLATE_DATA_SLACK };

typedef struct Bytes {
    uint8_t *at;
    size_t size;
} Bytes;

static uint32_t random_number(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Returns data of a random kind: similar to noise, to a filtered photograph, to text, or other
 * bytes. */
static Bytes make_data(size_t size)
{
    Bytes data = {malloc(size + 1), size};
    uint32_t kind = random_number() % 5;
    for (size_t i = 0; i < size; i++) {
        uint32_t r = random_number();
        uint8_t near = (uint8_t)(__builtin_popcount(r) - 16);
        size_t back = 1 + r % 3000;
        bool again = i > back && r % 7 != 0;
        data.at[i] = kind == 0   ? (uint8_t)r
                     : kind == 1 ? near
                     : kind == 2 ? (i > 300 && r % 16 < 12 ? data.at[i - 300] : near)
                     : kind == 3 ? (again ? data.at[i - back % 40 - 1] : (uint8_t)('a' + r % 20))
                                 : 7;
    }
    return data;
}

/* Returns the raw deflate stream of `data`, with slack after it. */
static Bytes deflated(Bytes data, int level, int strategy, int memory)
{
    z_stream z = {0};
    cr_assert_eq(deflateInit2(&z, level, Z_DEFLATED, -15, memory, strategy), Z_OK);
    size_t bound = deflateBound(&z, (uLong)data.size) + 1000;
    Bytes stream = {calloc(1, bound + SLACK), 0};
    z.next_in = data.at;
    z.avail_in = (uInt)data.size;
    z.next_out = stream.at;
    z.avail_out = (uInt)bound;
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    stream.size = z.total_out;
    deflateEnd(&z);
    return stream;
}

static Bytes any_stream(Bytes data)
{
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE,
                                     Z_FIXED};
    return deflated(data, (int)(random_number() % 10), strategies[random_number() % 5],
                    1 + (int)(random_number() % 9));
}

/* Decompresses a stream with zlib. Returns the number of bytes, or (size_t)-1 if zlib rejects the
 * stream. *used gets the number of bytes of the stream that were read. */
static size_t zlib_inflates(Bytes stream, uint8_t *out, size_t room, size_t *used)
{
    z_stream z = {.next_in = stream.at, .avail_in = (uInt)stream.size};
    cr_assert_eq(inflateInit2(&z, -15), Z_OK);
    z.next_out = out;
    z.avail_out = (uInt)room;
    int code = inflate(&z, Z_FINISH);
    size_t size = z.total_out;
    *used = z.total_in;
    inflateEnd(&z);
    return code == Z_STREAM_END ? size : (size_t)-1;
}

/* Decompresses a stream in one call with one version of imgtool's code. Returns and sets the same
 * values as zlib_inflates. */
static size_t we_inflate(const ImgInflateCode *code, Bytes stream, uint8_t *out, size_t room,
                         size_t *used)
{
    ImgInflate *state = malloc(sizeof *state);
    img_inflate_start(state, 0);
    ImgInflateData data = {stream.at, 0, stream.size, true};
    ImgInflateRoom where = {out, out, out + room};
    ImgInflateStop stop = code->bytes(state, &data, &where, false);
    *used = (size_t)((state->position + 7) / 8);
    free(state);
    bool whole = stop == IMG_INFLATE_END && where.at <= where.limit;
    return whole ? (size_t)(where.at - out) : (size_t)-1;
}

static const ImgInflateCode *const VERSIONS[] = {
    &img_inflate_portable,
#if IMGTOOL_X86
    &img_inflate_avx2, /* the last version, which needs AVX2 */
#endif
};
enum { VERSION_COUNT = sizeof VERSIONS / sizeof VERSIONS[0] };

static int usable_versions(void)
{
    return img_cpu_level() >= IMG_CPU_AVX2 ? VERSION_COUNT : 1;
}

/* Decompresses a stream with zlib and with imgtool's code. Both must accept it with the same bytes
 * and the same end, or both must reject it. Returns true if they accept it. */
static bool agree(Bytes stream, size_t room)
{
    uint8_t *theirs = malloc(room + 1), *ours = malloc(room + IMG_INFLATE_ROOM_SLACK);
    size_t their_end, our_end;
    size_t expected = zlib_inflates(stream, theirs, room, &their_end);
    for (int v = 0; v < usable_versions(); v++) {
        size_t size = we_inflate(VERSIONS[v], stream, ours, room, &our_end);
        cr_assert_eq(size, expected, "version %d: %zd bytes for zlib's %zd", v, (ssize_t)size,
                     (ssize_t)expected);
        if (expected != (size_t)-1) {
            cr_assert_eq(our_end, their_end);
            cr_assert_arr_eq(ours, theirs, expected);
        }
    }
    free(theirs);
    free(ours);
    return expected != (size_t)-1;
}

Test(png_inflate, valid_streams_give_the_bytes_of_zlib)
{
    for (int round = 0; round < 300; round++) {
        Bytes data = make_data(random_number() % (round % 3 == 0 ? 200000 : 600));
        Bytes stream = any_stream(data);
        cr_assert(agree(stream, data.size + 1));
        free(stream.at);
        free(data.at);
    }
}

/* Returns a stream of stored, fixed and dynamic blocks in random order. At each flush zlib adds an
 * empty block: a fixed one for Z_PARTIAL_FLUSH, a stored one for Z_SYNC_FLUSH. */
static Bytes mixed_stream(Bytes data)
{
    size_t room = 2 * data.size + 4000, done = 0;
    Bytes stream = {calloc(1, room + SLACK), 0};
    z_stream z = {.next_out = stream.at, .avail_out = (uInt)room, .next_in = data.at};
    cr_assert_eq(deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    while (done < data.size) {
        uint32_t kind = random_number() % 4, part = 1 + random_number() % 2500;
        cr_assert_eq(deflateParams(&z, kind == 0 ? 0 : 6, kind == 1 ? Z_FIXED : Z_DEFAULT_STRATEGY),
                     Z_OK);
        z.avail_in = (uInt)(part < data.size - done ? part : data.size - done);
        done += z.avail_in;
        cr_assert_eq(deflate(&z, kind % 2 ? Z_PARTIAL_FLUSH : Z_SYNC_FLUSH), Z_OK);
        cr_assert_eq(z.avail_in, 0);
    }
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    stream.size = z.total_out;
    deflateEnd(&z);
    return stream;
}

Test(png_inflate, block_types_may_follow_each_other_in_any_order)
{
    for (int round = 0; round < 200; round++) {
        Bytes data = make_data(random_number() % 20000);
        Bytes stream = mixed_stream(data);
        cr_assert(agree(stream, data.size + 1));
        free(stream.at);
        free(data.at);
    }
}

/* The decoder makes the tables of the fixed codes only once, and uses them for all blocks of this
 * stream. */
Test(png_inflate, empty_fixed_blocks_end_where_zlib_ends)
{
    /* An empty fixed block has the 10 bits 0, 01, 0000000 (RFC 1951, 3.2.3 and 3.2.6). */
    enum { BLOCKS = 40001, BITS = 10 };
    Bytes stream = {calloc(1, BLOCKS * BITS / 8 + 1 + SLACK), BLOCKS * BITS / 8 + 1};
    for (size_t i = 0; i < BLOCKS; i++)
        stream.at[(i * BITS + 1) / 8] |= (uint8_t)(1 << (i * BITS + 1) % 8);
    stream.at[(BLOCKS - 1) * BITS / 8] |= (uint8_t)(1 << (BLOCKS - 1) * BITS % 8);
    cr_assert(agree(stream, 1));
    free(stream.at);
}

Test(png_inflate, damaged_streams_are_rejected_like_zlib)
{
    int accepted = 0, refused = 0;
    for (int round = 0; round < 6000; round++) {
        Bytes data = make_data(random_number() % 900);
        Bytes stream = any_stream(data);
        int flips = 1 + (int)(random_number() % 3);
        size_t reach = random_number() % 2 ? stream.size : 1 + stream.size / 8;
        for (int i = 0; i < flips; i++)
            stream.at[random_number() % reach] ^= (uint8_t)(1 << random_number() % 8);
        if (random_number() % 8 == 0) {
            size_t size = random_number() % (stream.size + 1);
            memset(stream.at + size, 0, stream.size - size);
            stream.size = size;
        }
        if (agree(stream, 100000))
            accepted++;
        else
            refused++;
        free(stream.at);
        free(data.at);
    }
    cr_expect(accepted > 500 && refused > 500, "%d, %d: both kinds must occur", accepted, refused);
}

Test(png_inflate, noise_is_rejected_like_zlib)
{
    uint8_t noise[400 + SLACK] = {0};
    for (int round = 0; round < 60000; round += EVERY(10)) {
        for (int i = 0; i < 400; i++)
            noise[i] = (uint8_t)random_number();
        noise[0] = (uint8_t)(noise[0] & ~6) | (round % 3 == 0 ? 2 : 4);
        agree((Bytes){noise, 400}, 20000);
    }
}

/* --- Block headers written bit by bit --------------------------------------------------------- */

typedef struct Writer {
    uint8_t bytes[2000 + SLACK];
    size_t at; /* position of the next bit */
} Writer;

static void put(Writer *writer, unsigned value, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++, writer->at++)
        writer->bytes[writer->at / 8] |= (uint8_t)((value >> i & 1) << (writer->at % 8));
}

/* Starts the last block of a stream, with dynamic codes. The code for code lengths has the symbols
 * 0, 1, 2 and 18, of two bits each. */
static void put_header(Writer *writer, int literals, int distances)
{
    static const uint8_t order[18] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1};
    memset(writer, 0, sizeof *writer);
    put(writer, 5, 3);
    put(writer, (unsigned)literals - 257, 5);
    put(writer, (unsigned)distances - 1, 5);
    put(writer, 18 - 4, 4);
    for (int i = 0; i < 18; i++)
        put(writer, order[i] == 18 || order[i] <= 2 ? 2 : 0, 3);
}

/* Writes a code length of 0, 1 or 2. Their codes, from the low bit, are 00, 10 and 01; put_zeros
 * uses 11, the code of symbol 18. */
static void put_length(Writer *writer, int length)
{
    put(writer, length == 0 ? 0 : length == 1 ? 2 : 1, 2);
}

static void put_zeros(Writer *writer, int count)
{
    for (; count >= 11; count -= count > 138 ? 138 : count) {
        int now = count > 138 ? 138 : count;
        put(writer, 3, 2);
        put(writer, (unsigned)now - 11, 7);
    }
    for (; count > 0; count--)
        put_length(writer, 0);
}

static bool accepts(const Writer *writer)
{
    return agree((Bytes){(uint8_t *)writer->bytes, 2000}, 5000);
}

Test(png_inflate, codes_must_be_complete_except_those_of_one_symbol)
{
    Writer w;
    /* 'A' (65), the end of the block and one distance have codes of one bit. */
    put_header(&w, 257, 1);
    put_zeros(&w, 65);
    put_length(&w, 1);
    put_zeros(&w, 190);
    put_length(&w, 1);
    put_length(&w, 1);
    Writer two = w;
    put(&two, 0, 1); /* the code of 'A' */
    put(&two, 1, 1); /* the code of the end of the block */
    cr_expect(accepts(&two));

    /* Only the end of the block has a code, of one bit. The other value of this bit is
     * undefined. */
    put_header(&w, 257, 1);
    put_zeros(&w, 256);
    put_length(&w, 1);
    put_length(&w, 0);
    Writer end = w, nothing = w;
    put(&end, 0, 1);
    put(&nothing, 1, 1);
    cr_expect(accepts(&end));
    cr_expect_not(accepts(&nothing));

    /* Only the end of the block has a code, of two bits. So the other three codes are undefined. */
    put_header(&w, 257, 1);
    put_zeros(&w, 256);
    put_length(&w, 2);
    put_length(&w, 0);
    put(&w, 0, 2);
    cr_expect_not(accepts(&w));

    /* The literal code has no code for the end of the block. */
    put_header(&w, 257, 1);
    put_zeros(&w, 65);
    put_length(&w, 1);
    put_length(&w, 1);
    put_zeros(&w, 190);
    put_length(&w, 1);
    put(&w, 0, 8);
    cr_expect_not(accepts(&w));

    /* Three symbols have codes of one bit, one more than possible. */
    put_header(&w, 257, 1);
    put_zeros(&w, 65);
    put_length(&w, 1);
    put_length(&w, 1);
    put_zeros(&w, 189);
    put_length(&w, 1);
    put_length(&w, 1);
    cr_expect_not(accepts(&w));
}

Test(png_inflate, at_most_286_literals_and_30_distances_are_accepted)
{
    for (int literals = 284; literals <= 288; literals++) {
        for (int distances = 28; distances <= 32; distances++) {
            Writer w;
            put_header(&w, literals, distances);
            put_zeros(&w, 65);
            put_length(&w, 1);
            put_zeros(&w, 190);
            put_length(&w, 1);
            put_zeros(&w, literals - 257 + distances - 1);
            put_length(&w, 1);
            put(&w, 1, 1);
            cr_expect_eq(accepts(&w), literals <= 286 && distances <= 30, "%d, %d", literals,
                         distances);
        }
    }
}

/* --- Input and output in portions ------------------------------------------------------------- */

/* Decompresses a stream in calls with at most `data_size` bytes of input and `room_size` bytes of
 * output. */
static size_t in_portions(Bytes stream, uint8_t *out, size_t data_size, size_t room_size,
                          bool stop_at_blocks)
{
    ImgInflate *state = malloc(sizeof *state);
    uint8_t *portion = malloc(data_size + SLACK);
    ImgInflateRoom room = {out, out, out};
    ImgInflateStop stop = IMG_INFLATE_NEED_INPUT;
    ImgInflateData data = {0};
    img_inflate_start(state, 0);
    while (stop != IMG_INFLATE_END && stop != IMG_INFLATE_DAMAGED) {
        if (stop == IMG_INFLATE_NEED_INPUT) {
            uint64_t start = state->position / 8;
            size_t size = stream.size - (size_t)start;
            size = size < data_size ? size : data_size;
            memcpy(portion, stream.at + start, size);
            /* The bytes past the portion must not be used. */
            memset(portion + size, 0xFF, SLACK);
            data = (ImgInflateData){portion, start, size, start + size == stream.size};
        }
        if (stop == IMG_INFLATE_OUTPUT_FULL || room.limit == out)
            room.limit = room.at + 1 + random_number() % room_size;
        stop = img_inflate(state, &data, &room, stop_at_blocks);
    }
    free(portion);
    free(state);
    return stop == IMG_INFLATE_END ? (size_t)(room.at - out) : (size_t)-1;
}

Test(png_inflate, portions_of_any_size_give_the_same_bytes)
{
    for (int round = 0; round < 200; round++) {
        Bytes data = make_data(random_number() % 60000);
        Bytes stream = any_stream(data);
        uint8_t *out = malloc(data.size + IMG_INFLATE_ROOM_SLACK + 70000);
        size_t size = in_portions(stream, out, IMG_INFLATE_DATA_LEAST + random_number() % 3000,
                                  1 + random_number() % 5000, round % 2 == 0);
        cr_assert_eq(size, data.size);
        cr_assert_arr_eq(out, data.at, size);
        free(out);
        free(stream.at);
        free(data.at);
    }
}

/* --- Entry in the middle of a stream ---------------------------------------------------------- */

/* Positions where blocks start, in bits, and the number of bytes decompressed before each block.
 * The first entry is the start of the stream. */
typedef struct Places {
    uint64_t bits[5000], bytes[5000];
    size_t count;
} Places;

static void list_blocks(Bytes stream, uint8_t *out, size_t room_size, Places *places)
{
    ImgInflate *state = malloc(sizeof *state);
    ImgInflateData data = {stream.at, 0, stream.size, true};
    ImgInflateRoom room = {out, out, out + room_size};
    ImgInflateStop stop = IMG_INFLATE_BLOCK;
    places->count = 0;
    img_inflate_start(state, 0);
    while (stop == IMG_INFLATE_BLOCK && places->count < 5000) {
        places->bits[places->count] = state->position;
        places->bytes[places->count++] = (uint64_t)(room.at - out);
        stop = img_inflate(state, &data, &room, true);
    }
    free(state);
}

Test(png_inflate, blocks_are_decoded_without_the_bytes_before_them)
{
    Places *places = malloc(sizeof *places);
    ImgInflate *state = malloc(sizeof *state);
    for (int round = 0; round < 40; round++) {
        Bytes data = make_data(100000 + random_number() % 200000);
        Bytes stream = deflated(data, 1 + (int)(random_number() % 9), Z_DEFAULT_STRATEGY, 5);
        uint8_t *out = malloc(data.size + IMG_INFLATE_ROOM_SLACK);
        list_blocks(stream, out, data.size + 1, places);
        size_t k = random_number() % places->count, before = (size_t)places->bytes[k];
        size_t left = data.size - before;
        uint16_t *symbols =
            malloc((IMG_INFLATE_WINDOW + left + IMG_INFLATE_ROOM_SLACK) * sizeof *symbols);
        uint16_t *first = symbols + IMG_INFLATE_WINDOW;
        ImgInflateData all = {stream.at, 0, stream.size, true};
        ImgInflateSymbols room = {first, first, first + left + 1};
        img_inflate_fill_markers(symbols);
        img_inflate_start(state, places->bits[k]);
        cr_assert_eq(img_inflate_symbols(state, &all, &room, false), IMG_INFLATE_END);
        cr_assert_eq((size_t)(room.at - first), left);
        for (size_t i = 0; i < left; i++) {
            size_t back = IMG_INFLATE_WINDOW + IMG_INFLATE_MARKER - (size_t)first[i];
            cr_assert(first[i] < 256 || back <= before);
            uint8_t byte = first[i] < 256 ? (uint8_t)first[i] : data.at[before - back];
            cr_assert_eq(byte, data.at[before + i]);
        }
        free(symbols);
        free(out);
        free(stream.at);
        free(data.at);
    }
    free(state);
    free(places);
}

Test(png_inflate, block_starts_are_found)
{
    Places *places = malloc(sizeof *places);
    ImgInflate *state = malloc(sizeof *state);
    for (int round = 0; round < 20; round++) {
        Bytes data = make_data(300000);
        Bytes stream = deflated(data, 6, Z_FILTERED, 5);
        uint8_t *out = malloc(data.size + IMG_INFLATE_ROOM_SLACK);
        list_blocks(stream, out, data.size + 1, places);
        for (size_t k = 0; k + 1 < places->count; k++) {
            uint64_t found = 0, at = places->bits[k];
            bool own_codes =
                (stream.at[at / 8] >> at % 8 | stream.at[at / 8 + 1] << (8 - at % 8)) % 8 == 4;
            if (!own_codes)
                continue;
            cr_assert(img_inflate_find(state, stream.at, stream.size, at, at + 1, &found));
            cr_assert_eq(found, at);
            uint64_t from = k > 0 ? places->bits[k - 1] + 1 : 0;
            cr_assert(img_inflate_find(state, stream.at, stream.size, from, at + 1, &found));
            cr_expect_eq(found, at, "nothing between looks like a block in this data");
        }
        free(out);
        free(stream.at);
        free(data.at);
    }
    free(state);
    free(places);
}

static bool are_complements(const uint8_t *at)
{
    return (at[0] ^ at[2]) == 0xFF && (at[1] ^ at[3]) == 0xFF;
}

/* The search must find the lengths of a stored block at any position. This includes the last
 * positions, where fewer bytes remain than the search reads at once. */
Test(png_inflate, lengths_of_stored_blocks_are_found)
{
    enum { SIZE = 300 };
    uint8_t bytes[SIZE + SLACK];
    for (int round = 0; round < 2000; round++) {
        /* A stored block begins with its length and the complement of the length, two bytes each.
         * These random bytes contain many such pairs, and also pairs in which only one of the two
         * bytes matches. */
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random_number() % 5 * 0x33 + random_number() % 2);
        const size_t from = random_number() % SIZE, to = from + random_number() % (SIZE - from + 1);
        size_t wanted = from;
        while (wanted < to && !are_complements(bytes + wanted))
            wanted++;
        cr_assert_eq(img_inflate_find_lengths(bytes, from, to), wanted);
    }
}
