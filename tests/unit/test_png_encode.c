/* Tests of whole PNG files of imgtool's encoder. libpng must read the same pixels. The index of
 * strips must be right, and a wrong index must have no effect on the pixels. */
#include <png.h>

#include "io/png/encode/rows.h"
#include "io/png/encode/strip.h"
#include "io/png/idat.h"
#include "io/png/index/block_index.h"
#include "io/png/index/index.h"
#include "test_io_png.h"
#include "tests/unit/sanitizers.h"

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* Returns a picture of two halves, so that strips are of different kinds. The upper half is smooth
 * with some noise, the lower half a flat pattern. */
static ImgImage make_image(ImgShape shape)
{
    ImgImage image = IMG_IMAGE_NONE;
    cr_assert_eq(img_image_alloc(shape, &image, NULL), IMG_OK);
    unsigned most = img_format_maximum(shape.format);
    size_t samples = (size_t)shape.width * (size_t)img_format_channels(shape.format);
    for (int32_t y = 0; y < shape.height; y++) {
        uint8_t *row = image.view.data + (size_t)y * image.view.stride;
        for (size_t i = 0; i < samples; i++) {
            unsigned smooth = (unsigned)(i * 3 + (size_t)y * 5) / 16 + random_number() % 4;
            unsigned pattern = i / 24 % 5 * 40 + (i + (size_t)y) % 24 / 20;
            unsigned sample = (y < shape.height / 2 ? smooth : pattern) & most;
            if (shape.format.bits == 16) {
                uint16_t wide = (uint16_t)(sample * 257);
                memcpy(row + 2 * i, &wide, 2);
            } else {
                row[i] = (uint8_t)sample;
            }
        }
    }
    return image;
}

static ImgMetadata make_metadata(ImgFormat format)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    if (format.color == IMG_COLOR_PALETTE) {
        metadata.palette_size = 1 << format.bits;
        for (int i = 0; i < metadata.palette_size; i++)
            metadata.palette[i][0] = (uint8_t)i;
    }
    return metadata;
}

