#include "tests/checkcodec/match_units.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/cuda/matches/match_job.h"
#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"
#include "io/png/deflate/matches.h"

enum {
    POISON = 0xA5,        /* initial content of arrays on the device */
    TOKEN_BYTES_MOST = 6, /* 48 bits: up to 20 for a length and 28 for a distance */
    HEADER_BITS_MOST = 32 * MATCH_HEADER_WORDS,
    BLOCK_BYTES_MOST = 4 * MATCH_HEADER_WORDS + IMG_BITS_SLACK,
    /* first bit of a code's length in an entry of the table of codes; the code is in lower bits */
    SHIFT_OF_LENGTH = 24,
    CODE_MASK = (1 << SHIFT_OF_LENGTH) - 1,
    LENGTH_MASK = (1 << MATCH_FROM_SHIFT) - 1,
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Exits with the message `what` if `holds` is false, for example because there is no memory. */
static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "matches: %s\n", what);
    exit(1);
}

static void *memory(size_t size)
{
    void *bytes = malloc(size > 0 ? size : 1);
    must(bytes != NULL, "no memory");
    return bytes;
}

/* --- Data on the device ----------------------------------------------------------------------- */

/* An array on the device and its copy on the host. */
typedef struct Array {
    void *device, *host;
    size_t size;
} Array;

/* Indices of the arrays that a MatchJob consists of. */
typedef enum Part {
    DATA,
    UNITS,
    LITERALS,
    BACK,
    MATCHES,
    EXITS,
    MARKS,
    COUNTS,
    SEGMENTS,
    BLOCKS,
    CODES,
    HEADERS,
    PARTS,
} Part;

typedef struct Engine {
    ImgMatchRows rows;
    uint32_t count, most;      /* number of units, and size of the largest in bytes */
    uint32_t segments, blocks; /* upper bounds for all units together */
    Array parts[PARTS];
} Engine;

static void add_part(Engine *engine, Part part, size_t size, bool is_zero)
{
    Array *array = &engine->parts[part];
    array->size = size;
    array->host = memory(size);
    memset(array->host, is_zero ? 0 : POISON, size);
    must(cudaMalloc(&array->device, size) == cudaSuccess, "no memory on the device");
}

/* Places the data of the units in memory, one after another. The last byte of a unit is repeated
 * after the unit. The kernels must not continue a run of equal bytes into these copies. */
static void place_units(Engine *engine, const MatchData *units)
{
    uint8_t *bytes = engine->parts[DATA].host;
    const uint8_t *on_device = engine->parts[DATA].device;
    MatchUnit *placed = engine->parts[UNITS].host;
    size_t at = 0;
    uint32_t segments = 0, blocks = 0;
    for (uint32_t i = 0; i < engine->count; i++) {
        at += units[i].gap;
        placed[i] = (MatchUnit){.data = on_device + at,
                                .size = units[i].size,
                                .first_segment = segments,
                                .first_block = blocks};
        if (units[i].size > 0) {
            memcpy(bytes + at, units[i].bytes, units[i].size);
            at += units[i].size;
            memset(bytes + at, bytes[at - 1], least(engine->parts[DATA].size - at, MATCH_TAIL));
        }
        segments += match_segments(units[i].size);
        blocks += match_blocks(units[i].size);
    }
}

static void copy(const Engine *engine, enum cudaMemcpyKind kind)
{
    for (Part part = 0; part < PARTS; part++) {
        const Array *array = &engine->parts[part];
        void *to = kind == cudaMemcpyHostToDevice ? array->device : array->host;
        const void *from = kind == cudaMemcpyHostToDevice ? array->host : array->device;
        must(cudaMemcpy(to, from, array->size, kind) == cudaSuccess, "a copy fails");
    }
}

