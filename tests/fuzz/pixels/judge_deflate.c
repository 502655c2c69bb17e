/* Checks imgtool's deflate methods by inflating their results with zlib: see judge_codec.h. */
#include "tests/fuzz/pixels/judge_codec.h"

#include <string.h>
#include <zlib.h>

#include "io/png/deflate/deflate_runs.h"
#include "io/png/deflate/lz77.h"
#include "io/png/deflate/matches.h"
#include "io/png/deflate/search.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/fuzz/bytes.h"

typedef enum Kind { BY_RUNS, BY_LZ77, BY_MATCHES, BY_SEARCH, STORED, KINDS } Kind;

/* A deflate method and its parameters. */
typedef struct Method {
    Kind kind;
    unsigned step;        /* parameter of BY_RUNS */
    int level;            /* parameter of BY_SEARCH */
    ImgMatchRows rows;    /* parameter of BY_MATCHES */
    ImgLz77Effort effort; /* parameter of BY_LZ77 */
} Method;

static ImgMatchRows choose_rows(Choices *choices)
{
    static const uint32_t pixels[] = {1, 2, 3, 4, 6, 8};
    ImgMatchRows rows = {.pixel = pixels[choose_below(choices, 6)]};
    rows.hashed = choose_below(choices, 2) > 0 ? 6 : 4;
    rows.stride = 1 + rows.pixel * (1 + choose_byte(choices));
    return rows;
}

static Method choose_method(Choices *choices)
{
    Method method = {.kind = (Kind)choose_below(choices, KINDS)};
    method.step = 1 + choose_below(choices, 8);
    if (method.kind == BY_MATCHES)
        method.rows = choose_rows(choices);
    if (method.kind == BY_SEARCH)
        method.level = 1 + (int)choose_below(choices, 12);
    if (method.kind == BY_LZ77)
        method.effort = (ImgLz77Effort){.least = (ImgLz77Least)choose_below(choices, 3),
                                        .depth = 1 + choose_below(choices, 64),
                                        .enough = 8 + choose_byte(choices),
                                        .lazy = choose_byte(choices),
                                        .head = choose_byte(choices),
                                        .tail = choose_byte(choices)};
    return method;
}

/* A part of the data, deflated. */
typedef struct Piece {
    uint8_t *bytes; /* owned */
    size_t size;
    /* starts of the blocks, owned; `bits` is NULL if the method does not report them */
    ImgBlockStarts starts;
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
    &img_runs_avx2,
    &img_runs_vbmi,
#endif
};

/* Returns true if the processor supports this version. img_runs_loops returns the fastest version,
 * which uses VBMI, only if the processor has VBMI. */
static bool runs_here(const ImgRunsLoops *loops)
{
#ifdef IMGTOOL_X86
    if (loops == &img_runs_avx2)
        return img_cpu_level() >= IMG_CPU_AVX2;
#endif
    return loops == &img_runs_portable || loops == img_runs_loops();
}

static Piece by_runs(const Method *method, const ImgRunsLoops *loops, const uint8_t *data,
                     size_t size, bool last)
{
    static ImgRunsScratch *work;
    if (work == NULL)
        work = allocate(sizeof *work);
    work->loops = loops;
    work->sample_step = method->step;
    Piece piece = {.bytes = allocate(img_deflate_runs_bound(size))};
    piece.starts.bits = allocate(img_block_starts_most(size) * sizeof *piece.starts.bits);
    piece.size = img_deflate_runs(work, data, size, last, piece.bytes, &piece.starts);
    expect(piece.size > 0 && piece.size <= img_deflate_runs_bound(size) &&
               piece.starts.count <= img_block_starts_most(size),
           "runs: %zu bytes become %zu", size, piece.size);
    return piece;
}

static Piece by_every_version_of_runs(const Method *method, const uint8_t *data, size_t size,
                                      bool last)
{
    const Piece first = by_runs(method, LOOPS[0], data, size, last);
    for (size_t i = 1; i < sizeof LOOPS / sizeof LOOPS[0]; i++) {
        if (!runs_here(LOOPS[i]))
            continue;
        Piece other = by_runs(method, LOOPS[i], data, size, last);
        expect(other.size == first.size && memcmp(other.bytes, first.bytes, first.size) == 0,
               "runs: version %zu gives different bytes", i);
        expect(other.starts.count == first.starts.count &&
                   memcmp(other.starts.bits, first.starts.bits,
                          first.starts.count * sizeof *first.starts.bits) == 0,
               "runs: version %zu reports other blocks", i);
        piece_free(&other);
    }
    return first;
}

static Piece by_lz77_in(const Method *method, const uint8_t *data, size_t size, bool last,
                        size_t room)
{
    static ImgLz77 *work; /* kept, to test that earlier pieces do not affect the result */
    if (work == NULL)
        work = img_lz77_create();
    expect(work != NULL, "no memory");
    Piece piece = {.bytes = allocate(room + IMG_BITS_SLACK)};
    piece.starts.bits = allocate(img_block_starts_most(size) * sizeof *piece.starts.bits);
    piece.size =
        img_deflate_lz77(work, &method->effort, data, size, last, piece.bytes, room, &piece.starts);
    expect(piece.size <= room && piece.starts.count <= img_block_starts_most(size),
           "LZ77: %zu bytes in room for %zu", piece.size, room);
    return piece;
}