static Bytes encode(const ImgImage *image, const ImgMetadata *metadata,
                    const ImgPngEncodeOptions *options, ImgPngEncodeReport *report)
{
    ImgError err = {IMG_OK, ""};
    MemoryFile file = memory_file(NULL);
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open(file.path, NULL, &output, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_png_encode(image, metadata, options, output, report, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
    Bytes bytes = read_all(file.path);
    close(file.fd);
    return bytes;
}

/* The work of threads that encode bands of a picture. */
typedef struct BandWork {
    const ImgView *view;
    ImgBandHeights heights;
    ImgPngEncoder *encoder;
    pthread_mutex_t lock;
    int32_t next; /* first row of the next band */
} BandWork;

static void encode_bands(void *context, int worker)
{
    BandWork *work = context;
    const ImgView *view = work->view;
    for (;;) {
        pthread_mutex_lock(&work->lock);
        const int32_t first = work->next,
                      rows = first == 0 ? work->heights.first : work->heights.rest,
                      left = view->height - first;
        work->next += rows < left ? rows : left;
        pthread_mutex_unlock(&work->lock);
        if (left == 0)
            return;
        const ImgView band = img_view_crop(view, 0, first, view->width, rows < left ? rows : left);
        ImgError err = {IMG_OK, ""};
        cr_assert_eq(img_png_encoder_rows(work->encoder, worker, first, &band, &err), IMG_OK, "%s",
                     err.message);
    }
}

/* Encodes one band after the other, each with all threads. */
static void add_bands(const BandWork *work)
{
    const ImgView *view = work->view;
    for (int32_t first = 0, rows; first < view->height; first += rows) {
        rows = first == 0 ? work->heights.first : work->heights.rest;
        rows = rows < view->height - first ? rows : view->height - first;
        const ImgView band = img_view_crop(view, 0, first, view->width, rows);
        ImgError err = {IMG_OK, ""};
        cr_assert_eq(img_png_encoder_add(work->encoder, first, &band, &err), IMG_OK, "%s",
                     err.message);
    }
}

/* Encodes as `encode` does, but in bands of `strips` strips. `together`: all threads encode the
 * same band. */
static Bytes encode_in_bands(const ImgImage *image, const ImgMetadata *metadata,
                             const ImgPngEncodeOptions *options, uint32_t strips, bool together,
                             ImgPngEncodeReport *report)
{
    ImgError err = {IMG_OK, ""};
    MemoryFile file = memory_file(NULL);
    ImgOutput *output = NULL;
    const ImgShape shape = img_view_shape(&image->view);
    BandWork work = {.view = &image->view,
                     .heights = img_png_encode_heights(shape, options->level, strips)};
    cr_assert_eq(img_output_open(file.path, NULL, &output, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_png_encoder_start(shape, metadata, options, together ? 1 : strips, output,
                                       &work.encoder, &err),
                 IMG_OK, "%s", err.message);
    pthread_mutex_init(&work.lock, NULL);
    if (together)
        add_bands(&work);
    else
        (void)img_parallel_run(NULL, options->threads, encode_bands, &work);
    pthread_mutex_destroy(&work.lock);
    cr_assert_eq(img_png_encoder_finish(work.encoder, report, &err), IMG_OK, "%s", err.message);
    img_png_encoder_free(work.encoder);
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
    Bytes bytes = read_all(file.path);
    close(file.fd);
    return bytes;
}

typedef struct Reader {
    const Bytes *png;
    size_t at;
} Reader;

static void read_bytes(png_structp png, png_bytep data, size_t size)
{
    Reader *reader = png_get_io_ptr(png);
    if (reader->png->size - reader->at < size)
        png_error(png, "the end");
    memcpy(data, reader->png->data + reader->at, size);
    reader->at += size;
}

static void expect_libpng_reads(const Bytes *bytes, const ImgView *view)
{
    Reader reader = {bytes, 0};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    cr_assert(setjmp(png_jmpbuf(png)) == 0, "libpng refuses the file");
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_read_fn(png, &reader, read_bytes);
    const int to_native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? PNG_TRANSFORM_SWAP_ENDIAN : 0;
    png_read_png(png, info, PNG_TRANSFORM_PACKING | to_native, NULL);
    cr_assert_eq(png_get_image_width(png, info), (uint32_t)view->width);
    cr_assert_eq(png_get_image_height(png, info), (uint32_t)view->height);
    png_bytepp rows = png_get_rows(png, info);
    size_t size = (size_t)view->width * img_format_pixel_size(view->format);
    for (int32_t y = 0; y < view->height; y++)
        cr_assert_arr_eq(rows[y], view->data + (size_t)y * view->stride, size, "row %d", y);
    png_destroy_read_struct(&png, &info, NULL);
}

static void expect_round_trip(ImgShape shape, const ImgPngEncodeOptions *options)
{
    ImgImage image = make_image(shape);
    ImgMetadata metadata = make_metadata(shape.format);
    ImgPngEncodeReport report;
    Bytes bytes = encode(&image, &metadata, options, &report);
    cr_assert_not(report.by_libpng);
    expect_libpng_reads(&bytes, &image.view);
    free(bytes.data);
    img_image_free(&image);
}

Test(png_encode, bands_of_strips_give_the_bytes_of_the_whole, .timeout = 60)
{
    const ImgShape shapes[] = {{700, 2000, {IMG_COLOR_RGB, 8}}, {3, 5, {IMG_COLOR_GRAY, 1}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        ImgImage image = make_image(shapes[i]);
        ImgMetadata metadata = make_metadata(shapes[i].format);
        for (int threads = 1; threads <= 3; threads += 2) {
            const ImgPngEncodeOptions options = {.level = 4, .threads = threads, .index = true};
            ImgPngEncodeReport whole, bands;
            Bytes expected = encode(&image, &metadata, &options, &whole);
            for (uint32_t way = 0; way < 6; way++) {
                const uint32_t strips = 1 + way / 2 * 3;
                Bytes got =
                    encode_in_bands(&image, &metadata, &options, strips, way % 2 == 1, &bands);
                cr_assert_eq(got.size, expected.size);
                cr_assert_arr_eq(got.data, expected.data, got.size);
                cr_expect_eq(bands.strips, whole.strips);
                free(got.data);
            }
            free(expected.data);
        }
        img_metadata_free(&metadata);
        img_image_free(&image);
    }
}

Test(png_encode, a_file_without_all_bands_does_not_finish)
{
    const ImgShape shape = {700, 2000, {IMG_COLOR_RGB, 8}};
    ImgImage image = make_image(shape);
    const ImgPngEncodeOptions options = {.level = 1, .threads = 2};
    const ImgBandHeights heights = img_png_encode_heights(shape, 1, 1);
    ImgPngEncodeReport report;
    ImgPngEncoder *encoder;
    ImgOutput *output = NULL;
    MemoryFile file = memory_file(NULL);
    cr_assert_eq(img_output_open(file.path, NULL, &output, NULL), IMG_OK);
    cr_assert_eq(
        img_png_encoder_start(shape, &IMG_METADATA_NONE, &options, 1, output, &encoder, NULL),
        IMG_OK);
    const ImgView rows = img_view_crop(&image.view, 0, 0, 700, heights.first);
    cr_expect_eq(img_png_encoder_rows(encoder, 0, 0, &rows, NULL), IMG_OK);
    cr_expect_eq(img_png_encoder_finish(encoder, &report, NULL), IMG_E_USAGE);
    img_png_encoder_stop(encoder);
    const ImgView more = img_view_crop(&image.view, 0, heights.first, 700, heights.rest);
    cr_expect_eq(img_png_encoder_rows(encoder, 1, heights.first, &more, NULL), IMG_E_TEMPORARY);
    img_png_encoder_free(encoder);
    img_output_discard(&output);
    close(file.fd);
    img_image_free(&image);
}

Test(png_encode, every_format_size_and_level_round_trips)
{
    static const int32_t sizes[][2] = {{1, 1}, {2, 1},  {1, 3},   {3, 2},  {7, 5},
                                       {9, 1}, {17, 9}, {33, 31}, {64, 3}, {255, 65}};
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int level = (int)s % EVERY(3); level <= 9; level += EVERY(3)) {
                ImgPngEncodeOptions options = {level, 1, true, NULL, NULL, NULL};
                expect_round_trip((ImgShape){sizes[s][0], sizes[s][1], ALL_FORMATS[f]}, &options);
            }
}

Test(png_encode, several_strips_round_trip)
{
    static const int levels[4] = {0, 1, 4, 6};
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (int l = f % (2 * EVERY(2)); l < 4; l += 2 * EVERY(2)) {
            ImgPngEncodeOptions options = {levels[l], 2, true, NULL, NULL, NULL};
            int32_t width = 20000 / (int32_t)img_format_pixel_size(ALL_FORMATS[f]) + 1;
            expect_round_trip((ImgShape){width, 131, ALL_FORMATS[f]}, &options);
        }
}

/* Each row alone is longer than the usual size of a strip, so each strip has one row. */
Test(png_encode, very_wide_pictures_round_trip)
{
    ImgPngEncodeOptions options = {4, 3, true, NULL, NULL, NULL};
    ImgShape shape = {1000003, 4, {IMG_COLOR_GRAY, 8}};
    ImgImage image = make_image(shape);
    ImgMetadata none = IMG_METADATA_NONE;
    ImgPngEncodeReport report;
    Bytes bytes = encode(&image, &none, &options, &report);
    cr_expect_eq(report.strips, 4);
    cr_expect_not(report.index, "the index has no strips of one row");
    expect_libpng_reads(&bytes, &image.view);
    free(bytes.data);
    img_image_free(&image);
}

/* For interlaced pictures, and for rows that are too long for strips, the encoder uses libpng. */
Test(png_encode, libpng_encodes_long_rows_and_interlaced_pictures)
{
    ImgPngEncodeOptions options = {1, 3, true, NULL, NULL, NULL};
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgPngEncodeReport report;
    ImgImage wide = make_image((ImgShape){17 << 20, 1, {IMG_COLOR_GRAY, 8}});
    Bytes bytes = encode(&wide, &metadata, &options, &report);
    cr_expect(report.by_libpng);
    expect_libpng_reads(&bytes, &wide.view);
    free(bytes.data);
    img_image_free(&wide);

    ImgImage image = make_image((ImgShape){19, 23, {IMG_COLOR_RGB, 8}});
    metadata.interlaced = true;
    bytes = encode(&image, &metadata, &options, &report);
    cr_expect(report.by_libpng);
    cr_expect_eq(bytes.data[28], 1, "not interlaced");
    expect_libpng_reads(&bytes, &image.view);
    free(bytes.data);
    img_image_free(&image);
}

Test(png_encode, bytes_do_not_depend_on_threads)
{
    static const int levels[] = {0, 1, 4, 5, 6}, threads[] = {2, 3, 7};
    ImgImage image = make_image((ImgShape){1501, 1411, {IMG_COLOR_RGB, 8}});
    ImgMetadata none = IMG_METADATA_NONE;
    for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
        ImgPngEncodeReport report;
        Bytes expected = encode(
            &image, &none, &(ImgPngEncodeOptions){levels[l], 1, true, NULL, NULL, NULL}, &report);
        cr_assert_gt(report.strips, 2);
        cr_assert(report.index);
        expect_libpng_reads(&expected, &image.view);
        for (size_t t = l % EVERY(3); t < sizeof threads / sizeof threads[0]; t += EVERY(3)) {
            const ImgPngEncodeOptions options = {levels[l], threads[t], true, NULL, NULL, NULL};
            Bytes bytes = encode(&image, &none, &options, &report);
            cr_assert_eq(bytes.size, expected.size);
            cr_assert_arr_eq(bytes.data, expected.data, expected.size);
            free(bytes.data);
        }
        free(expected.data);
    }
    img_image_free(&image);
}

/* The upper half of the picture is smooth with noise, the lower half a pattern. Each strip must use
 * the method that suits it best. */
Test(png_encode, strips_use_different_methods)
{
    ImgImage image = make_image((ImgShape){2003, 1501, {IMG_COLOR_RGB, 8}});
    ImgMetadata none = IMG_METADATA_NONE;
    ImgPngEncodeReport report;
    Bytes bytes =
        encode(&image, &none, &(ImgPngEncodeOptions){4, 1, true, NULL, NULL, NULL}, &report);
    cr_expect_gt(report.by_strategy[IMG_STRIP_BY_RUNS], 0);
    cr_expect_gt(report.by_strategy[IMG_STRIP_BY_MATCHES], 0);
    free(bytes.data);
    img_image_free(&image);
}

/* The output is /dev/full, which behaves like a full disk. All threads must stop, and no thread may
 * stay blocked. */
Test(png_encode, a_failure_ends_all_threads)
{
    ImgImage image = make_image((ImgShape){2003, 1501, {IMG_COLOR_RGB, 8}});
    ImgMetadata none = IMG_METADATA_NONE;
    for (int threads = 1; threads <= 5; threads++) {
        ImgError err = {IMG_OK, ""};
        ImgOutput *output = NULL;
        cr_assert_eq(img_output_open("/dev/full", NULL, &output, &err), IMG_OK);
        ImgPngEncodeOptions options = {0, threads, true, NULL, NULL, NULL};
        cr_expect_eq(img_png_encode(&image, &none, &options, output, NULL, &err), IMG_E_TEMPORARY);
        cr_expect_not_null(strstr(err.message, "no space left"));
        img_output_discard(&output);
    }
    img_image_free(&image);
}

Test(png_encode, palettes_must_fit)
{
    ImgImage image = make_image((ImgShape){3, 3, {IMG_COLOR_PALETTE, 2}});
    ImgMetadata metadata = IMG_METADATA_NONE;
    static const int entries[] = {0, 5};
    for (size_t i = 0; i < 2; i++) {
        metadata.palette_size = entries[i];
        ImgError err = {IMG_OK, ""};
        ImgOutput *output = NULL;
        cr_assert_eq(img_output_open("/dev/null", NULL, &output, &err), IMG_OK);
        ImgPngEncodeOptions options = {4, 1, true, NULL, NULL, NULL};
        cr_expect_eq(img_png_encode(&image, &metadata, &options, output, NULL, &err), IMG_E_FORMAT);
        img_output_discard(&output);
    }
    img_image_free(&image);
}

/* --- Levels ----------------------------------------------------------------------------------- */

/* A higher level must not give a larger file, even if its deeper search finds no additional
 * matches, as in pictures of a single kind. */
Test(png_encode, higher_levels_are_not_larger)
{
    static const ImgFormat formats[] = {{IMG_COLOR_RGB, 8}, {IMG_COLOR_GRAY, 8}};
    for (size_t f = 0; f < 2; f += EVERY(2)) {
        ImgImage image = make_image((ImgShape){901, 703, formats[f]});
        ImgMetadata none = IMG_METADATA_NONE;
        size_t before = SIZE_MAX;
        for (int level = 0; level <= 9; level++) {
            Bytes bytes = encode(&image, &none,
                                 &(ImgPngEncodeOptions){level, 2, true, NULL, NULL, NULL}, NULL);
            cr_expect_leq(bytes.size, before + before / 200, "level %d", level);
            before = bytes.size;
            free(bytes.data);
        }
        img_image_free(&image);
    }
}

/* --- The index of strips ---------------------------------------------------------------------- */

Test(png_index, rows_are_divided_as_the_draft_specifies)
{
    for (int32_t height = 1; height < 300; height++)
        for (int32_t rows = 1; rows < 310; rows++) {
            ImgStrips strips = img_strips_divide(height, rows);
            cr_assert_geq(strips.count, 1);
            cr_assert_eq(strips.rows, height / (int32_t)strips.count);
            cr_assert_eq(strips.first_rows, strips.rows + height % (int32_t)strips.count);
            cr_assert(strips.count == 1 || strips.first_rows < 2 * rows);
            cr_assert_eq(img_strips_start(&strips, 0), 0);
            cr_assert_eq(img_strips_start(&strips, strips.count), height);
        }
}

typedef struct Indexed {
    ImgImage image;
    Bytes png;
    ImgMetadata metadata;
    ImgIdat idat;
    ImgPngEncodeReport report;
} Indexed;

static Indexed make_indexed(ImgShape shape)
{
    Indexed file = {.image = make_image(shape), .metadata = IMG_METADATA_NONE};
    ImgMetadata none = IMG_METADATA_NONE;
    file.png = encode(&file.image, &none, &(ImgPngEncodeOptions){4, 2, true, NULL, NULL, NULL},
                      &file.report);
    cr_assert(file.report.index);
    cr_assert_eq(img_idat_list(file.png.data, file.png.size, &file.idat, NULL), IMG_OK);
    ImgImage again;
    expect_readable(&file.png, &again, &file.metadata);
    img_image_free(&again);
    return file;
}

static void free_indexed(Indexed *file)
{
    img_image_free(&file->image);
    img_metadata_free(&file->metadata);
    img_idat_free(&file->idat);
    free(file->png.data);
}

static ImgPngIndex read_index(const Indexed *file, const ImgChunk *chunk)
{
    ImgPngIndex index;
    cr_assert_eq(img_png_index_read(chunk, &file->idat, file->image.view.height, &index, NULL),
                 IMG_OK);
    return index;
}

/* Expects that each strip in the index can be decompressed on its own, and that the filter of its
 * first row does not use the row above. */
static void expect_true_index(const Indexed *file, const ImgPngIndex *index)
{
    const ImgView *view = &file->image.view;
    size_t row = 1 + img_png_row_bytes(view->width, view->format);
    cr_assert_eq(index->count, file->report.strips);
    for (size_t i = 0; i < index->count; i++) {
        bool last = i + 1 == index->count;
        uint64_t from = index->entries[i].offset + (i == 0 ? 2 : 0);
        uint64_t to = last ? file->idat.size - 4 : index->entries[i + 1].offset;
        int32_t rows = (last ? view->height : index->entries[i + 1].row) - index->entries[i].row;
        uint8_t *in = malloc((size_t)(to - from)), *out = malloc((size_t)rows * row + 1);
        img_idat_copy(&file->idat, from, (size_t)(to - from), in);
        z_stream z = {.next_in = in, .avail_in = (uInt)(to - from)};
        z.next_out = out;
        z.avail_out = (uInt)((size_t)rows * row + 1);
        cr_assert_eq(inflateInit2(&z, -15), Z_OK);
        cr_assert_eq(inflate(&z, Z_SYNC_FLUSH), last ? Z_STREAM_END : Z_OK);
        cr_assert_eq(z.total_out, (size_t)rows * row, "strip %zu", i);
        cr_assert_eq(z.avail_in, 0);
        cr_assert_leq(out[0], 1, "None or Sub");
        inflateEnd(&z);
        free(in);
        free(out);
    }
}

Test(png_index, the_index_is_right)
{
    Indexed file = make_indexed((ImgShape){1501, 1411, {IMG_COLOR_RGB, 8}});
    ImgPngIndex index = read_index(&file, img_png_index_find(&file.metadata));
    expect_true_index(&file, &index);
    img_png_index_free(&index);
    free_indexed(&file);
}

/* Returns an index of type 0 of libspng's draft (io/png/index/index.h), which only other programs
 * write. For each strip except the first, it contains the distance in bytes from the start of the
 * IDAT chunk of the strip before to the start of the IDAT chunk of this strip. */
static ImgChunk with_offsets(const Indexed *file, uint8_t *data)
{
    uint32_t count = file->report.strips;
    memcpy(data, (uint8_t[]){0, 0, 0, 0, 0, (uint8_t)count}, 6);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t distance = file->idat.parts[i - 1].size + 12;
        for (int k = 0; k < 4; k++)
            data[6 + (i - 1) * 4 + (uint32_t)k] = (uint8_t)(distance >> (24 - 8 * k));
    }
    return (ImgChunk){"mARK", IMG_BEFORE_IDAT, 6 + (count - 1) * 4, data};
}

Test(png_index, offsets_are_read)
{
    Indexed file = make_indexed((ImgShape){1501, 1411, {IMG_COLOR_RGB, 8}});
    uint8_t data[1024];
    ImgChunk chunk = with_offsets(&file, data);
    ImgPngIndex index = read_index(&file, &chunk);
    expect_true_index(&file, &index);
    img_png_index_free(&index);
    free_indexed(&file);
}

/* Reads an index from a chunk of any content. Expects that the accepted entries ascend, lie in the
 * file and start at an IDAT chunk. */
static void expect_harmless(const Indexed *file, const ImgChunk *chunk)
{
    ImgPngIndex index = read_index(file, chunk);
    for (size_t i = 0; i < index.count; i++) {
        cr_assert_lt(index.entries[i].offset, file->idat.size);
        cr_assert_lt(index.entries[i].row, file->image.view.height);
        cr_assert(i == 0 ? index.entries[i].offset == 0 && index.entries[i].row == 0
                         : index.entries[i].offset > index.entries[i - 1].offset &&
                               index.entries[i].row > index.entries[i - 1].row);
    }
    img_png_index_free(&index);
}

static void expect_refused(const Indexed *file, const ImgChunk *chunk, const char *what)
{
    ImgPngIndex index = read_index(file, chunk);
    cr_expect_eq(index.count, 0, "%s", what);
    cr_expect_null(index.entries);
    img_png_index_free(&index);
}

Test(png_index, invalid_indices_are_rejected)
{
    Indexed file = make_indexed((ImgShape){1501, 1411, {IMG_COLOR_RGB, 8}});
    uint8_t count = (uint8_t)file.report.strips;
    static const char *const what[] = {"a method",  "a type",       "no strips",
                                       "one strip", "fewer chunks", "more than rows",
                                       "too many",  "shorter",      "longer"};
    uint8_t bytes[][7] = {{1, 1, 0, 0, 0, count},
                          {0, 2, 0, 0, 0, count},
                          {0, 1, 0, 0, 0, 0},
                          {0, 1, 0, 0, 0, 1},
                          {0, 1, 0, 0, 0, (uint8_t)(count - 1)},
                          {0, 1, 0, 0, 5, 131},
                          {0, 1, 255, 255, 255, 255},
                          {0, 1, 0, 0, 0, count},
                          {0, 1, 0, 0, 0, count, 0}};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        ImgChunk chunk = {"mARK", IMG_BEFORE_IDAT, i == 7 ? 5 : i == 8 ? 7 : 6, bytes[i]};
        expect_refused(&file, &chunk, what[i]);
    }
    expect_refused(&file, NULL, "no chunk");
    uint8_t right[6] = {0, 1, 0, 0, 0, count};
    ImgChunk late = {"mARK", IMG_AFTER_IDAT, 6, right};
    expect_refused(&file, &late, "after IDAT");
    late.place = IMG_BEFORE_IDAT;
    ImgPngIndex index = read_index(&file, &late);
    cr_expect_eq(index.count, count, "else nothing here is tested");
    img_png_index_free(&index);
    free_indexed(&file);
}

