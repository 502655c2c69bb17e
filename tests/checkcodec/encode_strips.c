/* Compares strips of the GPU with those of the CPU codec. The GPU leaves three kinds of strips to
 * the CPU: tiny strips, small strips of indices or graphics, and strips for which the CPU codec
 * would try LZ77 with a deeper search. For all other strips it must choose the same method (runs or
 * matches) and give the same bytes. */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/png/encode/rows.h"
#include "io/png/encode/strip_priv.h"
#include "tests/checkcodec/encode_strips.h"

enum {
    LEVELS = 4,
    HEAD = 8,
    STREAM_HEAD = 2,
    ADLER = 4,
    CRC = 4,
};

typedef struct Case {
    ImgFormat format;
    int32_t width;
    Kind kind;
    int level;
    int32_t strips; /* number of strips; 0 if the codec chooses it */
    /* height in pixels; 0 if strips are to be slightly larger than IMG_STRIP_SMALL */
    int32_t height;
} Case;

/* Number of strips that each method encoded, in all cases. */
static uint32_t strips_made[WAYS];

/* --- Comparison ------------------------------------------------------------------------------- */

/* Compares a chunk of the GPU with that of the CPU, except for the Adler-32 of the whole stream,
 * which is computed elsewhere. Returns NULL if they are equal, otherwise a description of the
 * difference. */
static const char *compare_chunk(const Both *both, uint32_t number, const ImgStripResult *expected)
{
    const ImgPngCudaStrip *result = &both->results[number];
    const uint8_t *chunk = both->chunks + result->start, *data = chunk + HEAD;
    bool last = number + 1 == both->options.strips.count;
    size_t head = number == 0 ? STREAM_HEAD : 0, tail = last ? ADLER : 0;
    size_t bytes = head + expected->size + tail;
    if (result->bytes != HEAD + bytes + CRC || img_get_be32(chunk) != bytes)
        return "another size";
    if (memcmp(chunk + 4, "IDAT", 4) != 0 ||
        (head > 0 && memcmp(data, both->level.search == 0 ? "\x78\x01" : "\x78\xDA", head) != 0))
        return "another head";
    if (memcmp(data + head, both->deflated, expected->size) != 0)
        return "other bytes";
    if (img_get_be32(data + bytes) != libdeflate_crc32(0, chunk + 4, 4 + bytes))
        return "another CRC";
    return result->adler == expected->adler ? NULL : "another Adler-32";
}

/* Compares the positions where the deflate blocks of a strip begin. Returns NULL if they are equal,
 * otherwise a description of the difference. */
static const char *compare_starts(const Both *both, uint32_t number, size_t expected)
{
    size_t count = img_png_encode_cuda_starts(&both->device.plan, both->blocks,
                                              &both->results[number], number, both->starts);
    if (count != expected)
        return "another number of blocks";
    return memcmp(both->starts, both->expected_starts, count * sizeof *both->starts) == 0
               ? NULL
               : "blocks that begin elsewhere";
}

/* Returns the number of bytes of a strip that are in runs: at least eight bytes of a deflate block
 * that equal the byte before them. */
static size_t count_runs(const uint8_t *data, size_t size)
{
    enum { BLOCK = 1 << 17, LEAST = 8 };
    size_t all = 0, blocks = (size + BLOCK - 1) / BLOCK;
    for (size_t from = 0, to = 0; from < size; from = to, blocks--) {
        size_t run = 0;
        to = from + (size - from + blocks - 1) / blocks;
        for (size_t i = from; i <= to; i++) {
            if (i < to && i > 0 && data[i] == data[i - 1]) {
                run++;
                continue;
            }
            all += run >= LEAST ? run : 0;
            run = 0;
        }
    }
    return all;
}

/* Returns true if the CPU codec would try more than run-length encoding on a small strip of pixels.
 * It does so if run-length encoding shrinks the strip to less than a quarter, and a quarter of it
 * is in runs, or it shrinks to less than an eighth or has at most 48 KB. It also does so if LZ77
 * shrinks an eighth of the strip, 4 to 16 KB from its middle, by more than 2 % more. Overwrites
 * both->deflated. */
