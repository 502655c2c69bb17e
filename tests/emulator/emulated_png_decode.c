/* The GPU's PNG decoder beside the CPU's, in the emulator: sound files must be proved and have the
 * same pixels; of damaged ones, nothing may be proved that the CPU's decoder refuses or decodes
 * otherwise.
 *   emulated_png_decode [FILES [SEED]]   how many made with zlib; default 200
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cuda_runtime_api.h> /* the emulator's */

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/decode.h"
#include "tests/emulator/png_files.h"

static int failures;

/* --- Both decoders --------------------------------------------------------------------------- */

typedef struct Scanned {
    ImgPngHeader header;
    ImgPngScan scan;
    ImgMetadata metadata;
    bool sound;
} Scanned;

static Scanned scan_file(const Bytes *file)
{
    Scanned scanned = {.metadata = IMG_METADATA_NONE};
    ImgPngBudget budget = {0, (uint64_t)1 << 30};
    scanned.sound = file->size > IMG_PNG_HEADER_BYTES &&
                    img_png_header(file->data, &scanned.header, NULL) == IMG_OK &&
                    img_png_scan(file->data, file->size, &scanned.header, budget, &scanned.metadata,
                                 &scanned.scan, NULL) == IMG_OK;
    return scanned;
}

static bool cpu_decodes(const Bytes *file, const Scanned *scanned, ImgImage *image)
{
    ImgPngDecodeOptions options = {.threads = 1};
    *image = IMG_IMAGE_NONE;
    return img_png_decode(file->data, &scanned->header, &scanned->scan, &options, image, NULL,
                          NULL) == IMG_OK;
}

static void *on_device(size_t size, const void *from)
{
    void *memory;
    if (cudaMalloc(&memory, size > 0 ? size : 1) != cudaSuccess)
        abort();
    if (from != NULL)
        (void)cudaMemcpy(memory, from, size, cudaMemcpyHostToDevice);
    return memory;
}

/* Pixels go to `pixels`, of `size` bytes. Says the status. */
static uint32_t decode_list(const Bytes *file, const ImgIdat *idat, ImgShape shape, uint8_t *pixels,
                            size_t stride, size_t size)
{
    ImgPngCudaPlan plan;
    ImgPngCudaFile device_file;
    ImgError err = {IMG_OK, ""};
    uint32_t status = 0;
    if (!img_png_cuda_plan(shape, idat->size, idat->count, &plan))
        return 0;
    ImgPngCudaPart *parts = malloc(idat->count * sizeof *parts);
    img_png_cuda_list_parts(idat, file->data, parts, &device_file);
    void *bytes = on_device(file->size, file->data);
    void *list = on_device(idat->count * sizeof *parts, parts);
    void *workspace = on_device(plan.workspace_bytes, NULL), *rows = on_device(size, NULL);
    uint32_t *word = on_device(sizeof status, NULL);
    ImgPngCudaPixels target = {rows, stride};
    device_file.bytes = bytes;
    device_file.parts = list;
    if (img_png_cuda_decode(&plan, &device_file, workspace, &target, word, NULL, &err) != IMG_OK) {
        fprintf(stderr, "%s\n", err.message);
        failures++;
    }
    (void)cudaMemcpy(&status, word, sizeof status, cudaMemcpyDeviceToHost);
    (void)cudaMemcpy(pixels, rows, size, cudaMemcpyDeviceToHost);
    free(parts);
    (void)cudaFree(bytes);
    (void)cudaFree(list);
    (void)cudaFree(workspace);
    (void)cudaFree(rows);
    (void)cudaFree(word);
    return status;
}

static uint32_t gpu_decodes(const Bytes *file, const Scanned *scanned, ImgImage *image)
{
    ImgIdat idat;
    uint32_t status = 0;
    if (img_image_alloc(scanned->header.shape, image, NULL) != IMG_OK ||
        img_idat_list(file->data, scanned->scan.size, &idat, NULL) != IMG_OK)
        abort();
    if (idat.count > 0)
        status = decode_list(file, &idat, scanned->header.shape, image->view.data,
                             image->view.stride, image->size);
    img_idat_free(&idat);
    return status;
}

static bool same_pixels(const ImgView *a, const ImgView *b)
{
    size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    for (int y = 0; y < a->height; y++)
        if (memcmp(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride, row) != 0)
            return false;
    return true;
}

/* What both say; *cpu_reads may be NULL. True if the GPU proved it. */
static bool compare(const Bytes *file, const char *what, bool *cpu_reads, uint32_t *status)
{
    ImgImage cpu = IMG_IMAGE_NONE, gpu = IMG_IMAGE_NONE;
    Scanned scanned = scan_file(file);
    bool reads = false;
    *status = 0;
    if (scanned.sound && !scanned.header.interlaced) {
        reads = cpu_decodes(file, &scanned, &cpu);
        *status = gpu_decodes(file, &scanned, &gpu);
    }
    bool proved = *status == IMG_PNG_CUDA_PROVED;
    if (proved && !reads) {
        printf("%s: proved, but refused by the CPU\n", what);
        failures++;
    } else if (proved && !same_pixels(&cpu.view, &gpu.view)) {
        printf("%s: other pixels\n", what);
        failures++;
    }
    if (cpu_reads != NULL)
        *cpu_reads = reads;
    img_image_free(&cpu);
    img_image_free(&gpu);
    img_metadata_free(&scanned.metadata);
    return proved;
}

