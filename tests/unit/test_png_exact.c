/* Tests of the deflater with exact costs: its finder, parse and codes beside slow and plain
 * versions, and its streams, which zlib and imgtool's inflate must inflate to the same bytes. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/png/deflate/exact.h"
#include "io/png/deflate/exact_header.h"
#include "io/png/deflate/exact_lengths.h"
#include "io/png/deflate/exact_parse.h"
#include "io/png/inflate/inflate.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/unit/sanitizers.h"

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* --- Allocations that fail -------------------------------------------------------------------- */

/* The linker sends all calls of malloc in this program here. */
void *__real_malloc(size_t size); /* NOLINT(bugprone-reserved-identifier): the linker's names */
void *__wrap_malloc(size_t size); /* NOLINT(bugprone-reserved-identifier) */
static int until_failure = -1;    /* number of allocations before the one that fails; < 0: none */

void *__wrap_malloc(size_t size) /* NOLINT(bugprone-reserved-identifier) */
{
    return until_failure >= 0 && until_failure-- == 0 ? NULL : __real_malloc(size);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    cr_assert_not_null(memory);
    return memory;
}

/* --- Data ------------------------------------------------------------------------------------- */

typedef enum Kind { CONSTANT, NOISE, SMALL_NOISE, RUNS, COPIES, TEXT, HALVES, KINDS } Kind;

static uint8_t byte_of(Kind kind, const uint8_t *data, size_t i, size_t size)
{
    static const char words[] = "the quick brown fox jumps over the lazy dog; ";
    switch (kind) {
    case CONSTANT:
        return 7;
    case NOISE:
        return (uint8_t)random_number();
    case SMALL_NOISE:
        return (uint8_t)(random_number() % 9 + random_number() % 9 - 8);
    case RUNS:
        return i > 0 && random_number() % 50 > 0 ? data[i - 1] : (uint8_t)(random_number() % 3);
    case COPIES:
        return i > 90 && random_number() % 12 > 0 ? data[i - 90] : (uint8_t)(random_number() % 5);
    case TEXT:
        return (uint8_t)words[(i + i / 300 * 7) % (sizeof words - 1)];
    default:
        return (uint8_t)(random_number() % 15 + (i < size / 2 ? 0 : 100));
    }
}

/* Returns data in an allocation of exactly `size` bytes, so that a sanitizer reports a read past
 * the end. */
static uint8_t *make_data(Kind kind, size_t size)
{
    uint8_t *data = allocate(size);
    for (size_t i = 0; i < size; i++)
        data[i] = byte_of(kind, data, i, size);
    return data;
}

/* --- Streams ---------------------------------------------------------------------------------- */

static void expect_zlib(uint8_t *stream, size_t size, const uint8_t *data, size_t data_size)
{
    uint8_t *back = allocate(data_size + 1);
    z_stream z = {.next_in = stream, .avail_in = (uInt)size};
    z.next_out = back;
    z.avail_out = (uInt)data_size + 1;
    cr_assert_eq(inflateInit2(&z, -15), Z_OK);
    cr_assert_eq(inflate(&z, Z_FINISH), Z_STREAM_END, "%s", z.msg != NULL ? z.msg : "no end");
    cr_assert_eq(z.avail_in, 0);
    cr_assert_eq(z.total_out, data_size);
    cr_assert_arr_eq(back, data, data_size);
    inflateEnd(&z);
    free(back);
}

static void expect_ours(const uint8_t *stream, size_t size, const uint8_t *data, size_t data_size)
{
    ImgInflate *inflate = allocate(sizeof *inflate);
    uint8_t *copy = allocate(size + IMG_INFLATE_DATA_SLACK);
    uint8_t *back = allocate(data_size + IMG_INFLATE_ROOM_SLACK);
    memcpy(copy, stream, size);
    memset(copy + size, 0, IMG_INFLATE_DATA_SLACK);
    const ImgInflateData whole = {copy, 0, size, true};
    ImgInflateRoom room = {back, back, back + data_size + 1};
    img_inflate_start(inflate, 0);
    cr_assert_eq(img_inflate(inflate, &whole, &room, false), IMG_INFLATE_END);
    cr_assert_eq((size_t)(room.at - back), data_size);
    cr_assert_arr_eq(back, data, data_size);
    free(inflate);
    free(copy);
    free(back);
}

