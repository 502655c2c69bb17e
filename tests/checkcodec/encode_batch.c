/* Encodes random batches of pictures on the GPU. Each picture must get the bytes of the CPU codec,
 * and everything that the GPU encoder makes of it alone. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/cuda/cuda_util.h"
#include "tests/checkcodec/encode_strips.h"

enum { LEVELS = 4 };

typedef struct Picture {
    ImgImage image;
    Both both;
    Kind kind;
    int level;
    bool is_open;
} Picture;

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_RGB, 8},         {IMG_COLOR_RGBA, 8}, {IMG_COLOR_GRAY, 8},  {IMG_COLOR_RGB, 8},
    {IMG_COLOR_GRAY_ALPHA, 8},  {IMG_COLOR_RGB, 16}, {IMG_COLOR_GRAY, 16}, {IMG_COLOR_RGBA, 16},
    {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_GRAY, 1}, {IMG_COLOR_GRAY, 4},  {IMG_COLOR_PALETTE, 2},
    {IMG_COLOR_PALETTE, 8},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

/* Returns a random shape. Most sides have up to `side` pixels, some up to four times as many. */
static ImgShape pick_shape(uint64_t *seed, uint32_t side)
{
    enum { LARGE_EVERY = 40 };
    const uint32_t most =
        1 + (pick(seed, LARGE_EVERY) == 0 ? pick(seed, 4 * side) : side / 4 + pick(seed, side));
    return (ImgShape){1 + (int32_t)pick(seed, most), 1 + (int32_t)pick(seed, most),
                      FORMATS[pick(seed, FORMAT_COUNT)]};
}

/* Returns a random kind. Kinds that are not graphics occur more often, because the GPU leaves small
 * pictures of graphics to the CPU. */
static Kind pick_kind(uint64_t *seed)
{
    static const Kind photos[] = {NOISE, SMOOTH, HAZE, ECHO, COPIES};
    return pick(seed, 2) == 0 ? photos[pick(seed, 5)] : (Kind)pick(seed, KINDS);
}

/* Opens a picture of the given shape and kind, at a random level. If `strips` is 0, the codec
 * divides it into strips. */
static ImgStatus open_picture(Picture *picture, ImgShape shape, Kind kind, int32_t strips,
                              uint64_t *seed, ImgError *err)
{
    picture->kind = kind;
    picture->level = 1 + (int)pick(seed, LEVELS);
    picture->image = make_picture(shape, kind);
    picture->is_open = true;
    (void)both_set_options(&picture->both, &picture->image.view, picture->level, strips);
    return both_open(&picture->both, err);
}

static ImgStatus open_random(Picture *picture, uint32_t side, uint64_t *seed, ImgError *err)
{
    const ImgShape shape = pick_shape(seed, side);
    const Kind kind = pick_kind(seed);
    const int32_t strips = pick(seed, 4) == 0 ? 1 + (int32_t)pick(seed, 4) : 0;
    return open_picture(picture, shape, kind, strips > shape.height ? 1 : strips, seed, err);
}

/* Opens the pictures of a batch. The first is encoded by runs, the second is left to the CPU, the
 * others are random. */
static ImgStatus open_pictures(Picture *pictures, size_t count, uint32_t side, uint64_t *seed,
                               ImgError *err)
{
    static const ImgShape small = {131, 127, {IMG_COLOR_RGB, 8}}, tiny = {9, 7, {IMG_COLOR_RGB, 8}};
    ImgStatus status = open_picture(&pictures[0], small, NOISE, 0, seed, err);
    if (status == IMG_OK && count > 1)
        status = open_picture(&pictures[1], tiny, SMOOTH, 0, seed, err);
    for (size_t i = 2; i < count && status == IMG_OK; i++)
        status = open_random(&pictures[i], side, seed, err);
    return status;
}

/* --- Encoding --------------------------------------------------------------------------------- */