/* --- Sound files ----------------------------------------------------------------------------- */

static void expect_proved(const Bytes *file, const char *what)
{
    bool reads;
    uint32_t status;
    if (compare(file, what, &reads, &status))
        return;
    printf("%s: %s, status %u\n", what, reads ? "not proved" : "not even read by the CPU", status);
    failures++;
}

/* --- Damaged files --------------------------------------------------------------------------- */

static struct {
    int files, refused, proved;
} damage;

static void count_damaged(const Bytes *file, const char *what)
{
    bool reads;
    uint32_t status;
    damage.files++;
    damage.proved += compare(file, what, &reads, &status);
    damage.refused += !reads;
}

/* A bit of the stream changed, or its end cut off, under right CRCs. */
static void try_damage(ImgShape shape, const Bytes *stream, const Packing *packing,
                       const char *name)
{
    char what[160];
    for (int i = 0; i < 3; i++) {
        Bytes bad = {0};
        uint32_t at = random_below((uint32_t)stream->size * 8);
        if (i == 1) /* where headers are */
            at = random_below(stream->size < 40 ? (uint32_t)stream->size * 8 : 320);
        put(&bad, stream->data, i < 2 ? stream->size : at / 8);
        if (i < 2)
            bad.data[at / 8] ^= (uint8_t)(1 << at % 8);
        Bytes file = make_png(shape, &bad, packing);
        snprintf(what, sizeof what, "%s, %s %u", name, i < 2 ? "bit" : "cut at bit", at);
        count_damaged(&file, what);
        free(file.data);
        free(bad.data);
    }
}

/* --- All ------------------------------------------------------------------------------------- */

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 1},        {IMG_COLOR_GRAY, 2},    {IMG_COLOR_GRAY, 4},
    {IMG_COLOR_GRAY, 8},        {IMG_COLOR_GRAY, 16},   {IMG_COLOR_RGB, 8},
    {IMG_COLOR_RGB, 16},        {IMG_COLOR_PALETTE, 1}, {IMG_COLOR_PALETTE, 2},
    {IMG_COLOR_PALETTE, 4},     {IMG_COLOR_PALETTE, 8}, {IMG_COLOR_GRAY_ALPHA, 8},
    {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGBA, 8},    {IMG_COLOR_RGBA, 16},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

static Packing random_packing(void)
{
    static const int levels[] = {0, 1, 6, 9},
                     flushes[] = {Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK};
    return (Packing){
        .level = levels[random_below(4)],
        .strategy = (int)random_below(5), /* default, filtered, Huffman only, runs, fixed */
        .window_bits = random_below(2) > 0 ? 15 : 9 + (int)random_below(7),
        .memory_level = 1 + (int)random_below(9),
        .flush = flushes[random_below(4)],
        .flush_rows = random_below(2) > 0 ? 0 : 1 + (int)random_below(9),
        .part_bytes = random_below(2) > 0 ? 0 : 1 + (int)random_below(700),
        .empty_parts = random_below(2) > 0 ? 0 : 1 + (int)random_below(4),
    };
}

static void try_one(int number)
{
    ImgShape shape = {1 + (int32_t)random_below(70), 1 + (int32_t)random_below(70),
                      FORMATS[number % FORMAT_COUNT]};
    Packing packing = random_packing();
    Pattern pattern = (Pattern)random_below(PATTERNS);
    Bytes rows = make_rows(shape, pattern);
    Bytes stream = make_stream(&rows, filtered_row_bytes(shape), &packing);
    Bytes file = make_png(shape, &stream, &packing);
    char what[160];
    snprintf(what, sizeof what,
             "%d: %s %d bits %d x %d, pattern %d, level %d, strategy %d, window %d, memory %d, "
             "flush %d after %d rows",
             number, img_color_name(shape.format.color), shape.format.bits, shape.width,
             shape.height, (int)pattern, packing.level, packing.strategy, packing.window_bits,
             packing.memory_level, packing.flush, packing.flush_rows);
    expect_proved(&file, what);
    if (number % 2 == 0)
        try_damage(shape, &stream, &packing, what);
    free(rows.data);
    free(stream.data);
    free(file.data);
}

int main(int argc, char **argv)
{
    int files = argc > 1 ? atoi(argv[1]) : 200;
    random_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
    for (int i = 0; i < files; i++)
        try_one(i);
    printf("%d sound files, %d damaged ones, of which the CPU refused %d and the GPU proved %d; "
           "%d failures\n",
           files, damage.files, damage.refused, damage.proved, failures);
    return failures > 0;
}