Test(png_index, wrong_offsets_are_harmless)
{
    Indexed file = make_indexed((ImgShape){1501, 1411, {IMG_COLOR_RGB, 8}});
    uint8_t right[1024], wrong[1024];
    ImgChunk chunk = with_offsets(&file, right);
    chunk.data = wrong;
    for (uint32_t i = 0; i < chunk.size * 8; i++) {
        memcpy(wrong, right, chunk.size);
        wrong[i / 8] ^= (uint8_t)(1U << i % 8);
        expect_refused(&file, &chunk, "a bit is wrong");
    }
    for (int round = 0; round < 20000; round++) {
        memcpy(wrong, right, sizeof wrong);
        uint32_t at = 2 + random_number() % 40;
        wrong[at] = (uint8_t)random_number();
        wrong[2 + random_number() % 40] = (uint8_t)(random_number() % 3);
        ImgChunk some = chunk;
        some.size = round % 3 == 0 ? random_number() % sizeof wrong : chunk.size;
        expect_harmless(&file, &some);
    }
    free_indexed(&file);
}

/* An index chunk of the input file does not match the output, so each of the four types of index
 * chunks is dropped. */
Test(png_index, indices_of_the_input_are_dropped)
{
    ImgImage image = make_image((ImgShape){21, 20, {IMG_COLOR_GRAY, 8}});
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        metadata.interlaced = interlaced;
        static const char *const types[] = {"maRK", "mARK", "iDOT", "blKS", "gAMA"};
        for (size_t i = 0; i < 5; i++)
            cr_assert_eq(img_metadata_add(&metadata, types[i], IMG_BEFORE_PLTE,
                                          (const uint8_t *)"\0\1\0\0", 4, NULL),
                         IMG_OK);
        Bytes bytes =
            encode(&image, &metadata, &(ImgPngEncodeOptions){4, 1, true, NULL, NULL, NULL}, NULL);
        ImgImage again;
        ImgMetadata kept;
        expect_readable(&bytes, &again, &kept);
        cr_expect_eq(kept.count, 1);
        cr_expect_not_null(img_metadata_find(&kept, "gAMA"));
        img_image_free(&again);
        img_metadata_free(&kept);
        img_metadata_free(&metadata);
        free(bytes.data);
    }
    img_image_free(&image);
}

