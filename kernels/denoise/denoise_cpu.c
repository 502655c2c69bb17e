/* Non-local means on the CPU. Threads process tiles. A tile and the pixels around it that its
 * patches reach are split into planes (denoise_rows.h). The memory of a thread depends only on the
 * size of a tile. Pictures that are narrower than a vector are transposed before and after the
 * filter, which does not change the result. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/denoise/weighed_rows.h"

enum {
    MARGIN = IMG_DENOISE_PATCH + IMG_DENOISE_SEARCH, /* largest margin around a tile, in pixels */
    PITCH = IMG_DENOISE_TILE + 2 * MARGIN + IMG_WEIGHED_SLACK,
    ROWS_MOST = IMG_DENOISE_ROWS + 2 * MARGIN,
    PLANE = PITCH * ROWS_MOST,
    PLANES_MOST = 11,
    /* number of pixels of a vector: a shorter row takes as long as a row of this length */
    VECTOR = IMG_WEIGHED_SLACK / 2,
};

typedef struct DenoiseTiles {
    const ImgCall *call;
    const ImgDenoise *own;
    const ImgWeighedRows *rows;
    int32_t across, planes; /* number of tiles per row of tiles, and number of planes per tile */
    atomic_bool failed;     /* true if a thread could not allocate its memory */
} DenoiseTiles;

typedef struct Memory {
    ImgDenoiseScratch scratch;
    uint16_t planes[PLANES_MOST * PLANE];
    /* one row of samples per channel, either with the margin of the tile or without it */
    uint16_t samples[4 * PITCH];
    uint16_t to[4 * IMG_DENOISE_PLANE];
} Memory;

/* --- Planes ----------------------------------------------------------------------------------- */

static void make_planes(const DenoiseTiles *denoise, const uint16_t *samples, int32_t count,
                        uint16_t *planes)
{
    const ImgWeighed *weighed = &denoise->own->weighed;
    const size_t colors = (size_t)weighed->colors, channels = (size_t)weighed->channels;
    const uint16_t *alpha = samples + (channels - 1) * PITCH;
    uint16_t *values = planes + channels * PLANE;
    for (size_t c = 0; c < channels; c++)
        for (size_t x = 0; x < (size_t)count; x++)
            planes[c * PLANE + x] =
                (uint16_t)img_denoise_guide(weighed, samples[c * PITCH + x], alpha[x], c == colors);
    for (size_t c = 0; c < colors; c++)
        for (size_t x = 0; x < (size_t)count; x++) {
            const uint16_t sample = samples[c * PITCH + x];
            if (weighed->bits == 16) {
                values[c * PLANE + x] = sample >> 8;
                values[(c + colors) * PLANE + x] = sample & 255;
            } else if (weighed->has_alpha) {
                values[c * PLANE + x] = sample;
            }
        }
    for (size_t x = 0; weighed->has_alpha && x < (size_t)count; x++)
        planes[(size_t)(denoise->planes - 1) * PLANE + x] =
            (uint16_t)img_alpha_15(alpha[x], weighed->bits);
}

/* Loads `count` samples per channel of row `y`, from column `x` on. The positions may be beyond the
 * edges. */