static Piece by_matches_in(const Method *method, const uint8_t *data, size_t size, bool last,
                           size_t room)
{
    static ImgMatches *work; /* kept, to test that earlier pieces do not affect the result */
    if (work == NULL)
        work = img_matches_create();
    expect(work != NULL, "no memory");
    Piece piece = {.bytes = allocate(room + IMG_BITS_SLACK)},
          reference = {.bytes = allocate(room + IMG_BITS_SLACK)};
    piece.starts.bits = allocate(img_block_starts_most(size) * sizeof *piece.starts.bits);
    piece.size = img_deflate_matches(work, &method->rows, data, size, last, piece.bytes, room,
                                     &piece.starts);
    reference.size =
        img_deflate_matches_reference(&method->rows, data, size, last, reference.bytes, room, NULL);
    expect(piece.size <= room && piece.starts.count <= img_block_starts_most(size),
           "matches: %zu bytes in room for %zu", piece.size, room);
    expect(pieces_equal(&piece, &reference), "matches: %zu bytes become %zu, by the reference %zu",
           size, piece.size, reference.size);
    if (last && piece.size > 0) {
        const size_t measured = img_deflated_matches(work, &method->rows, data, size);
        expect(measured == piece.size, "matches: %zu bytes, measured %zu", piece.size, measured);
    }
    piece_free(&reference);
    return piece;
}

typedef Piece InRoom(const Method *method, const uint8_t *data, size_t size, bool last,
                     size_t room);

/* Deflates twice, with enough room and with less: share / 255 of the size of the first result. With
 * less room the method must return 0 or the same bytes. Returns the first result. */
static Piece with_less_room(InRoom *deflate, const Method *method, const uint8_t *data, size_t size,
                            bool last, unsigned share)
{
    const Piece whole = deflate(method, data, size, last, 2 * size + 1000);
    Piece less = deflate(method, data, size, last, whole.size * share / 255);
    expect(whole.size > 0, "no result although there is enough room");
    expect(less.size == 0 || pieces_equal(&less, &whole),
           "%zu bytes become %zu, but %zu different bytes in room for %zu", size, whole.size,
           less.size, whole.size * share / 255);
    piece_free(&less);
    return whole;
}

static Piece by_search(const Method *method, const uint8_t *data, size_t size, bool last)
{
    static ImgSearch *searches[13];
    ImgSearch **search = &searches[method->level];
    if (*search == NULL)
        *search = img_search_create(method->level);
    expect(*search != NULL, "no memory");
    Piece piece = {.bytes = allocate(img_deflate_search_bound(size))};
    piece.size = img_deflate_search(*search, data, size, last, piece.bytes);
    expect(piece.size > 0 && piece.size <= img_deflate_search_bound(size),
           "search: %zu bytes become %zu", size, piece.size);
    return piece;
}

static Piece stored(const uint8_t *data, size_t size, bool last)
{
    Piece piece = {.bytes = allocate(img_deflate_runs_bound(size))};
    piece.size = img_deflate_stored(data, size, last, piece.bytes);
    expect(piece.size > size && piece.size <= img_deflate_runs_bound(size),
           "stored: %zu bytes become %zu", size, piece.size);
    return piece;
}

static Piece deflate_by(const Method *method, const uint8_t *data, size_t size, bool last,
                        unsigned share)
{
    switch (method->kind) {
    case BY_RUNS:
        return by_every_version_of_runs(method, data, size, last);
    case BY_LZ77:
        return with_less_room(by_lz77_in, method, data, size, last, share);
    case BY_MATCHES:
        return with_less_room(by_matches_in, method, data, size, last, share);
    case BY_SEARCH:
        return by_search(method, data, size, last);
    case STORED:
    case KINDS:
        break;
    }
    return stored(data, size, last);
}

/* Checks the block starts that the method reported. The piece must be a whole stream. */
static void judge_starts(const Piece *piece)
{
    enum { MOST = 64 };
    uint64_t begins[MOST];
    if (piece->starts.bits == NULL || piece->starts.count > MOST)
        return;
    const size_t count = list_blocks(piece->bytes, piece->size, begins, MOST);
    expect(count == piece->starts.count, "%zu blocks, but %zu reported", count,
           piece->starts.count);
    for (size_t i = 0; i < count; i++)
        expect(begins[i] == piece->starts.bits[i], "block %zu begins at bit %llu, reported %u", i,
               (unsigned long long)begins[i], piece->starts.bits[i]);
}

void judge_deflate(Choices *choices, const uint8_t *data, size_t size)
{
    FuzzBytes stream = {0};
    const unsigned pieces = 1 + choose_below(choices, 3);
    size_t done = 0;
    for (unsigned i = 0; i < pieces && done < size; i++) {
        const Method method = choose_method(choices);
        const unsigned share = choose_byte(choices);
        const size_t left = size - done;
        const bool last = i + 1 == pieces || left == 1;
        const size_t now = last ? left : 1 + (left - 1) * choose_byte(choices) / 256;
        const bool ends = done + now == size;
        uint8_t *exact = allocate(now);
        memcpy(exact, data + done, now);
        Piece piece = deflate_by(&method, exact, now, ends, share);
        if (ends && done == 0)
            judge_starts(&piece);
        fuzz_put(&stream, piece.bytes, piece.size);
        done += now;
        piece_free(&piece);
        free(exact);
    }
    Inflated back = zlib_inflated(stream.data, stream.size);
    expect(back.is_sound && back.used == stream.size, "zlib rejects the stream, or data follow it");
    expect(back.size == size && memcmp(back.bytes, data, size) == 0,
           "zlib inflates different bytes");
    (void)judge_inflate(stream.data, stream.size, (JudgeCuts){1000, 5000, 0});
    free(back.bytes);
    free(stream.data);
}