Test(png_index, the_index_is_left_out_on_request)
{
    ImgImage image = make_image((ImgShape){1501, 1411, {IMG_COLOR_RGB, 8}});
    ImgMetadata none = IMG_METADATA_NONE, found;
    ImgPngEncodeReport report;
    Bytes bytes =
        encode(&image, &none, &(ImgPngEncodeOptions){1, 1, false, NULL, NULL, NULL}, &report);
    cr_expect_not(report.index);
    cr_assert_gt(report.strips, 1);
    ImgImage again;
    expect_readable(&bytes, &again, &found);
    cr_expect_null(img_png_index_find(&found));
    cr_expect_null(img_metadata_find(&found, "blKS"));
    img_image_free(&again);
    img_metadata_free(&found);
    free(bytes.data);
    img_image_free(&image);
}

Test(png_encode, libpng_encodes_interlaced_pictures_and_huge_rows)
{
    ImgShape shape = {(16 << 20) / 8, 1, {IMG_COLOR_RGBA, 16}};
    cr_expect_not(img_png_encode_is_by_libpng(shape, false));
    cr_expect(img_png_encode_is_by_libpng(shape, true));
    shape.width++;
    cr_expect(img_png_encode_is_by_libpng(shape, false));
}

/* --- Strips that were encoded elsewhere ------------------------------------------------------- */