static Engine engine_open(const ImgMatchRows *rows, const MatchData *units, uint32_t count)
{
    Engine engine = {.rows = *rows, .count = count};
    size_t bytes = MATCH_TAIL;
    for (uint32_t i = 0; i < count; i++) {
        bytes += units[i].gap + units[i].size;
        engine.segments += match_segments(units[i].size);
        engine.blocks += match_blocks(units[i].size);
        engine.most = units[i].size > engine.most ? units[i].size : engine.most;
    }
    const size_t segments = engine.segments, blocks = engine.blocks;
    add_part(&engine, DATA, bytes, false);
    add_part(&engine, UNITS, count * sizeof(MatchUnit), true);
    add_part(&engine, LITERALS, count * 256 * sizeof(uint32_t), true);
    add_part(&engine, BACK, segments * IMG_MATCH_SEGMENT * sizeof(uint16_t), false);
    add_part(&engine, MATCHES, segments * IMG_MATCH_SEGMENT * sizeof(Match), false);
    add_part(&engine, EXITS, segments * MATCH_EXITS * sizeof(uint16_t), false);
    add_part(&engine, MARKS, segments * MATCH_MARKS * sizeof(uint32_t), false);
    add_part(&engine, COUNTS, segments * sizeof(MatchCounts), false);
    add_part(&engine, SEGMENTS, segments * sizeof(MatchSegment), false);
    add_part(&engine, BLOCKS, blocks * sizeof(MatchBlock), false);
    add_part(&engine, CODES, blocks * MATCH_SYMBOLS * sizeof(uint32_t), false);
    add_part(&engine, HEADERS, blocks * MATCH_HEADER_WORDS * sizeof(uint32_t), false);
    place_units(&engine, units);
    return engine;
}

static void engine_run(const Engine *engine, bool last)
{
    const Array *parts = engine->parts;
    const MatchJob job = {.rows = engine->rows,
                          .count = engine->count,
                          .most = engine->most,
                          .units = parts[UNITS].device,
                          .literals = parts[LITERALS].device,
                          .back = parts[BACK].device,
                          .matches = parts[MATCHES].device,
                          .exits = parts[EXITS].device,
                          .marks = parts[MARKS].device,
                          .counts = parts[COUNTS].device,
                          .segments = parts[SEGMENTS].device,
                          .blocks = parts[BLOCKS].device,
                          .codes = parts[CODES].device,
                          .headers = parts[HEADERS].device,
                          .is_last = last};
    MatchBatch batch = {.one = &job};
    match_include(&batch, &job);
    copy(engine, cudaMemcpyHostToDevice);
    img_match_find(&batch, NULL);
    img_match_choose(&batch, NULL);
    img_match_take(&batch, NULL);
    img_match_codes(&batch, NULL);
    must(cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess,
         "a kernel fails");
    copy(engine, cudaMemcpyDeviceToHost);
}

static void engine_close(Engine *engine)
{
    for (Part part = 0; part < PARTS; part++) {
        (void)cudaFree(engine->parts[part].device);
        free(engine->parts[part].host);
    }
}

/* --- Output bits ------------------------------------------------------------------------------ */

/* The blocks of a unit as the host writes them. The functions below that return text return NULL,
 * or a description of an error. */
typedef struct Output {
    const Engine *engine;
    const MatchUnit *unit;
    const uint8_t *data;
    /* Position of the first token of the next segment to write, counted from the start of that
     * segment. Not 0 if a match reaches into the segment. */
    uint32_t entry;
    uint64_t written;
    ImgBits bits;
    ImgBlockStarts starts;
} Output;

static void put(Output *output, uint64_t value, uint32_t count)
{
    img_bits_put(&output->bits, value, count);
    output->written += count;
}

static bool put_code(Output *output, const uint32_t *codes, uint32_t symbol)
{
    const uint32_t code = codes[symbol] & CODE_MASK, count = codes[symbol] >> SHIFT_OF_LENGTH;
    if (count == 0 || count > MATCH_CODE_MOST || code >> count != 0)
        return false;
    put(output, code, count);
    return true;
}

/* Writes the code of a value and its extra bits, as in RFC 1951, 3.2.5. Each of the first `direct`
 * symbols stands for one value. After them, the number of extra bits grows by one after every
 * `each` symbols. Returns false if the value has no code. */
static bool put_value(Output *output, const uint32_t *codes, uint32_t value, uint32_t direct,
                      uint32_t each)
{
    uint32_t symbol = 0, least = 0, extra = 0;
    for (;;) {
        const uint32_t next = symbol + 1 < direct ? 0 : (symbol + 1 - direct) / each + 1;
        if (value < least + (1U << extra))
            break;
        least += 1U << extra;
        extra = next;
        symbol++;
    }
    if (!put_code(output, codes, symbol))
        return false;
    put(output, value - least, extra);
    return true;
}