static size_t room_for(size_t size)
{
    return size + size / 1000 + 100;
}

/* Deflates with a given effort. The caller frees the stream. */
static uint8_t *deflate_with(ImgExactEffort effort, const uint8_t *data, size_t size, bool last,
                             size_t *written)
{
    uint8_t *out = allocate(room_for(size) + IMG_BITS_SLACK);
    ImgExact *work = img_exact_create(size);
    cr_assert_not_null(work);
    *written = img_deflate_exact(work, &effort, data, size, last, out, room_for(size));
    cr_assert(*written > 0 && *written <= room_for(size), "%zu bytes become %zu", size, *written);
    img_exact_free(work);
    return out;
}

static void expect_identity(int effort, const uint8_t *data, size_t size)
{
    size_t written;
    uint8_t *out = deflate_with(img_exact_effort(effort), data, size, true, &written);
    expect_zlib(out, written, data, size);
    expect_ours(out, written, data, size);
    free(out);
}

Test(png_exact, every_small_size_round_trips)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t size = 0; size <= 600; size += EVERY(7)) {
            uint8_t *data = make_data(kind, size);
            expect_identity(1 + (int)(size % IMG_EXACT_EFFORTS), data, size);
            free(data);
        }
}

Test(png_exact, large_sizes_round_trip)
{
    static const size_t sizes[] = {32767, 32768, 32769, 65535, 65536, 131073, 600001};
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = (size_t)kind % EVERY(7); i < 7; i += EVERY(7)) {
            uint8_t *data = make_data(kind, sizes[i]);
            expect_identity(1 + kind % 2, data, sizes[i]);
            free(data);
        }
}

Test(png_exact, pieces_form_one_stream)
{
    enum { SIZE = 50000, PIECE = 7001 };
    uint8_t *data = make_data(TEXT, SIZE), *stream = allocate(2 * SIZE);
    size_t at = 0, used = 0;
    while (used < SIZE) {
        const size_t size = SIZE - used < PIECE ? SIZE - used : PIECE;
        size_t written;
        uint8_t *out =
            deflate_with(img_exact_effort(1), data + used, size, used + size == SIZE, &written);
        memcpy(stream + at, out, written);
        free(out);
        at += written;
        used += size;
    }
    expect_zlib(stream, at, data, SIZE);
    free(stream);
    free(data);
}

/* The kind of a stream's first block, by the two bits after the first one. */
static int first_kind(Kind kind, size_t size)
{
    size_t written;
    uint8_t *data = make_data(kind, size);
    uint8_t *out = deflate_with(img_exact_effort(2), data, size, true, &written);
    const int first = out[0] >> 1 & 3;
    free(out);
    free(data);
    return first;
}

Test(png_exact, each_kind_of_block_is_used_where_it_is_smallest)
{
    enum { STORED, FIXED, DYNAMIC };
    cr_expect_eq(first_kind(NOISE, 1000), STORED);
    cr_expect_eq(first_kind(NOISE, 200000), STORED);
    cr_expect_eq(first_kind(CONSTANT, 1), FIXED);
    cr_expect_eq(first_kind(CONSTANT, 40), FIXED);
    cr_expect_eq(first_kind(HALVES, 20000), DYNAMIC);
}

/* Stored data takes 5 bytes for each 65535 bytes. An empty stream has 10 bits. 10 equal bytes are a
 * literal of 8 bits and a match of 7 + 5 bits, beside 3 bits of the block and 7 of its end. */