static ImgStatus encode_all(const ImgPngEncodeCudaItem *items, size_t count, void *second_stream,
                            ImgError *err)
{
    const ImgPngEncodeCudaBatchBytes bytes = img_png_encode_cuda_batch_bytes(items, count);
    void *workspace = NULL, *host = malloc(bytes.host);
    if (host == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    cudaError_t code = cudaMalloc(&workspace, bytes.device);
    ImgStatus status = code == cudaSuccess ? IMG_OK : img_cuda_fail(code, "cudaMalloc", err);
    if (status == IMG_OK)
        status = img_png_encode_cuda_batch(items, count, workspace, host, NULL, second_stream, NULL,
                                           err);
    code = cudaDeviceSynchronize();
    (void)cudaFree(workspace);
    free(host);
    if (status == IMG_OK && code != cudaSuccess)
        status = img_cuda_fail(code, "cudaDeviceSynchronize", err);
    return status;
}

static ImgStatus encode_batch(Picture *pictures, size_t count, ImgError *err)
{
    ImgPngEncodeCudaItem *items = calloc(count, sizeof *items);
    if (items == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0; i < count; i++)
        items[i] =
            (ImgPngEncodeCudaItem){pictures[i].both.device.plan, pictures[i].both.device.places};
    ImgStatus status = encode_all(items, count, pictures[0].both.device.second_stream, err);
    free(items);
    for (size_t i = 0; i < count && status == IMG_OK; i++)
        status = both_take(&pictures[i].both, err);
    return status;
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Encodes the picture alone, and compares all results with those of the batch. */
static const char *compare_alone(Both *both, char *message, size_t room)
{
    const ImgPngEncodeCudaPlan *plan = &both->device.plan;
    const size_t strips = plan->options.strips.count;
    const size_t strip_bytes = strips * sizeof *both->results,
                 block_bytes = plan->starts * sizeof *both->blocks;
    Both alone = *both;
    ImgError err = {IMG_OK, ""};
    const char *fault = message;
    alone.results = calloc(strips, sizeof *alone.results);
    alone.blocks = calloc(plan->starts, sizeof *alone.blocks);
    alone.chunks = malloc(plan->output);
    if (alone.results == NULL || alone.blocks == NULL || alone.chunks == NULL)
        fault = "no memory";
    else if (device_encode(&alone.device, &err) != IMG_OK || both_take(&alone, &err) != IMG_OK)
        snprintf(message, room, "%s", err.message);
    else if (alone.size != both->size || memcmp(alone.chunks, both->chunks, alone.size) != 0)
        fault = "other bytes than alone";
    else if (memcmp(alone.results, both->results, strip_bytes) != 0)
        fault = "other strips than alone";
    else if (memcmp(alone.blocks, both->blocks, block_bytes) != 0)
        fault = "other blocks than alone";
    else
        fault = NULL;
    free(alone.chunks);
    free(alone.blocks);
    free(alone.results);
    return fault;
}

static void check_picture(Picture *picture, size_t number, size_t count, Tally *tally)
{
    char message[256];
    const ImgView *view = &picture->image.view;
    const char *fault = both_compare(&picture->both, message, sizeof message);
    if (fault == NULL)
        fault = compare_alone(&picture->both, message, sizeof message);
    count_strips(&picture->both);
    if (fault == NULL)
        tally->passed++;
    else
        tally->failed++;
    if (fault != NULL)
        printf("failed: picture %zu of %zu: %dx%d %s %d bits, %s, level %d, %u strips: %s\n",
               number, count, view->width, view->height, img_color_name(view->format.color),
               view->format.bits, KIND_NAMES[picture->kind], picture->level,
               picture->both.options.strips.count, fault);
}

static void check_batch(size_t count, uint64_t *seed, uint32_t side, Tally *tally)
{
    Picture *pictures = calloc(count, sizeof *pictures);
    ImgError err = {IMG_OK, "no memory"};
    ImgStatus status =
        pictures == NULL ? IMG_E_MEMORY : open_pictures(pictures, count, side, seed, &err);
    if (status == IMG_OK)
        status = encode_batch(pictures, count, &err);
    if (status != IMG_OK) {
        printf("failed: a batch of %zu pictures: %s\n", count, err.message);
        tally->failed++;
    }
    for (size_t i = 0; i < count && status == IMG_OK; i++)
        check_picture(&pictures[i], i, count, tally);
    for (size_t i = 0; pictures != NULL && i < count && pictures[i].is_open; i++) {
        both_release(&pictures[i].both);
        img_image_free(&pictures[i].image);
    }
    free(pictures);
}

void check_batches(int batches, uint64_t seed, int most, int32_t side, Tally *tally)
{
    for (int i = 0; i < batches; i++)
        check_batch(i == 0 ? (size_t)most : 1 + pick(&seed, (uint32_t)most), &seed, (uint32_t)side,
                    tally);
    report_strips(false, tally);
}