/* Encodes strip `number` as the encoder does, and returns its Adler-32. The test must compute it,
 * because the file contains only the Adler-32 of the whole stream. */
static uint32_t adler_of_strip(const ImgView *view, const ImgIdat *idat, uint32_t number)
{
    const ImgPngLevel level = img_png_level(4, view->format);
    ImgStrips strips = img_png_encode_strips(img_view_shape(view), 4);
    ImgStrip rows = {img_strips_start(&strips, number), img_strips_start(&strips, number + 1),
                     number + 1 == strips.count};
    ImgStripWorker *worker = img_strip_worker_create(view, &level, strips.first_rows);
    uint8_t *out = malloc(img_strip_bound(view, strips.first_rows));
    uint32_t *starts = malloc(img_strip_blocks_most(view, strips.first_rows) * sizeof *starts);
    ImgStripResult result;
    cr_assert(img_strip_encode(worker, &rows, out, starts, &result));
    cr_assert_leq(result.size, idat->parts[number].size);
    img_strip_worker_free(worker);
    free(starts);
    free(out);
    return result.adler;
}

static void expect_same_file(const Indexed *file, const ImgPngEncodedStrip *strips, uint32_t made)
{
    ImgImage image = file->image;
    ImgMetadata none = IMG_METADATA_NONE;
    ImgPngEncodeReport report;
    ImgPngEncodedStrips ready = {image.view, (uint32_t)file->idat.count, strips};
    for (int threads = 1; threads <= 3; threads += 2) {
        Bytes again = encode(&image, &none,
                             &(ImgPngEncodeOptions){4, threads, true, NULL, &ready, NULL}, &report);
        cr_assert_eq(report.pre_encoded, made);
        cr_assert_eq(again.size, file->png.size);
        cr_assert_arr_eq(again.data, file->png.data, again.size);
        free(again.data);
    }
}