Test(png_exact, sizes_match_values_worked_out_by_hand)
{
    static const struct {
        Kind kind;
        size_t size, expected;
    } cases[] = {{NOISE, 65535, 65540}, {NOISE, 65536, 65546}, {NOISE, 0, 2}, {CONSTANT, 10, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t written;
        uint8_t *data = make_data(cases[i].kind, cases[i].size);
        free(deflate_with(img_exact_effort(1), data, cases[i].size, true, &written));
        cr_expect_eq(written, cases[i].expected, "%zu: %zu", cases[i].size, written);
        free(data);
    }
}

/* 15 random values and the end of the block take 4 bits each. Short matches occur, but take more.
 */
Test(png_exact, literals_win_over_short_matches)
{
    enum { SIZE = 40000 };
    uint8_t *data = make_data(HALVES, 2 * SIZE);
    size_t written;
    free(deflate_with(img_exact_effort(2), data, SIZE, true, &written));
    cr_expect_lt(written, SIZE / 2 + 100, "%zu", written);
    free(data);
}

/* Two halves with 15 values each take 4 bits for each byte in two blocks, and 5 bits in one. */
Test(png_exact, different_data_goes_to_different_blocks)
{
    enum { SIZE = 40000 };
    size_t one, two;
    ImgExactEffort effort = img_exact_effort(2);
    uint8_t *data = make_data(HALVES, SIZE);
    free(deflate_with(effort, data, SIZE, true, &two));
    effort.fine = 1;
    free(deflate_with(effort, data, SIZE, true, &one));
    cr_expect_lt(two, SIZE / 2 + 300);
    cr_expect_gt(one, SIZE / 2 + SIZE / 16);
    free(data);
}

/* A match reaches 32768 bytes back, and no further. */
Test(png_exact, distances_end_at_32768)
{
    enum { COPY = 100 };
    size_t sizes[2];
    for (size_t more = 0; more < 2; more++) {
        const size_t distance = IMG_DISTANCE_MOST + more, size = distance + COPY;
        uint8_t *data = make_data(NOISE, size);
        memcpy(data + distance, data, COPY);
        size_t written;
        uint8_t *out = deflate_with(img_exact_effort(1), data, size, true, &written);
        expect_zlib(out, written, data, size);
        sizes[more] = written;
        free(out);
        free(data);
    }
    cr_expect_gt(sizes[1], sizes[0] + COPY / 2);
}

Test(png_exact, the_output_keeps_to_its_buffer)
{
    enum { SIZE = 9000 };
    const ImgExactEffort effort = img_exact_effort(1);
    uint8_t *data = make_data(COPIES, SIZE);
    size_t whole;
    uint8_t *out = deflate_with(effort, data, SIZE, false, &whole);
    ImgExact *work = img_exact_create(SIZE);
    for (size_t room = 0; room < whole + 10; room += room < whole - 10 ? 97 : 1) {
        uint8_t *small = allocate(room + IMG_BITS_SLACK);
        const size_t made = img_deflate_exact(work, &effort, data, SIZE, false, small, room);
        cr_assert(made == 0 || made == whole, "%zu bytes of room", room);
        cr_assert(made <= room && (made > 0 || room < whole + IMG_PIECE_END_BYTES));
        cr_assert(made == 0 || memcmp(small, out, whole) == 0);
        free(small);
    }
    img_exact_free(work);
    free(out);
    free(data);
}

/* The working memory has the state of earlier data, which must not affect the output. */
Test(png_exact, the_output_does_not_depend_on_earlier_data)
{
    enum { MOST = 40000 };
    const ImgExactEffort effort = img_exact_effort(2);
    ImgExact *used = img_exact_create(MOST);
    uint8_t *again = allocate(room_for(MOST) + IMG_BITS_SLACK);
    for (int kind = 0; kind < KINDS; kind++) {
        const size_t size = (size_t)(MOST - 5003 * kind);
        size_t fresh;
        uint8_t *data = make_data(kind, size);
        uint8_t *first = deflate_with(effort, data, size, true, &fresh);
        cr_assert_eq(img_deflate_exact(used, &effort, data, size, true, again, room_for(size)),
                     fresh);
        cr_assert_arr_eq(again, first, fresh);
        free(first);
        free(data);
    }
    img_exact_free(used);
    free(again);
}

Test(png_exact, each_allocation_may_fail)
{
    enum { MOST = 50 };
    int failures = 0;
    for (ImgExact *work = NULL; work == NULL && failures < MOST; failures++) {
        until_failure = failures;
        work = img_exact_create(1000);
        until_failure = -1;
        img_exact_free(work);
        if (work != NULL)
            break;
    }
    cr_expect(failures > 3 && failures < MOST, "%d allocations", failures);
    img_exact_free(NULL);
}

/* The segments of large data bound the memory. */
Test(png_exact, memory_is_bounded)
{
    cr_expect_eq(img_exact_bytes(1 << 20), img_exact_bytes(INT32_MAX));
    cr_expect_leq(img_exact_bytes(INT32_MAX), 32 << 20);
    cr_expect_lt(img_exact_bytes(1000), 2 << 20);
}

/* --- The finder, beside a search of all distances --------------------------------------------- */

static uint32_t equal_bytes(const uint8_t *data, size_t size, size_t a, size_t b)
{
    uint32_t length = 0;
    while (length < IMG_LENGTH_MOST && b + length < size && data[a + length] == data[b + length])
        length++;
    return length;
}

/* Lists the nearest match of each length, and of matches with equal distance codes the longest. */
static uint32_t list_matches(const uint8_t *data, size_t size, size_t place, ImgExactSymbol *list)
{
    uint32_t count = 0, longest = IMG_LENGTH_LEAST - 1;
    for (size_t distance = 1; distance <= place && distance <= IMG_DISTANCE_MOST; distance++) {
        const uint32_t length = equal_bytes(data, size, place - distance, place);
        if (length <= longest)
            continue;
        const ImgExactSymbol match = img_exact_match(length, (uint32_t)distance);
        count -= count > 0 && img_exact_code(list[count - 1]) == img_exact_code(match);
        list[count++] = match;
        longest = length;
    }
    return count;
}

typedef struct Found {
    ImgExactFinder *finder;
    ImgExactMatches matches;
} Found;

static Found find_all(ImgExactFind *find, const uint8_t *data, size_t size)
{
    Found found = {allocate(sizeof(ImgExactFinder)), {0}};
    found.matches.room = size * IMG_DISTANCES + IMG_EXACT_POSITION_MOST_MATCHES;
    found.matches.starts = allocate((size + 1) * sizeof(uint32_t));
    found.matches.matches = allocate(found.matches.room * sizeof(ImgExactSymbol));
    img_exact_finder_begin(found.finder, data, size);
    cr_assert_eq(find(found.finder, 0, (uint32_t)size, UINT32_MAX, &found.matches), size);
    return found;
}

static void free_found(const Found *found)
{
    free(found->finder);
    free(found->matches.starts);
    free(found->matches.matches);
}

static void expect_all_matches(ImgExactFind *find, const uint8_t *data, size_t size, size_t step)
{
    const Found found = find_all(find, data, size);
    for (size_t i = 0; i < size; i += step) {
        ImgExactSymbol list[IMG_EXACT_POSITION_MOST_MATCHES];
        const uint32_t count = list_matches(data, size, i, list), start = found.matches.starts[i];
        cr_assert_eq(found.matches.starts[i + 1] - start, count, "at %zu", i);
        if (count > 0)
            cr_assert_arr_eq(found.matches.matches + start, list, count * sizeof *list);
    }
    free_found(&found);
}

/* Lists the variants of the finder that this processor has. Returns their number. */
static int finders(ImgExactFind **list)
{
    int count = 0;
    list[count++] = img_exact_find_portable;
#ifdef IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        list[count++] = img_exact_find_avx2;
#endif
    return count;
}

Test(png_exact, the_finder_finds_the_nearest_match_of_each_length)
{
    ImgExactFind *find[2];
    for (int v = finders(find) - 1; v >= 0; v--)
        for (int kind = 0; kind < KINDS; kind++) {
            uint8_t *small = make_data(kind, 3001), *large = make_data(kind, 70000);
            expect_all_matches(find[v], small, 3001, 1);
            expect_all_matches(find[v], large, 70000, 997 * EVERY(5));
            free(small);
            free(large);
        }
}

/* If memory for matches is short, the finder stops, and goes on where it stopped. */
Test(png_exact, the_finder_goes_on_after_a_pause)
{
    enum { SIZE = 5000, ROOM = 64 };
    uint8_t *data = make_data(COPIES, SIZE);
    const Found whole = find_all(img_exact_find_portable, data, SIZE);
    ImgExactSymbol some[ROOM];
    uint32_t starts[SIZE + 1];
    ImgExactMatches part = {starts, some, ROOM};
    img_exact_finder_begin(whole.finder, data, SIZE);
    for (uint32_t at = 0; at < SIZE;) {
        const uint32_t count =
            img_exact_find_portable(whole.finder, at, SIZE - at, UINT32_MAX, &part);
        cr_assert(count > 0 && starts[count] <= ROOM);
        cr_assert_eq(starts[count], whole.matches.starts[at + count] - whole.matches.starts[at]);
        cr_assert_arr_eq(some, whole.matches.matches + whole.matches.starts[at],
                         starts[count] * sizeof *some);
        at += count;
    }
    free_found(&whole);
    free(data);
}

/* --- The parse, beside one that tries all distances ------------------------------------------- */

/* Costs between half a bit and twelve bits. Those of distances rise, so that the nearest match of
 * a length is the cheapest. */
static void random_costs(ImgExactCosts *costs)
{
    for (int i = 0; i < IMG_LITERALS; i++)
        costs->literals[i] = 32 + (int32_t)(random_number() % 700);
    for (int i = 0; i <= IMG_LENGTH_MOST; i++)
        costs->lengths[i] = 32 + (int32_t)(random_number() % 700);
    for (int i = 0; i < IMG_DISTANCES; i++)
        costs->distances[i] =
            (i > 0 ? costs->distances[i - 1] : 32) + (int32_t)(random_number() % 60);
}

static int32_t least_cost(const uint8_t *data, size_t size, const ImgExactCosts *costs)
{
    int32_t *totals = allocate((size + 1) * sizeof *totals);
    totals[size] = 0;
    for (size_t at = size; at-- > 0;) {
        totals[at] = costs->literals[data[at]] + totals[at + 1];
        for (size_t distance = 1; distance <= at && distance <= IMG_DISTANCE_MOST; distance++) {
            const uint32_t most = equal_bytes(data, size, at - distance, at);
            const int32_t base = costs->distances[img_part_of_distance((uint32_t)distance).code];
            for (uint32_t length = IMG_LENGTH_LEAST; length <= most; length++) {
                const int32_t total = base + costs->lengths[length] + totals[at + length];
                totals[at] = total < totals[at] ? total : totals[at];
            }
        }
    }
    const int32_t least = totals[0];
    free(totals);
    return least;
}

static int32_t cost_of(const ImgExactSymbol *symbols, uint32_t count, const ImgExactCosts *costs)
{
    int32_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += img_exact_is_match(symbols[i]) ? costs->lengths[img_exact_length(symbols[i])] +
                                                      costs->distances[img_exact_code(symbols[i])]
                                                : costs->literals[symbols[i]];
    return total;
}

/* Checks that the symbols stand for the data. */
static void expect_symbols(const uint8_t *data, size_t size, const ImgExactSymbol *symbols,
                           uint32_t count)
{
    size_t at = 0;
    for (uint32_t i = 0; i < count; at += img_exact_bytes_of(symbols[i++])) {
        cr_assert_leq(at + img_exact_bytes_of(symbols[i]), size);
        if (!img_exact_is_match(symbols[i])) {
            cr_assert_eq(symbols[i], data[at]);
            continue;
        }
        const uint32_t distance = img_exact_distance(symbols[i]);
        cr_assert_leq(distance, at);
        cr_assert_eq(img_part_of_distance(distance).code, img_exact_code(symbols[i]));
        cr_assert_geq(equal_bytes(data, size, at - distance, at), img_exact_length(symbols[i]));
    }
    cr_assert_eq(at, size);
}

static void expect_least_cost(ImgExactParse *parse, const uint8_t *data, uint32_t size)
{
    ImgExactCosts costs;
    const Found found = find_all(img_exact_find_portable, data, size);
    ImgExactPaths paths = {allocate((size + 1) * sizeof(int32_t)),
                           allocate((size + 1) * sizeof(ImgExactSymbol))};
    random_costs(&costs);
    paths.totals[size] = 0;
    /* Two ranges give the same as one. */
    parse(data, &found.matches, &costs, size / 3, size, size, &paths);
    parse(data, &found.matches, &costs, 0, size / 3, size, &paths);
    const int32_t total = paths.totals[0];
    cr_assert_eq(total, least_cost(data, size, &costs));
    const uint32_t count = img_exact_follow(&paths, size);
    expect_symbols(data, size, paths.symbols, count);
    cr_assert_eq(cost_of(paths.symbols, count, &costs), total);
    free(paths.totals);
    free(paths.symbols);
    free_found(&found);
}

Test(png_exact, the_parse_costs_least)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t size = 1; size < 1200; size += 149 * EVERY(3)) {
            uint8_t *data = make_data(kind, size);
            expect_least_cost(img_exact_parse_portable, data, size);
#ifdef IMGTOOL_X86
            if (img_cpu_level() >= IMG_CPU_AVX2)
                expect_least_cost(img_exact_parse_avx2, data, size);
#endif
            free(data);
        }
}

