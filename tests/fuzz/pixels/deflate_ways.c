/* See deflate_ways.h. */
#include "tests/fuzz/pixels/deflate_ways.h"

#include <string.h>
#include <zlib.h>

#include "io/png/deflate/deflate_runs.h"
#include "io/png/deflate/lz77.h"
#include "io/png/deflate/matches.h"
#include "io/png/deflate/search.h"
#include "kernels/core/cpu.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/pixels/judge_inflate.h"

typedef enum Kind { BY_RUNS, BY_LZ77, BY_MATCHES, BY_SEARCH, STORED, KINDS } Kind;

typedef struct Way {
    Kind kind;
    unsigned step; /* of BY_RUNS */
    int level;     /* of BY_SEARCH */
    ImgMatchRows rows;
    ImgLz77Effort effort;
} Way;

static ImgMatchRows choose_rows(Choices *choices)
{
    static const uint32_t pixels[] = {1, 2, 3, 4, 6, 8};
    ImgMatchRows rows = {.pixel = pixels[choose_below(choices, 6)]};
    rows.hashed = choose_below(choices, 2) > 0 ? 6 : 4;
    rows.stride = 1 + rows.pixel * (1 + choose_byte(choices));
    return rows;
}

static Way choose_way(Choices *choices)
{
    Way way = {.kind = (Kind)choose_below(choices, KINDS)};
    way.step = 1 + choose_below(choices, 8);
    if (way.kind == BY_MATCHES)
        way.rows = choose_rows(choices);
    if (way.kind == BY_SEARCH)
        way.level = 1 + (int)choose_below(choices, 12);
    if (way.kind == BY_LZ77)
        way.effort = (ImgLz77Effort){.least = (ImgLz77Least)choose_below(choices, 3),
                                     .depth = 1 + choose_below(choices, 64),
                                     .enough = 8 + choose_byte(choices),
                                     .lazy = choose_byte(choices),
                                     .head = choose_byte(choices),
                                     .tail = choose_byte(choices)};
    return way;
}

/* What became of a piece. Owned. */
typedef struct Piece {
    uint8_t *bytes;
    size_t size;
    ImgBlockStarts starts; /* of those ways that tell */
} Piece;

static void piece_free(Piece *piece)
{
    free(piece->bytes);
    free(piece->starts.bits);
}