static bool is_graphics(Both *both, const ImgStrip *rows, size_t size)
{
    enum { LEAST = 4096, MOST = 16384 };
    ImgStripWorker *worker = both->worker;
    const ImgStripState strip = {rows, size, {0}};
    ImgSmallest runs = {.out = both->deflated, .last = rows->last, .starts = both->expected_starts};
    size_t bytes = size / 8 > MOST ? MOST : size / 8;
    bytes = bytes < LEAST ? LEAST : bytes;
    const uint8_t *piece = worker->filtered + (size - bytes) / 2;
    img_strip_filter_by_sum(worker, &strip, IMG_STRIP_ALL_FILTERS, worker->filtered);
    img_try_runs(worker->deflaters, worker->filtered, size, &runs);
    const bool has_runs =
        size <= 48 << 10 || runs.size < size / 8 || count_runs(worker->filtered, size) >= size / 4;
    return (runs.size < size / 4 && has_runs) ||
           img_measure_matches(worker->deflaters, &worker->rows, piece, bytes) * 100 <
               img_measure_runs(worker->deflaters, piece, bytes) * 98;
}

/* Returns true if the GPU must leave a strip to the CPU because it is small. */
static bool is_left_as_small(Both *both, const ImgStrip *rows)
{
    const size_t size = (size_t)(rows->to - rows->from) * (1 + both->worker->filter.row_bytes);
    if (!both->level.by_value)
        return size <= IMG_STRIP_SMALL_INDICES;
    return size <= 16384 || (size <= 512 << 10 && is_graphics(both, rows, size));
}

static const char *compare_strip(Both *both, uint32_t number, size_t *end)
{
    const ImgStrips *strips = &both->options.strips;
    const ImgPngCudaStrip *result = &both->results[number];
    ImgStrip strip = {img_strips_start(strips, number), img_strips_start(strips, number + 1),
                      number + 1 == strips->count};
    ImgStripResult expected;
    const bool is_handed = result->strategy == IMG_PNG_CUDA_LEFT_TO_CPU;
    const bool is_small = is_left_as_small(both, &strip);
    if (result->start != *end)
        return "another place";
    *end += result->bytes;
    if (!img_strip_encode(both->worker, &strip, both->deflated, both->expected_starts, &expected))
        return "no memory";
    if (is_handed != (is_small || expected.strategy == IMG_STRIP_BY_SEARCH))
        return is_handed ? "handed to the CPU" : "not handed to the CPU";
    both->made[result->strategy]++;
    if (is_handed)
        return result->bytes == 0 ? NULL : "handed, but there";
    if ((expected.strategy == IMG_STRIP_BY_RUNS) != (result->strategy == IMG_PNG_CUDA_BY_RUNS))
        return "another way";
    const char *fault = compare_chunk(both, number, &expected);
    return fault != NULL ? fault : compare_starts(both, number, expected.blocks);
}

const char *both_compare(Both *both, char *message, size_t room)
{
    size_t end = 0;
    for (uint32_t i = 0; i < both->options.strips.count; i++) {
        const char *fault = compare_strip(both, i, &end);
        if (fault != NULL) {
            snprintf(message, room, "strip %u: %s", i, fault);
            return message;
        }
    }
    return end == both->size ? NULL : "another size of all";
}

/* --- Cases ------------------------------------------------------------------------------------ */

bool both_set_options(Both *both, const ImgView *view, int level, int32_t strips)
{
    both->view = view;
    both->level = img_png_level(level, view->format);
    const bool takes = img_png_encode_cuda_options(img_view_shape(view), level, &both->options);
    if (strips > 0)
        both->options.strips = img_strips_divide(view->height, view->height / strips);
    return takes;
}