/* Makes all positions relative to the first one. */
static void make_relative(uint32_t *starts, size_t count)
{
    cr_assert_gt(count, 0);
    for (size_t i = count; i-- > 0;)
        starts[i] -= starts[0];
}

/* In turn, all strips, every second strip or no strip comes from another encoder. In the last round
 * the Adler-32 at the end of the last strip is wrong, and the encoder must replace it. */
Test(png_encode, strips_encoded_elsewhere_are_copied)
{
    Indexed file = make_indexed((ImgShape){1024, 2048, {IMG_COLOR_GRAY_ALPHA, 8}});
    const size_t frame = 12, count = file.idat.count;
    ImgPngEncodedStrip *all = calloc(count, sizeof *all), *some = calloc(count, sizeof *some);
    cr_assert_gt(count, 3);
    ImgPngBlocks blocks;
    cr_assert_eq(img_png_blocks_read(&file.metadata, &file.idat, SIZE_MAX, &blocks, NULL), IMG_OK);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        all[i] = (ImgPngEncodedStrip){.chunk = file.idat.file + file.idat.parts[i].at - 8,
                                      .size = file.idat.parts[i].size + frame,
                                      .adler = adler_of_strip(&file.image.view, &file.idat, i),
                                      .blocks = blocks.starts + at};
        uint64_t end = (file.idat.parts[i].start + file.idat.parts[i].size) * 8;
        for (; at < blocks.count && blocks.starts[at] < end; at++)
            all[i].block_count++;
        make_relative(blocks.starts + at - all[i].block_count, all[i].block_count);
    }
    expect_same_file(&file, all, (uint32_t)count);
    expect_same_file(&file, some, 0);
    for (uint32_t odd = 0; odd < 2; odd++) {
        uint32_t made = 0;
        for (uint32_t i = 0; i < count; i++, made += some[i - 1].chunk != NULL)
            some[i] = i % 2 == odd ? all[i] : (ImgPngEncodedStrip){0};
        expect_same_file(&file, some, made);
    }
    ImgPngEncodedStrip *last = &all[count - 1];
    uint8_t *other = malloc(last->size);
    memcpy(other, last->chunk, last->size);
    other[last->size - 8] ^= 1;
    last->chunk = other;
    expect_same_file(&file, all, (uint32_t)count);
    free(other);
    img_png_blocks_free(&blocks);
    free(some);
    free(all);
    free_indexed(&file);
}