static bool put_match(Output *output, const uint32_t *codes, Match match, uint32_t back)
{
    const uint32_t length = match & LENGTH_MASK,
                   distance = match_distance(&output->engine->rows, match, back);
    if (length < IMG_MATCH_LEAST || length > IMG_MATCH_MOST || distance == 0 ||
        distance > IMG_MATCH_REACH)
        return false;
    const bool fits = length == IMG_MATCH_MOST ? put_code(output, codes, MATCH_LITERALS - 1)
                                               : put_value(output, codes + IMG_FIRST_LENGTH,
                                                           length - IMG_MATCH_LEAST, 8, 4);
    return fits && put_value(output, codes + MATCH_LITERALS, distance - 1, 4, 2);
}

static const char *put_header(Output *output, const MatchBlock *block, size_t number)
{
    const uint32_t *words = output->engine->parts[HEADERS].host;
    if (block->header_bits > HEADER_BITS_MOST)
        return "a header that is too long";
    words += number * MATCH_HEADER_WORDS;
    for (uint32_t left = block->header_bits; left > 0; words++) {
        const uint32_t count = left < 32 ? left : 32;
        if (count < 32 && *words >> count != 0)
            return "a header with bits behind it";
        put(output, *words, count);
        left -= count;
    }
    return NULL;
}

/* Writes the tokens of segment `number`. The first token must begin at output->entry, and each
 * other token where the one before it ends. */
static const char *put_tokens(Output *output, uint32_t number, const uint32_t *codes)
{
    const Array *parts = output->engine->parts;
    const size_t place = output->unit->first_segment + number, first = place * IMG_MATCH_SEGMENT;
    const uint32_t *marks = (const uint32_t *)parts[MARKS].host + place * MATCH_MARKS;
    const Match *matches = (const Match *)parts[MATCHES].host + first;
    const uint16_t *back = (const uint16_t *)parts[BACK].host + first;
    const uint8_t *data = output->data + (size_t)number * IMG_MATCH_SEGMENT;
    const uint32_t left = output->unit->size - number * IMG_MATCH_SEGMENT;
    uint32_t next = output->entry;
    for (uint32_t at = 0; at < IMG_MATCH_SEGMENT; at++) {
        const bool begins = (marks[at / 32] >> at % 32 & 1) != 0;
        if (begins != (at == next && at < left))
            return "marks that do not follow from matches";
        if (!begins)
            continue;
        if (!(matches[at] == 0 ? put_code(output, codes, data[at])
                               : put_match(output, codes, matches[at], back[at])))
            return "a token without a code";
        next = at + (matches[at] == 0 ? 1U : matches[at] & LENGTH_MASK);
    }
    output->entry = next - IMG_MATCH_SEGMENT;
    return NULL;
}

static const char *put_segment(Output *output, uint32_t number, const MatchBlock *block,
                               uint32_t block_number)
{
    const MatchUnit *unit = output->unit;
    const MatchSegment *segment =
        (const MatchSegment *)output->engine->parts[SEGMENTS].host + unit->first_segment + number;
    const size_t place = unit->first_block + block_number;
    const uint32_t *codes =
        (const uint32_t *)output->engine->parts[CODES].host + place * MATCH_SYMBOLS;
    const uint64_t before = output->written;
    const char *fault = NULL;
    if (segment->entry != output->entry)
        return "another entry";
    if (segment->block != block_number)
        return "another block";
    if (number == block->first_segment)
        fault = put_header(output, block, place);
    if (fault == NULL)
        fault = put_tokens(output, number, codes);
    if (fault == NULL && number + 1 == block->first_segment + block->segments &&
        !put_code(output, codes, IMG_END_OF_BLOCK))
        return "no code for the end";
    if (fault == NULL && output->written - before != segment->bits)
        return "another number of bits than those of its tokens";
    return fault;
}

/* Writes block `number`, which must begin at segment `first`, and compares its bytes with
 * `expected`. Sets *segment to the segment after the block. */
static const char *put_block(Output *output, uint32_t number, uint32_t first,
                             const uint8_t *expected, uint32_t *segment)
{
    const MatchBlock *block =
        (const MatchBlock *)output->engine->parts[BLOCKS].host + output->unit->first_block + number;
    const uint8_t *from = output->bits.out;
    if (block->first_segment != first || block->segments == 0 ||
        block->segments > match_segments(output->unit->size) - first)
        return "other segments of a block";
    img_block_starts_add(&output->starts, &output->bits);
    for (*segment = first; *segment < first + block->segments; ++*segment) {
        const char *fault = put_segment(output, *segment, block, number);
        const size_t made = (size_t)(output->bits.out - from);
        if (fault == NULL && memcmp(from, expected + (from - output->starts.from), made) != 0)
            return "other bits";
        if (fault != NULL)
            return fault;
        from = output->bits.out;
    }
    return NULL;
}