/* A farther match whose distance code is cheaper serves short lengths, too: "abc" occurs 4 bytes
 * back, and "abcd" 9 bytes back. With free distances of code 6 (9 to 12), it is taken. */
Test(png_exact, a_cheap_distance_serves_all_lengths)
{
    static const uint8_t data[] = "abcd.abcxabcd";
    enum { SIZE = sizeof data - 1 };
    ImgExactCosts costs;
    const Found found = find_all(img_exact_find_portable, data, SIZE);
    int32_t totals[SIZE + 1] = {0};
    ImgExactSymbol symbols[SIZE + 1];
    const ImgExactPaths paths = {totals, symbols};
    for (int i = 0; i < IMG_LITERALS; i++)
        costs.literals[i] = i == 'd' ? 1 : 500;
    for (int i = 0; i <= IMG_LENGTH_MOST; i++)
        costs.lengths[i] = i == 3 ? 10 : 400;
    for (int i = 0; i < IMG_DISTANCES; i++)
        costs.distances[i] = i == 6 ? 0 : 300;
    img_exact_parse(data, &found.matches, &costs, 0, SIZE, SIZE, &paths);
    cr_expect_eq(symbols[9], img_exact_match(3, 9));
    free_found(&found);
}

/* --- Codes ------------------------------------------------------------------------------------ */