static void load_samples(const DenoiseTiles *denoise, int64_t x, int64_t y, int32_t count,
                         uint16_t *samples)
{
    const ImgView *src = &denoise->call->src;
    const ImgWeighed *weighed = &denoise->own->weighed;
    const int32_t line = img_border_place(y, src->height, weighed->border);
    const int64_t inner = x > 0 ? x : 0, after = x + count < src->width ? x + count : src->width;
    const bool inside = line >= 0 && inner < after;
    if (inside)
        denoise->rows->split(weighed,
                             src->data + (size_t)line * src->stride +
                                 (size_t)inner * img_format_pixel_size(src->format),
                             src->format.bits, (int32_t)(after - inner), samples + (inner - x),
                             PITCH);
    for (int32_t i = 0; i < count; i++) {
        if (inside && x + i == inner)
            i += (int32_t)(after - inner);
        if (i >= count)
            return;
        uint32_t pixel[4];
        img_weighed_pixel(weighed, src, x + i, y, pixel);
        for (int32_t c = 0; c < weighed->channels; c++)
            samples[c * PITCH + i] = (uint16_t)pixel[c];
    }
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Position and size of a tile, in pixels. */
typedef struct Place {
    int32_t x, y, width, height;
} Place;

static Place place_of(const DenoiseTiles *denoise, int64_t number)
{
    const ImgView *src = &denoise->call->src;
    Place place = {(int32_t)(number % denoise->across) * IMG_DENOISE_TILE,
                   (int32_t)(number / denoise->across) * IMG_DENOISE_ROWS, IMG_DENOISE_TILE,
                   IMG_DENOISE_ROWS};
    if (place.width > src->width - place.x)
        place.width = src->width - place.x;
    if (place.height > src->height - place.y)
        place.height = src->height - place.y;
    return place;
}

/* Stores a filtered row of a tile. Alpha, and the colours of pixels with alpha 0, are copied from
 * the source. */
static void store_row(const DenoiseTiles *denoise, const Place *place, int32_t row, Memory *memory)
{
    const ImgWeighed *weighed = &denoise->own->weighed;
    const ImgView *dst = &denoise->call->dst;
    const int32_t y = place->y + row;
    uint16_t *filtered = memory->to + (size_t)row * IMG_DENOISE_TILE;
    const uint16_t *alpha = memory->samples + (size_t)weighed->colors * PITCH;
    if (weighed->has_alpha) {
        load_samples(denoise, place->x, y, place->width, memory->samples);
        for (int32_t c = 0; c < weighed->channels; c++)
            for (int32_t x = 0; x < place->width; x++)
                if (alpha[x] == 0 || c == weighed->colors)
                    filtered[c * IMG_DENOISE_PLANE + x] = memory->samples[c * PITCH + x];
    }
    denoise->rows->join(weighed, filtered, IMG_DENOISE_PLANE, place->width,
                        dst->data + (size_t)y * dst->stride +
                            (size_t)place->x * img_format_pixel_size(dst->format));
}

static void denoise_tile(const DenoiseTiles *denoise, const Place *place, Memory *memory)
{
    const int32_t margin = denoise->own->patch + denoise->own->search;
    const int32_t vectors = (place->width - 1) / VECTOR + 1;
    const ImgDenoiseTile tile = {.pixels = memory->planes + (size_t)margin * PITCH + margin,
                                 .pitch = PITCH,
                                 .plane = PLANE,
                                 .planes = denoise->planes,
                                 .padded = vectors * VECTOR,
                                 .height = place->height,
                                 .to = memory->to};
    const int32_t columns = tile.padded + 2 * margin;
    for (int32_t row = 0; row < place->height + 2 * margin; row++) {
        load_samples(denoise, (int64_t)place->x - margin, (int64_t)place->y - margin + row, columns,
                     memory->samples);
        make_planes(denoise, memory->samples, columns, memory->planes + (size_t)row * PITCH);
    }
    denoise->rows->denoise(denoise->own, &tile, &memory->scratch);
    for (int32_t row = 0; row < place->height; row++)
        store_row(denoise, place, row, memory);
}

/* --- Narrow pictures -------------------------------------------------------------------------- */

static bool is_transposed(ImgShape src)
{
    return src.width < VECTOR && src.height > src.width;
}

static ImgShape transposed(ImgShape shape)
{
    return (ImgShape){shape.height, shape.width, shape.format};
}

/* Returns the shape that is divided into tiles: the shape of the picture, or of the transposed
 * picture if the picture is narrow. */
static ImgShape worked_on(ImgShape src)
{
    return is_transposed(src) ? transposed(src) : src;
}

static void transpose(const ImgView *src, const ImgView *dst)
{
    const size_t size = img_format_pixel_size(src->format);
    for (size_t y = 0; y < (size_t)src->height; y++)
        for (size_t x = 0; x < (size_t)src->width; x++)
            memcpy(dst->data + x * dst->stride + y * size, src->data + y * src->stride + x * size,
                   size);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static uint64_t bytes_of_copies(ImgShape src)
{
    size_t from = 0, to = 0;
    ImgShape result = transposed(src);
    if (!is_transposed(src))
        return 0;
    (void)img_shape_bytes(transposed(src), &from, NULL);
    result.format.bits = src.format.bits < 8 ? 8 : src.format.bits;
    (void)img_shape_bytes(result, &to, NULL);
    return (uint64_t)from + to;
}

/* Implements ImgOp.cost.scratch: returns the bytes that all threads together allocate. At most one
 * thread per tile is used. */
uint64_t img_denoise_scratch(ImgShape src, const void *params, int threads)
{
    const uint64_t copies = bytes_of_copies(src);
    src = worked_on(src);
    const int64_t across = (src.width - 1) / IMG_DENOISE_TILE + 1;
    const int64_t tiles = across * ((src.height - 1) / IMG_DENOISE_ROWS + 1);
    (void)params;
    return copies + sizeof(Memory) * (uint64_t)(tiles < threads ? tiles : threads);
}

/* Returns the cost per pixel along one axis, which has `side` pixels. It is relative to the cost of
 * a pixel in a long row. The axis is processed in steps of `step` pixels, and each tile of `tile`
 * pixels costs `more` additional pixels. */
static double padded(int32_t side, int32_t tile, int32_t step, double more)
{
    const int32_t tiles = (side - 1) / tile + 1, steps = (side - 1) / step + 1;
    return ((double)steps * step + tiles * more) / side;
}

/* Returns the cost per pixel of this picture, divided by the cost per pixel of full tiles; 1 for a
 * picture of a single tile. Starting a row costs as much as 40 pixels. A partial vector costs as
 * much as a full one. Sums are also computed for the rows above a tile that patches reach. */
double img_denoise_padding(ImgShape src, int32_t patch)
{
    const double of_row = 40, of_patches = 0.8 * patch;
    src = worked_on(src);
    if (src.width <= IMG_DENOISE_TILE && src.height <= IMG_DENOISE_ROWS)
        return 1;
    return padded(src.width, IMG_DENOISE_TILE, VECTOR, of_row) *
           padded(src.height, IMG_DENOISE_ROWS, 1, of_patches) /
           padded(IMG_DENOISE_TILE, IMG_DENOISE_TILE, 1, of_row) /
           padded(IMG_DENOISE_ROWS, IMG_DENOISE_ROWS, 1, of_patches);
}

static void denoise_tiles(void *context, int64_t first, int64_t end)
{
    DenoiseTiles *denoise = context;
    Memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        atomic_store(&denoise->failed, true);
    for (int64_t number = first; memory != NULL && number < end; number++) {
        const Place place = place_of(denoise, number);
        denoise_tile(denoise, &place, memory);
    }
    free(memory);
}

static ImgStatus run_tiles(const ImgCall *call, const ImgWeighedRows *rows, ImgError *err)
{
    const ImgDenoise *own = call->constants.bytes;
    const ImgWeighed *weighed = &own->weighed;
    const int32_t values = weighed->bits == 16  ? 2 * weighed->colors
                           : weighed->has_alpha ? weighed->colors
                                                : 0;
    DenoiseTiles denoise = {.call = call,
                            .own = own,
                            .rows = rows,
                            .across = (call->src.width - 1) / IMG_DENOISE_TILE + 1,
                            .planes = weighed->channels + values + weighed->has_alpha};
    const int32_t down = (call->src.height - 1) / IMG_DENOISE_ROWS + 1;
    atomic_init(&denoise.failed, false);
    img_parallel_for(call->team, call->threads, (int64_t)denoise.across * down, denoise_tiles,
                     &denoise);
    if (atomic_load(&denoise.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to denoise %d x %d pixels", call->src.width,
                        call->src.height);
    return IMG_OK;
}

static ImgStatus run(const ImgCall *call, const ImgWeighedRows *rows, ImgError *err)
{
    ImgImage src = IMG_IMAGE_NONE, dst = IMG_IMAGE_NONE;
    ImgCall turned = *call;
    if (!is_transposed(img_view_shape(&call->src)))
        return run_tiles(call, rows, err);
    ImgStatus status = img_image_alloc(transposed(img_view_shape(&call->src)), &src, err);
    if (status == IMG_OK)
        status = img_image_alloc(transposed(img_view_shape(&call->dst)), &dst, err);
    if (status == IMG_OK) {
        transpose(&call->src, &src.view);
        turned.src = src.view;
        turned.dst = dst.view;
        status = run_tiles(&turned, rows, err);
    }
    if (status == IMG_OK)
        transpose(&dst.view, &call->dst);
    img_image_free(&src);
    img_image_free(&dst);
    return status;
}

IMG_DEFINE_CPU_RUNS(img_denoise_cpu, run, &img_weighed_rows)