static bool pieces_equal(const Piece *a, const Piece *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static const ImgRunsLoops *const LOOPS[] = {
    &img_runs_portable,
#ifdef IMGTOOL_X86
    &img_runs_avx2, &img_runs_vbmi, /* where the processor has it, it is the fastest */
#endif
};

static bool runs_here(const ImgRunsLoops *loops)
{
#ifdef IMGTOOL_X86
    if (loops == &img_runs_avx2)
        return img_cpu_level() >= IMG_CPU_AVX2;
#endif
    return loops == &img_runs_portable || loops == img_runs_loops();
}

static Piece by_runs(const Way *way, const ImgRunsLoops *loops, const uint8_t *data, size_t size,
                     bool last)
{
    static ImgRunsWork *work;
    if (work == NULL)
        work = need(sizeof *work);
    work->loops = loops;
    work->sample_step = way->step;
    Piece piece = {.bytes = need(img_deflate_runs_bound(size))};
    piece.starts.bits = need(img_block_starts_most(size) * sizeof *piece.starts.bits);
    piece.size = img_deflate_runs(work, data, size, last, piece.bytes, &piece.starts);
    expect(piece.size > 0 && piece.size <= img_deflate_runs_bound(size) &&
               piece.starts.count <= img_block_starts_most(size),
           "runs: %zu bytes become %zu", size, piece.size);
    return piece;
}

static Piece by_every_version_of_runs(const Way *way, const uint8_t *data, size_t size, bool last)
{
    const Piece first = by_runs(way, LOOPS[0], data, size, last);
    for (size_t i = 1; i < sizeof LOOPS / sizeof LOOPS[0]; i++) {
        if (!runs_here(LOOPS[i]))
            continue;
        Piece other = by_runs(way, LOOPS[i], data, size, last);
        expect(other.size == first.size && memcmp(other.bytes, first.bytes, first.size) == 0,
               "runs: version %zu gives other bytes", i);
        expect(other.starts.count == first.starts.count &&
                   memcmp(other.starts.bits, first.starts.bits,
                          first.starts.count * sizeof *first.starts.bits) == 0,
               "runs: version %zu tells of other blocks", i);
        piece_free(&other);
    }
    return first;
}

static Piece by_lz77_in(const Way *way, const uint8_t *data, size_t size, bool last, size_t room)
{
    static ImgLz77 *work; /* what it remembers of other pieces does not show */
    if (work == NULL)
        work = img_lz77_create();
    expect(work != NULL, "no memory");
    Piece piece = {.bytes = need(room + IMG_BITS_SLACK)};
    piece.starts.bits = need(img_block_starts_most(size) * sizeof *piece.starts.bits);
    piece.size =
        img_deflate_lz77(work, &way->effort, data, size, last, piece.bytes, room, &piece.starts);
    expect(piece.size <= room && piece.starts.count <= img_block_starts_most(size),
           "LZ77: %zu bytes in room for %zu", piece.size, room);
    return piece;
}

static Piece by_matches_in(const Way *way, const uint8_t *data, size_t size, bool last, size_t room)
{
    static ImgMatches *work; /* it keeps nothing of other pieces */
    if (work == NULL)
        work = img_matches_create();
    expect(work != NULL, "no memory");
    Piece piece = {.bytes = need(room + IMG_BITS_SLACK)},
          reference = {.bytes = need(room + IMG_BITS_SLACK)};
    piece.starts.bits = need(img_block_starts_most(size) * sizeof *piece.starts.bits);
    piece.size =
        img_deflate_matches(work, &way->rows, data, size, last, piece.bytes, room, &piece.starts);
    reference.size =
        img_deflate_matches_reference(&way->rows, data, size, last, reference.bytes, room, NULL);
    expect(piece.size <= room && piece.starts.count <= img_block_starts_most(size),
           "matches: %zu bytes in room for %zu", piece.size, room);
    expect(pieces_equal(&piece, &reference), "matches: %zu bytes become %zu, by the reference %zu",
           size, piece.size, reference.size);
    if (last && piece.size > 0) {
        const size_t measured = img_deflated_matches(work, &way->rows, data, size);
        expect(measured == piece.size, "matches: %zu bytes, measured %zu", piece.size, measured);
    }
    piece_free(&reference);
    return piece;
}

typedef Piece InRoom(const Way *way, const uint8_t *data, size_t size, bool last, size_t room);

/* Either it fits, and is the same, or there is nothing. */
static Piece with_less_room(InRoom *deflate, const Way *way, const uint8_t *data, size_t size,
                            bool last, unsigned share)
{
    const Piece whole = deflate(way, data, size, last, 2 * size + 1000);
    Piece less = deflate(way, data, size, last, whole.size * share / 255);
    expect(whole.size > 0, "nothing in room enough");
    expect(less.size == 0 || pieces_equal(&less, &whole),
           "%zu bytes become %zu, and others, %zu, in room for %zu", size, whole.size, less.size,
           whole.size * share / 255);
    piece_free(&less);
    return whole;
}

static Piece by_search(const Way *way, const uint8_t *data, size_t size, bool last)
{
    static ImgSearch *searches[13];
    ImgSearch **search = &searches[way->level];
    if (*search == NULL)
        *search = img_search_create(way->level);
    expect(*search != NULL, "no memory");
    Piece piece = {.bytes = need(img_deflate_search_bound(size))};
    piece.size = img_deflate_search(*search, data, size, last, piece.bytes);
    expect(piece.size > 0 && piece.size <= img_deflate_search_bound(size),
           "search: %zu bytes become %zu", size, piece.size);
    return piece;
}

static Piece stored(const uint8_t *data, size_t size, bool last)
{
    Piece piece = {.bytes = need(img_deflate_runs_bound(size))};
    piece.size = img_deflate_stored(data, size, last, piece.bytes);
    expect(piece.size > size && piece.size <= img_deflate_runs_bound(size),
           "stored: %zu bytes become %zu", size, piece.size);
    return piece;
}

static Piece deflate_by(const Way *way, const uint8_t *data, size_t size, bool last, unsigned share)
{
    switch (way->kind) {
    case BY_RUNS:
        return by_every_version_of_runs(way, data, size, last);
    case BY_LZ77:
        return with_less_room(by_lz77_in, way, data, size, last, share);
    case BY_MATCHES:
        return with_less_room(by_matches_in, way, data, size, last, share);
    case BY_SEARCH:
        return by_search(way, data, size, last);
    case STORED:
    case KINDS:
        break;
    }
    return stored(data, size, last);
}

/* Of a piece that is a stream by itself. */
static void judge_starts(const Piece *piece)
{
    enum { MOST = 64 };
    uint64_t begins[MOST];
    if (piece->starts.bits == NULL || piece->starts.count > MOST)
        return;
    const size_t count = list_blocks(piece->bytes, piece->size, begins, MOST);
    expect(count == piece->starts.count, "%zu blocks, %zu are told of", count, piece->starts.count);
    for (size_t i = 0; i < count; i++)
        expect(begins[i] == piece->starts.bits[i], "block %zu begins at bit %llu, not %u", i,
               (unsigned long long)begins[i], piece->starts.bits[i]);
}

void judge_deflate(Choices *choices, const uint8_t *data, size_t size)
{
    FuzzBytes stream = {0};
    const unsigned pieces = 1 + choose_below(choices, 3);
    size_t done = 0;
    for (unsigned i = 0; i < pieces && done < size; i++) {
        const Way way = choose_way(choices);
        const unsigned share = choose_byte(choices);
        const size_t left = size - done;
        const bool last = i + 1 == pieces || left == 1;
        const size_t now = last ? left : 1 + (left - 1) * choose_byte(choices) / 256;
        const bool ends = done + now == size;
        uint8_t *exact = need(now);
        memcpy(exact, data + done, now);
        Piece piece = deflate_by(&way, exact, now, ends, share);
        if (ends && done == 0)
            judge_starts(&piece);
        fuzz_put(&stream, piece.bytes, piece.size);
        done += now;
        piece_free(&piece);
        free(exact);
    }
    Inflated back = zlib_inflated(stream.data, stream.size);
    expect(back.is_sound && back.used == stream.size, "zlib refuses it, or what follows its end");
    expect(back.size == size && memcmp(back.bytes, data, size) == 0, "zlib inflates other bytes");
    (void)judge_inflate(stream.data, stream.size, (JudgeCuts){1000, 5000, 0});
    free(back.bytes);
    free(stream.data);
}