static uint64_t bits_of(const uint32_t *counts, const uint8_t *lengths, int symbols)
{
    uint64_t bits = 0;
    for (int i = 0; i < symbols; i++)
        bits += (uint64_t)counts[i] * lengths[i];
    return bits;
}

static unsigned claimed(const uint8_t *lengths, int symbols, int limit)
{
    unsigned sum = 0;
    for (int i = 0; i < symbols; i++)
        sum += lengths[i] > 0 ? 1U << (limit - lengths[i]) : 0;
    return sum;
}

/* Returns the size of the best code with lengths up to `limit`, by trying all of them. */
static uint64_t least_bits(const uint32_t *counts, int symbols, int limit)
{
    uint8_t lengths[8];
    uint64_t least = UINT64_MAX;
    memset(lengths, 1, sizeof lengths);
    for (int at = 0; at < symbols;) {
        if (claimed(lengths, symbols, limit) <= 1U << limit) {
            const uint64_t bits = bits_of(counts, lengths, symbols);
            least = bits < least ? bits : least;
        }
        for (at = 0; at < symbols && lengths[at] == limit; at++)
            lengths[at] = 1;
        if (at < symbols)
            lengths[at]++;
    }
    return least;
}

Test(png_exact, codes_of_limited_length_are_optimal)
{
    for (int round = 0; round < 200 / EVERY(10); round++) {
        const int symbols = 5 + round % 3, limit = 3 + round % 2;
        uint32_t counts[8];
        uint8_t lengths[8];
        for (int i = 0; i < symbols; i++)
            counts[i] = 1 + random_number() % (1U << random_number() % 12);
        img_exact_lengths(counts, symbols, limit, lengths);
        cr_assert_eq(claimed(lengths, symbols, limit), 1U << limit);
        cr_assert_eq(bits_of(counts, lengths, symbols), least_bits(counts, symbols, limit));
    }
}