ImgStatus both_open(Both *both, ImgError *err)
{
    ImgStatus status = device_open(&both->device, both->view, &both->options, err);
    if (status != IMG_OK)
        return status;
    int32_t rows = both->options.strips.first_rows;
    both->results = calloc(both->options.strips.count, sizeof *both->results);
    both->blocks = calloc(both->device.plan.starts, sizeof *both->blocks);
    both->starts =
        malloc(both->device.plan.starts * IMG_PNG_CUDA_FRAMES_MOST * sizeof *both->starts);
    both->expected_starts =
        malloc(img_strip_blocks_most(both->view, rows) * sizeof *both->expected_starts);
    both->chunks = malloc(both->device.plan.output);
    both->worker = img_strip_worker_create(both->view, &both->level, rows);
    both->deflated = malloc(img_strip_bound(both->view, rows));
    if (both->results == NULL || both->blocks == NULL || both->starts == NULL ||
        both->expected_starts == NULL || both->chunks == NULL || both->worker == NULL ||
        both->deflated == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    return IMG_OK;
}

ImgStatus both_take(Both *both, ImgError *err)
{
    ImgStatus status = device_download(&both->device, both->chunks, &both->size, err);
    if (status == IMG_OK)
        status = device_results(&both->device, both->results, err);
    return status != IMG_OK ? status : device_blocks(&both->device, both->blocks, err);
}

void both_release(Both *both)
{
    device_close(&both->device);
    img_strip_worker_free(both->worker);
    free(both->deflated);
    free(both->chunks);
    free(both->expected_starts);
    free(both->starts);
    free(both->blocks);
    free(both->results);
}

void count_strips(const Both *both)
{
    for (int way = 0; way < WAYS; way++)
        strips_made[way] += both->made[way];
}

static const char *compare(const Case *wanted, const ImgView *view, char *message, size_t room)
{
    ImgError err = {IMG_OK, ""};
    Both both = {.view = view};
    if (!both_set_options(&both, view, wanted->level, wanted->strips) && wanted->strips == 0)
        return "nothing is the GPU's";
    ImgStatus status = both_open(&both, &err);
    if (status == IMG_OK)
        status = device_encode(&both.device, &err);
    if (status == IMG_OK)
        status = both_take(&both, &err);
    const char *fault = message;
    if (status != IMG_OK)
        snprintf(message, room, "%s", err.message);
    else
        fault = both_compare(&both, message, room);
    count_strips(&both);
    both_release(&both);
    return fault;
}

/* Returns the largest size in filtered bytes of a small strip. The GPU leaves small strips to the
 * CPU. */
static size_t small_of(const Case *wanted)
{
    return img_png_level(wanted->level, wanted->format).by_value ? IMG_STRIP_SMALL
                                                                 : IMG_STRIP_SMALL_INDICES;
}

static void check(const Case *wanted, Tally *tally)
{
    char message[256];
    if (!is_in_share(tally))
        return;
    size_t row = 1 + img_png_row_bytes(wanted->width, wanted->format);
    ImgShape shape = {wanted->width, wanted->height, wanted->format};
    if (wanted->height == 0)
        shape.height = wanted->strips * (int32_t)(small_of(wanted) / row + 1);
    ImgImage image = make_picture(shape, wanted->kind);
    const char *fault = compare(wanted, &image.view, message, sizeof message);
    if (fault == NULL)
        tally->passed++;
    else
        tally->failed++;
    if (fault != NULL)
        printf("failed: strips of %dx%d %s %d bits, %s, level %d: %s\n", shape.width, shape.height,
               img_color_name(shape.format.color), shape.format.bits, KIND_NAMES[wanted->kind],
               wanted->level, fault);
    img_image_free(&image);
}

static const Case CASES[] = {
    {{IMG_COLOR_RGB, 8}, 1500, MIXED, 4, 2, 0},
    {{IMG_COLOR_GRAY, 8}, 901, ECHO, 3, 1, 0},
    {{IMG_COLOR_RGBA, 16}, 777, MIXED, 3, 2, 0},
    {{IMG_COLOR_PALETTE, 8}, 1601, COPIES, 3, 1, 0},
    {{IMG_COLOR_GRAY_ALPHA, 8}, 9001, SMOOTH, 3, 1, 0},
    {{IMG_COLOR_RGBA, 8}, 1000, MIXED, 2, 2, 0},
    {{IMG_COLOR_RGB, 16}, 1111, NOISE, 4, 1, 0},
    {{IMG_COLOR_GRAY, 8}, 1234, TEXT, 1, 1, 0},
    {{IMG_COLOR_GRAY, 8}, 530000, SMOOTH, 4, 1, 0},
    {{IMG_COLOR_GRAY, 8}, 17001, SPIKES, 4, 1, 0},
    {{IMG_COLOR_GRAY_ALPHA, 16}, 700, ONE, 2, 1, 0},
    {{IMG_COLOR_PALETTE, 8}, 1300, TEXT, 4, 1, 0},
    {{IMG_COLOR_PALETTE, 8}, 1100, NOISE, 3, 1, 0},
    {{IMG_COLOR_GRAY, 1}, 10001, BANDS, 2, 1, 0},
    {{IMG_COLOR_PALETTE, 4}, 5001, SPECKS, 1, 1, 0},
    /* the largest tiny strip, the smallest and the largest small strip */
    {{IMG_COLOR_GRAY, 8}, 16383, NOISE, 4, 1, 1},
    {{IMG_COLOR_GRAY, 8}, 16384, NOISE, 4, 1, 1},
    {{IMG_COLOR_GRAY, 8}, 1023, SMOOTH, 1, 1, 512},
    /* a large strip and a small one, several small strips, graphics */
    {{IMG_COLOR_GRAY, 8}, 1023, ECHO, 3, 2, 1025},
    {{IMG_COLOR_RGBA, 16}, 203, MIXED, 2, 3, 300},
    {{IMG_COLOR_RGB, 8}, 256, NOISE, 3, 1, 256},
    {{IMG_COLOR_RGB, 8}, 256, TEXT, 4, 1, 256},
    {{IMG_COLOR_RGB, 8}, 256, HAZE, 4, 1, 256},
    {{IMG_COLOR_GRAY_ALPHA, 8}, 150, HAZE, 2, 1, 150},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 8},    {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_RGB, 8},     {IMG_COLOR_RGBA, 8},
    {IMG_COLOR_RGB, 16},    {IMG_COLOR_RGBA, 16},      {IMG_COLOR_PALETTE, 8}, {IMG_COLOR_GRAY, 1},
    {IMG_COLOR_PALETTE, 2}, {IMG_COLOR_PALETTE, 4},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

/* Returns the number of bits per sample, but at most 8. */
static int least_bits(ImgFormat format)
{
    return format.bits < 8 ? format.bits : 8;
}

static void check_large(Tally *tally)
{
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (Kind kind = 0; kind < KINDS; kind++)
            for (int level = 1; level <= LEVELS; level++)
                check(&(Case){FORMATS[f], (1500 + 7 * f) * 8 / least_bits(FORMATS[f]), kind, level,
                              0, 1200 + 13 * level},
                      tally);
    check(&(Case){FORMATS[0], 1, SMOOTH, 4, 0, 300000}, tally);
    check(&(Case){FORMATS[2], 4000000, SMOOTH, 4, 0, 3}, tally);
}

static const ImgFormat ALL_FORMATS[] = {
    {IMG_COLOR_GRAY, 1},        {IMG_COLOR_GRAY, 2},    {IMG_COLOR_GRAY, 4},
    {IMG_COLOR_GRAY, 8},        {IMG_COLOR_GRAY, 16},   {IMG_COLOR_GRAY_ALPHA, 8},
    {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGB, 8},     {IMG_COLOR_RGB, 16},
    {IMG_COLOR_RGBA, 8},        {IMG_COLOR_RGBA, 16},   {IMG_COLOR_PALETTE, 1},
    {IMG_COLOR_PALETTE, 2},     {IMG_COLOR_PALETTE, 4}, {IMG_COLOR_PALETTE, 8},
};
enum { ALL_FORMAT_COUNT = sizeof ALL_FORMATS / sizeof *ALL_FORMATS };

static int32_t pick_width(uint64_t *seed)
{
    enum { WIDE = 800000, USUAL = 5000, NARROW = 8 };
    switch (pick(seed, 8)) {
    case 0:
        return 1 + (int32_t)pick(seed, WIDE);
    case 1:
        return 1 + (int32_t)pick(seed, NARROW);
    default:
        return 1 + (int32_t)pick(seed, USUAL);
    }
}

/* Checks random pictures of one to three strips. All strips have the same number of rows, except
 * that the first one also gets the remainder. */
void check_random_strips(int cases, uint64_t seed, Tally *tally)
{
    for (int i = 0; i < cases; i++) {
        Case wanted = {.format = ALL_FORMATS[pick(&seed, ALL_FORMAT_COUNT)],
                       .width = pick_width(&seed),
                       .kind = (Kind)pick(&seed, KINDS),
                       .level = 1 + (int)pick(&seed, LEVELS),
                       .strips = 1 + (int32_t)pick(&seed, 3)};
        const size_t row = 1 + img_png_row_bytes(wanted.width, wanted.format);
        const uint32_t least = (uint32_t)(small_of(&wanted) / row) + 1;
        const uint32_t rows = least + (pick(&seed, 2) == 0 ? 0 : pick(&seed, least));
        wanted.height =
            wanted.strips * (int32_t)rows + (int32_t)pick(&seed, (uint32_t)wanted.strips);
        check(&wanted, tally);
    }
}

void report_strips(bool has_matches, Tally *tally)
{
    const uint32_t *made = strips_made;
    printf("strips by runs %u, by matches %u, handed to the CPU %u\n", made[IMG_PNG_CUDA_BY_RUNS],
           made[IMG_PNG_CUDA_BY_MATCHES], made[IMG_PNG_CUDA_LEFT_TO_CPU]);
    if (tally->shares == 1 &&
        (made[IMG_PNG_CUDA_BY_RUNS] == 0 || made[IMG_PNG_CUDA_LEFT_TO_CPU] == 0 ||
         (has_matches && made[IMG_PNG_CUDA_BY_MATCHES] == 0))) {
        printf("failed: no strips by one of these ways\n");
        tally->failed++;
    }
}

void check_strips(bool large, Tally *tally)
{
    for (int i = 0; i < CASE_COUNT; i++)
        check(&CASES[i], tally);
    if (large)
        check_large(tally);
    report_strips(true, tally);
}