/* --- The CPU's result ------------------------------------------------------------------------- */

typedef struct Expected {
    uint8_t *bytes;
    /* Sizes in bytes: of `bytes`, and of what img_deflate_matches writes if the unit ends the
     * stream. */
    size_t size, whole_size;
    ImgBlockStarts starts;
} Expected;

/* Encodes a unit on the CPU. Zeros follow the output, so that a comparison is defined if the device
 * writes too many bytes. */
static Expected expect_unit(const ImgMatchRows *rows, const MatchData *data, bool last, size_t room)
{
    ImgMatches *work = img_matches_create();
    Expected expected = {.bytes = memory(room)};
    must(work != NULL, "no memory");
    memset(expected.bytes, 0, room);
    expected.starts.bits = memory(img_block_starts_most(data->size) * sizeof *expected.starts.bits);
    expected.size = img_deflate_matches(work, rows, data->bytes, data->size, last, expected.bytes,
                                        room - IMG_BITS_SLACK, &expected.starts);
    expected.whole_size = img_deflated_matches(work, rows, data->bytes, data->size);
    img_matches_free(work);
    return expected;
}

/* --- Comparison ------------------------------------------------------------------------------- */

static const char *compare_blocks(Output *output, const Expected *expected, bool last,
                                  uint32_t *segment)
{
    const MatchUnit *unit = output->unit;
    if (unit->blocks != expected->starts.count)
        return "another number of blocks";
    for (uint32_t i = 0; i < unit->blocks; i++) {
        const char *fault = put_block(output, i, *segment, expected->bytes, segment);
        if (fault != NULL)
            return fault;
    }
    if (*segment != match_segments(unit->size))
        return "segments behind the last block";
    if (unit->bits != output->written || (unit->bits + 7) / 8 != expected->whole_size)
        return "another number of bits";
    if (memcmp(output->starts.bits, expected->starts.bits,
               unit->blocks * sizeof *output->starts.bits) != 0)
        return "blocks that begin elsewhere";
    img_bits_end_piece(&output->bits, last);
    if ((size_t)(output->bits.out - output->starts.from) != expected->size)
        return "another size";
    return memcmp(output->starts.from, expected->bytes, expected->size) == 0 ? NULL : "other bytes";
}

static const char *compare_unit(const Engine *engine, const MatchData *data, uint32_t number,
                                bool last, char *message, size_t message_room)
{
    const MatchUnit *unit = (const MatchUnit *)engine->parts[UNITS].host + number;
    const uint32_t most = match_blocks(data->size);
    const size_t room = (size_t)match_segments(data->size) * IMG_MATCH_SEGMENT * TOKEN_BYTES_MOST +
                        most * (size_t)BLOCK_BYTES_MOST + IMG_PIECE_END_BYTES + IMG_BITS_SLACK;
    const Expected expected = expect_unit(&engine->rows, data, last, room);
    uint8_t *bytes = memory(room);
    Output output = {.engine = engine, .unit = unit, .data = data->bytes, .bits = {bytes, 0, 0}};
    output.starts.bits = memory(most * sizeof *output.starts.bits);
    img_block_starts_begin(&output.starts, bytes);
    uint32_t segment = 0;
    const char *fault = compare_blocks(&output, &expected, last, &segment);
    if (fault != NULL)
        snprintf(message, message_room,
                 "unit %u of %u bytes: segment %u: %s (%zu blocks of the CPU)", number, data->size,
                 segment, fault, expected.starts.count);
    free(output.starts.bits);
    free(bytes);
    free(expected.starts.bits);
    free(expected.bytes);
    return fault != NULL ? message : NULL;
}

const char *compare_matches(const ImgMatchRows *rows, const MatchData *units, uint32_t count,
                            bool last, char *message, size_t room)
{
    Engine engine = engine_open(rows, units, count);
    const char *fault = NULL;
    engine_run(&engine, last);
    for (uint32_t i = 0; i < count && fault == NULL; i++) {
        const MatchUnit *unit = (const MatchUnit *)engine.parts[UNITS].host + i;
        if (units[i].size > 0)
            fault = compare_unit(&engine, &units[i], i, last && i + 1 == count, message, room);
        else if (unit->blocks > 0 || unit->bits > 0)
            fault = "blocks of a unit without data";
    }
    engine_close(&engine);
    return fault;
}