/* Fibonacci numbers give the deepest trees. The code is complete, and no larger than that of the
 * plain method. */
Test(png_exact, deep_codes_are_limited)
{
    uint32_t counts[IMG_SYMBOLS] = {1, 1};
    uint8_t lengths[IMG_SYMBOLS], usual[IMG_SYMBOLS];
    for (int i = 2; i < 40; i++)
        counts[i] = counts[i - 1] + counts[i - 2];
    img_exact_lengths(counts, IMG_SYMBOLS, IMG_CODE_MOST, lengths);
    img_huffman_lengths(counts, IMG_SYMBOLS, IMG_CODE_MOST, usual);
    cr_expect_eq(claimed(lengths, IMG_SYMBOLS, IMG_CODE_MOST), 1U << IMG_CODE_MOST);
    cr_expect_leq(bits_of(counts, lengths, IMG_SYMBOLS), bits_of(counts, usual, IMG_SYMBOLS));
}

/* Levelling costs less than a bit for each symbol of the first four, and
 * far more between 2 and 100. */
Test(png_exact, similar_counts_become_equal)
{
    static const uint32_t counts[] = {1, 2, 1, 2, 1000, 1, 990};
    uint32_t levelled[7];
    img_exact_level_counts(counts, 7, 1, levelled);
    for (int i = 1; i < 4; i++)
        cr_expect_eq(levelled[i], levelled[0]);
    cr_expect_eq(levelled[4], 1000);
    cr_expect_eq(levelled[5], 1);
    cr_expect_eq(levelled[6], 990);
}

static void random_lengths(int symbols, uint8_t *lengths)
{
    uint32_t counts[IMG_SYMBOLS];
    const uint32_t zeros = random_number() % 20, spread = 1 + random_number() % 5000;
    for (int i = 0; i < symbols; i++)
        counts[i] = random_number() % 20 < zeros ? 0 : 1 + random_number() % spread;
    img_huffman_lengths(counts, symbols, IMG_CODE_MOST, lengths);
}

/* The header has the size that is stated, is no larger than the usual one, and zlib reads it: a
 * block with nothing but its end. */
Test(png_exact, headers_are_small_and_valid)
{
    for (int round = 0; round < 500 / EVERY(10); round++) {
        uint8_t literals[IMG_SYMBOLS], distances[IMG_DISTANCES], out[IMG_HEADER_MOST_BYTES + 64];
        uint16_t codes[IMG_SYMBOLS];
        random_lengths(IMG_DISTANCES, distances);
        do
            random_lengths(IMG_SYMBOLS, literals);
        while (literals[IMG_END_OF_BLOCK] == 0);
        ImgBits bits = {out, 0, 0};
        img_bits_put(&bits, 5, 3);
        img_exact_put_header(&bits, literals, distances);
        const size_t written = (size_t)(bits.out - out) * 8 + bits.count - 3;
        cr_assert_eq(written, img_exact_header_bits(literals, distances));
        cr_assert_leq(written, img_huffman_header_bits(literals, distances));
        img_huffman_codes(literals, IMG_SYMBOLS, codes);
        img_bits_put(&bits, codes[IMG_END_OF_BLOCK], literals[IMG_END_OF_BLOCK]);
        img_bits_align(&bits);
        expect_zlib(out, (size_t)(bits.out - out), (const uint8_t *)"", 0);
    }
}
