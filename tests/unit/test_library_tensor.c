/* Batches of files into tensors in host memory. Values are worked out by hand, or compared with
 * imgtool_read_file and imgtool_run. */
#include <math.h>

#include "test_directory.h"
#include "test_library.h"

enum { MOST = 8, MOST_FILES = 16 };

static imgtool_context *context;
static imgtool_error error = IMGTOOL_ERROR_INIT;
static imgtool_error results[MOST];
static imgtool_source sources[MOST];
static imgtool_batch batch;
static void *files[MOST_FILES]; /* memory that end() frees */
static size_t file_count;

static void begin(void)
{
    enter_directory();
    context = test_context(2);
    batch = (imgtool_batch)IMGTOOL_BATCH_INIT;
    batch.sources = sources;
    for (int i = 0; i < MOST; i++) {
        results[i] = (imgtool_error)IMGTOOL_ERROR_INIT;
        sources[i] = (imgtool_source)IMGTOOL_SOURCE_INIT;
    }
}

static void end(void)
{
    imgtool_context_destroy(context);
    while (file_count > 0)
        free(files[--file_count]);
    leave_directory();
}

TestSuite(library_tensor, .init = begin, .fini = end);

/* --- Files ------------------------------------------------------------------------------------ */

/* Returns the bytes, which end() frees. */
static Bytes keep(Bytes bytes)
{
    cr_assert_lt(file_count, MOST_FILES);
    files[file_count++] = bytes.data;
    return bytes;
}

/* Returns a file with a picture of 2 x 2 pixels. `rows` are its rows with their filter bytes. */
static Bytes small_png(int bits, int color_type, const char *chunk, const void *data, size_t size,
                       const void *rows, size_t row_bytes)
{
    Bytes png = {0};
    put_header(&png, 2, 2, bits, color_type, 0);
    if (color_type == 3)
        put_chunk(&png, "PLTE", "\x0a\x14\x1e\x28\x32\x3c\x46\x50\x5a", 9);
    if (chunk != NULL)
        put_chunk(&png, chunk, data, size);
    put_idat(&png, rows, row_bytes);
    put_end(&png);
    return keep(png);
}

static Bytes gray_png(void)
{
    return small_png(8, 0, NULL, NULL, 0, "\0\x00\x33\0\x66\xff", 6);
}

static Bytes rgb_png(void)
{
    return small_png(8, 2, NULL, NULL, 0, "\0\x01\x02\x03\x04\x05\x06\0\x07\x08\x09\x0a\x0b\x0c",
                     14);
}

static Bytes palette_png(void)
{
    return small_png(8, 3, "tRNS", "\xff\x80", 2, "\0\x00\x01\0\x02\x00", 6);
}

/* Appends a source in memory. */
static void add(Bytes png)
{
    sources[batch.count].data = png.data;
    sources[batch.count++].bytes = png.size;
}

static void add_path(const char *path, uint64_t offset, uint64_t bytes)
{
    sources[batch.count].path = path;
    sources[batch.count].offset = offset;
    sources[batch.count++].bytes = bytes;
}

/* Returns a tensor for `count` pictures of 2 x 2 pixels at `data`. */
static imgtool_tensor tensor_at(void *data, int32_t channels, bool channels_first,
                                imgtool_element element)
{
    imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
    tensor.data = data;
    tensor.count = (int32_t)batch.count;
    tensor.width = tensor.height = 2;
    tensor.channels = channels;
    tensor.channels_first = channels_first;
    tensor.element = element;
    return tensor;
}

static void read_all_pictures(const imgtool_tensor *tensor)
{
    EXPECT_OK(imgtool_read_batch(context, &batch, tensor, results, &error), error);
}

static void expect_results_ok(void)
{
    for (size_t i = 0; i < batch.count; i++)
        cr_expect_eq(results[i].status, IMGTOOL_OK, "%zu: %s", i, results[i].message);
}

static imgtool_pipeline *steps(const char *text)
{
    imgtool_pipeline *pipeline = NULL;
    EXPECT_OK(imgtool_pipeline_parse(context, text, &pipeline, &error), error);
    return pipeline;
}

/* --- Values ----------------------------------------------------------------------------------- */

Test(library_tensor, both_layouts_and_gray_as_colour)
{
    uint8_t numbers[24];
    add(rgb_png());
    add(gray_png());
    imgtool_tensor tensor = tensor_at(numbers, 3, false, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers, ((uint8_t[]){1, 2, 3, 4,  5,  6,  7,   8,   9,   10,  11,  12,
                                           0, 0, 0, 51, 51, 51, 102, 102, 102, 255, 255, 255}),
                     24);
    tensor = tensor_at(numbers, 3, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    cr_expect_arr_eq(numbers, ((uint8_t[]){1, 4,  7,   10,  2, 5,  8,   11,  3, 6,  9,   12,
                                           0, 51, 102, 255, 0, 51, 102, 255, 0, 51, 102, 255}),
                     24);
}

Test(library_tensor, every_element)
{
    float floats[4];
    uint16_t words[4];
    add(gray_png());
    imgtool_tensor tensor = tensor_at(words, 1, true, IMGTOOL_UINT16);
    read_all_pictures(&tensor);
    cr_expect_arr_eq(words, ((uint16_t[]){0, 13107, 26214, 65535}), sizeof words);
    tensor = tensor_at(words, 1, true, IMGTOOL_FLOAT16); /* 0, 0.2, 0.4 and 1 */
    read_all_pictures(&tensor);
    cr_expect_arr_eq(words, ((uint16_t[]){0, 0x3266, 0x3666, 0x3c00}), sizeof words);
    tensor = tensor_at(words, 1, true, IMGTOOL_BFLOAT16);
    read_all_pictures(&tensor);
    cr_expect_arr_eq(words, ((uint16_t[]){0, 0x3e4d, 0x3ecd, 0x3f80}), sizeof words);
    tensor = tensor_at(floats, 1, true, IMGTOOL_FLOAT32);
    tensor.mean[0] = 0.5F;
    tensor.deviation[0] = 0.25F;
    read_all_pictures(&tensor);
    cr_expect_eq(floats[0], -2.0F);
    cr_expect_eq(floats[1], (0.2F - 0.5F) / 0.25F);
    cr_expect_eq(floats[2], (0.4F - 0.5F) / 0.25F);
    cr_expect_eq(floats[3], 2.0F);
    expect_results_ok();
}

Test(library_tensor, palettes_become_colours_and_alpha_if_the_tensor_has_it)
{
    uint8_t numbers[16];
    add(palette_png());
    imgtool_tensor tensor = tensor_at(numbers, 3, false, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers, ((uint8_t[]){10, 20, 30, 40, 50, 60, 70, 80, 90, 10, 20, 30}), 12);
    tensor = tensor_at(numbers, 4, false, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(
        numbers, ((uint8_t[]){10, 20, 30, 255, 40, 50, 60, 128, 70, 80, 90, 255, 10, 20, 30, 255}),
        16);
}

Test(library_tensor, a_transparent_colour_becomes_alpha_only_if_the_tensor_has_it)
{
    uint8_t numbers[16];
    /* gray 0x33 and the colour (4, 5, 6) are transparent */
    add(small_png(8, 0, "tRNS", "\0\x33", 2, "\0\x00\x33\0\x66\xff", 6));
    imgtool_tensor tensor = tensor_at(numbers, 2, false, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers, ((uint8_t[]){0, 255, 51, 0, 102, 255, 255, 255}), 8);
    tensor = tensor_at(numbers, 1, false, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    cr_expect_arr_eq(numbers, ((uint8_t[]){0, 51, 102, 255}), 4);
    batch.count = 0;
    add(small_png(8, 2, "tRNS", "\0\x04\0\x05\0\x06", 6,
                  "\0\x01\x02\x03\x04\x05\x06\0\x07\x08\x09\x0a\x0b\x0c", 14));
    tensor = tensor_at(numbers, 4, false, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers,
                     ((uint8_t[]){1, 2, 3, 255, 4, 5, 6, 0, 7, 8, 9, 255, 10, 11, 12, 255}), 16);
}

Test(library_tensor, indices_are_neither_converted_nor_scaled)
{
    uint8_t numbers[8];
    float floats[8];
    add(palette_png());
    add(small_png(4, 0, NULL, NULL, 0, "\0\x1f\0\x20", 4));
    batch.indices = true;
    imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers, ((uint8_t[]){0, 1, 2, 0, 1, 15, 2, 0}), 8);
    tensor = tensor_at(floats, 1, true, IMGTOOL_FLOAT32);
    tensor.mean[0] = 1;
    tensor.deviation[0] = 2;
    read_all_pictures(&tensor);
    cr_expect_arr_eq(floats, ((float[]){-0.5F, 0, 0.5F, -0.5F, 0, 7, 0.5F, -0.5F}), sizeof floats);
    batch.pipeline = steps("flip axis=horizontal");
    tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers, ((uint8_t[]){1, 0, 0, 2, 15, 1, 0, 2}), 8);
    imgtool_pipeline_destroy((imgtool_pipeline *)batch.pipeline);

    batch.pipeline = NULL; /* without `indices` 4-bit gray is scaled */
    batch.indices = false;
    sources[0] = sources[1];
    batch.count = 1;
    read_all_pictures(&tensor);
    cr_expect_arr_eq(numbers, ((uint8_t[]){17, 255, 34, 0}), 4);
}

Test(library_tensor, indices_reject_colours_alpha_and_16_bits)
{
    uint8_t numbers[16];
    add(rgb_png());
    add(small_png(8, 4, NULL, NULL, 0, "\0\x00\x33\x00\x33\0\x66\xff\x66\xff", 10));
    add(small_png(16, 0, NULL, NULL, 0, "\0\x00\x33\x00\x33\0\x66\xff\x66\xff", 10));
    batch.indices = true;
    memset(numbers, 9, sizeof numbers);
    const imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    EXPECT_FAILURE(results[0].status, IMGTOOL_E_UNSUPPORTED, results[0], "memory: colour");
    EXPECT_FAILURE(results[1].status, IMGTOOL_E_UNSUPPORTED, results[1], "gray with alpha");
    EXPECT_FAILURE(results[2].status, IMGTOOL_E_UNSUPPORTED, results[2], "gray of 16 bits");
    for (int i = 0; i < 12; i++)
        cr_expect_eq(numbers[i], 0);
    cr_expect_eq(numbers[12], 9); /* past the tensor */
}

/* --- Steps ------------------------------------------------------------------------------------ */

Test(library_tensor, each_picture_can_have_its_own_steps)
{
    uint8_t numbers[12];
    imgtool_pipeline *flip = steps("flip axis=horizontal"), *turn = steps("rotate angle=180");
    const imgtool_pipeline *each[] = {flip, NULL, turn};
    add(gray_png());
    add(gray_png());
    add(gray_png());
    batch.pipelines = each;
    batch.pipeline = turn; /* not used */
    const imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers, ((uint8_t[]){51, 0, 255, 102, 0, 51, 102, 255, 255, 102, 51, 0}), 12);
    imgtool_pipeline_destroy(flip);
    imgtool_pipeline_destroy(turn);
}

/* Writes noise with EXIF orientation 6, which autorotate turns by 90 degrees. */
static void write_noise(const char *path, int32_t width, int32_t height, imgtool_format format)
{
    static const uint8_t exif[] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0,
                                   3,   0,   0, 0,  1, 0, 6, 0, 0, 0, 0, 0,    0};
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_metadata *metadata = NULL;
    picture.width = width;
    picture.height = height;
    picture.format = format;
    EXPECT_OK(imgtool_picture_allocate(context, &picture, &error), error);
    uint32_t state = (uint32_t)width;
    for (size_t i = 0; i < picture.stride * (size_t)height; i++) {
        state = state * 1664525 + 1013904223;
        ((uint8_t *)picture.pixels)[i] = (uint8_t)(state >> 24);
    }
    EXPECT_OK(imgtool_metadata_create(context, &metadata, &error), error);
    EXPECT_OK(imgtool_metadata_set(metadata, "eXIf", exif, sizeof exif, &error), error);
    encoding.metadata = metadata;
    EXPECT_OK(imgtool_write_file(context, &picture, &encoding, path, &error), error);
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &picture);
}

/* Expects that place `index` of a tensor of bytes, without gaps, has the pixels of the file after
 * the steps, computed by imgtool_run. */
static void expect_as_run(const char *path, const imgtool_pipeline *pipeline, const uint8_t *place)
{
    imgtool_picture from = IMGTOOL_PICTURE_INIT, to = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = NULL;
    EXPECT_OK(imgtool_read_file(context, path, &from, &metadata, &error), error);
    EXPECT_OK(imgtool_run(context, pipeline, &from, &to, metadata, &error), error);
    const size_t row = (size_t)to.width * imgtool_pixel_size(to.format);
    for (int32_t y = 0; y < to.height; y++)
        cr_expect_arr_eq(place + (size_t)y * row,
                         (const uint8_t *)to.pixels + (size_t)y * to.stride, row, "%s: row %d",
                         path, y);
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &from);
    imgtool_picture_free(context, &to);
}

Test(library_tensor, equals_reading_and_running_by_hand)
{
    enum { WIDTH = 61, HEIGHT = 37 };
    static const char *const names[] = {"a.png", "b.png", "c.png"};
    for (int i = 0; i < 3; i++) {
        write_noise(names[i], 120 + 9 * i, 100 - 7 * i, (imgtool_format){IMGTOOL_RGB, 8});
        add_path(names[i], 0, 0);
    }
    imgtool_pipeline *pipeline = steps("autorotate | resize 61x37 fit=fill | sharpen");
    batch.pipeline = pipeline;
    imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
    EXPECT_OK(imgtool_batch_plan(context, &batch, &tensor, &error), error);
    cr_expect_eq(tensor.width, WIDTH);
    cr_expect_eq(tensor.height, HEIGHT);
    cr_expect_eq(tensor.channels, 3);
    cr_expect_eq(tensor.count, 3);
    cr_expect_eq(imgtool_tensor_bytes(&tensor), (size_t)WIDTH * HEIGHT * 9);
    uint8_t *data = malloc(imgtool_tensor_bytes(&tensor));
    tensor.data = data;
    read_all_pictures(&tensor);
    expect_results_ok();
    for (int i = 0; i < 3; i++)
        expect_as_run(names[i], pipeline, data + (size_t)i * WIDTH * HEIGHT * 3);
    free(data);
    imgtool_pipeline_destroy(pipeline);
}

Test(library_tensor, the_plan_knows_the_orientation)
{
    write_noise("a.png", 30, 20, (imgtool_format){IMGTOOL_GRAY, 16});
    add_path("missing.png", 0, 0);
    add_path("a.png", 0, 0);
    imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
    tensor.channels = 4; /* stays */
    imgtool_pipeline *pipeline = steps("autorotate");
    EXPECT_OK(imgtool_batch_plan(context, &batch, &tensor, &error), error);
    cr_expect_eq(tensor.width, 30);
    cr_expect_eq(tensor.height, 20);
    cr_expect_eq(tensor.channels, 4);
    tensor = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
    batch.pipeline = pipeline;
    EXPECT_OK(imgtool_batch_plan(context, &batch, &tensor, &error), error);
    cr_expect_eq(tensor.width, 20);
    cr_expect_eq(tensor.height, 30);
    cr_expect_eq(tensor.channels, 1);
    imgtool_pipeline_destroy(pipeline);
    batch.count = 1;
    tensor = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
    EXPECT_FAILURE(imgtool_batch_plan(context, &batch, &tensor, &error), IMGTOOL_E_IO, error,
                   "missing.png");
    batch.count = 0;
    EXPECT_FAILURE(imgtool_batch_plan(context, &batch, &tensor, &error), IMGTOOL_E_USAGE, error,
                   "no sources");
}

Test(library_tensor, the_plan_of_masks_keeps_palettes)
{
    imgtool_pipeline *pipeline = steps("resize 4x4 fit=fill filter=nearest");
    add(palette_png());
    batch.pipeline = pipeline;
    imgtool_tensor tensor = IMGTOOL_TENSOR_INIT;
    EXPECT_OK(imgtool_batch_plan(context, &batch, &tensor, &error), error);
    cr_expect_eq(tensor.channels, 3);
    tensor = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
    batch.indices = true;
    EXPECT_OK(imgtool_batch_plan(context, &batch, &tensor, &error), error);
    cr_expect_eq(tensor.channels, 1);
    uint8_t numbers[16];
    tensor.data = numbers;
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_arr_eq(numbers, ((uint8_t[]){0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 0, 0, 2, 2, 0, 0}), 16);
    imgtool_pipeline_destroy(pipeline);
}

/* --- Files that fail -------------------------------------------------------------------------- */

Test(library_tensor, files_that_fail_leave_zeros_and_good_neighbours)
{
    uint8_t numbers[7 * 4];
    Bytes good = gray_png(), damaged = gray_png();
    damaged.data[damaged.size - 20] ^= 1;
    write_bytes("damaged.png", (const char *)damaged.data, damaged.size);
    write_text("text.png", "not a picture");
    write_noise("large.png", 3, 2, (imgtool_format){IMGTOOL_GRAY, 8});
    add(good);
    add_path("damaged.png", 0, 0);
    add(good);
    add_path("missing.png", 0, 0);
    add_path("text.png", 0, 0);
    add_path("large.png", 0, 0);
    add(good);
    memset(numbers, 9, sizeof numbers);
    const imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    for (int i = 0; i < 7; i++) {
        const bool is_good = i == 0 || i == 2 || i == 6;
        cr_expect_eq(results[i].status == IMGTOOL_OK, is_good);
        cr_expect_eq(results[i].message[0] == '\0', is_good);
        cr_expect_arr_eq(numbers + (ptrdiff_t)4 * i,
                         (is_good ? (uint8_t[]){0, 51, 102, 255} : (uint8_t[]){0, 0, 0, 0}), 4);
    }
    EXPECT_FAILURE(results[1].status, IMGTOOL_E_FORMAT, results[1], "damaged.png: ");
    EXPECT_FAILURE(results[3].status, IMGTOOL_E_IO, results[3], "missing.png: ");
    EXPECT_FAILURE(results[4].status, IMGTOOL_E_FORMAT, results[4], "text.png: ");
    EXPECT_FAILURE(results[5].status, IMGTOOL_E_UNSUPPORTED, results[5],
                   "large.png: 3 x 2 pixels, in a tensor for pictures of 2 x 2; give all pictures "
                   "one size by a step, such as 'resize 2x2 fit=cover'");
    EXPECT_OK(imgtool_read_batch(context, &batch, &tensor, NULL, &error), error);
    cr_expect_arr_eq(numbers + 24, ((uint8_t[]){0, 51, 102, 255}), 4);
}

Test(library_tensor, limits_hold_for_each_picture)
{
    uint8_t numbers[8];
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.backend = IMGTOOL_BACKEND_CPU;
    config.max_pixels = 4;
    imgtool_context_destroy(context);
    EXPECT_OK(imgtool_context_create(&config, &context, &error), error);
    Bytes large = {0};
    put_header(&large, 3, 2, 8, 0, 0);
    put_idat(&large, "\0\1\2\3\0\1\2\3", 8);
    put_end(&large);
    add(gray_png());
    add(keep(large));
    const imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    cr_expect_eq(results[0].status, IMGTOOL_OK);
    EXPECT_FAILURE(results[1].status, IMGTOOL_E_LIMIT, results[1], "memory: ");
    config.max_memory = 50; /* less than the file */
    imgtool_context_destroy(context);
    EXPECT_OK(imgtool_context_create(&config, &context, &error), error);
    write_bytes("a.bin", (const char *)large.data, large.size);
    sources[0] = (imgtool_source)IMGTOOL_SOURCE_INIT;
    sources[0].path = "a.bin";
    sources[0].bytes = large.size;
    batch.count = 1;
    read_all_pictures(&tensor);
    EXPECT_FAILURE(results[0].status, IMGTOOL_E_LIMIT, results[0], "a.bin: ");
}

Test(library_tensor, parts_of_a_file)
{
    uint8_t numbers[MOST * 4];
    Bytes archive = {0}, gray = gray_png();
    put(&archive, "0123456789", 10);
    put(&archive, gray.data, gray.size);
    const size_t second = archive.size;
    put(&archive, gray.data, gray.size);
    (void)keep(archive);
    write_bytes("archive", (const char *)archive.data, archive.size);
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    add_path("archive", 10, gray.size);
    add_path("archive", second, 0);             /* up to the end */
    add_path("archive", second, gray.size + 1); /* past the end */
    add_path("archive", archive.size + 1, 0);   /* behind the end */
    add_path("archive", 10, gray.size - 1);     /* truncated */
    add_path("archive", 1, UINT64_MAX);         /* overflows */
    add_path("nothing", 1, 2);
    add_path("pipe", 1, 2);
    const imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(results[i].status, IMGTOOL_OK, "%s", results[i].message);
        cr_expect_arr_eq(numbers + (ptrdiff_t)4 * i, ((uint8_t[]){0, 51, 102, 255}), 4);
    }
    EXPECT_FAILURE(results[2].status, IMGTOOL_E_IO, results[2], "archive: has ");
    EXPECT_FAILURE(results[3].status, IMGTOOL_E_IO, results[3], "archive: has ");
    EXPECT_FAILURE(results[4].status, IMGTOOL_E_FORMAT, results[4], "archive: ");
    EXPECT_FAILURE(results[5].status, IMGTOOL_E_IO, results[5], "archive: has ");
    EXPECT_FAILURE(results[6].status, IMGTOOL_E_IO, results[6], "nothing: ");
    EXPECT_FAILURE(results[7].status, IMGTOOL_E_IO, results[7], "pipe: is not a regular file");
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct Calls {
    pthread_t thread;
    uint64_t last;
    bool stops, is_elsewhere;
} Calls;

static bool count_calls(void *user, uint64_t done, uint64_t total)
{
    Calls *calls = user;
    cr_expect_leq(done, total);
    cr_expect_geq(done, calls->last);
    calls->last = done;
    calls->is_elsewhere |= !pthread_equal(calls->thread, pthread_self());
    return !calls->stops;
}

Test(library_tensor, progress_and_cancellation)
{
    Calls calls = {.thread = pthread_self()};
    uint8_t numbers[MOST * 4];
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 3;
    config.progress = count_calls;
    config.progress_user = &calls;
    imgtool_context_destroy(context);
    EXPECT_OK(imgtool_context_create(&config, &context, &error), error);
    for (int i = 0; i < MOST; i++)
        add(gray_png());
    const imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    read_all_pictures(&tensor);
    expect_results_ok();
    cr_expect_eq(calls.last, MOST);
    cr_expect_not(calls.is_elsewhere);
    calls = (Calls){.thread = pthread_self(), .stops = true};
    EXPECT_FAILURE(imgtool_read_batch(context, &batch, &tensor, results, &error),
                   IMGTOOL_E_CANCELLED, error, "cancelled");
    calls.stops = false;
    calls.last = 0;
    read_all_pictures(&tensor); /* the context stays usable */
    expect_results_ok();
}

Test(library_tensor, invalid_arguments)
{
    uint8_t numbers[4 * MOST];
    add(gray_png());
    const imgtool_tensor good = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    imgtool_tensor tensor = good;
#define EXPECT_USAGE(words)                                                                        \
    EXPECT_FAILURE(imgtool_read_batch(context, &batch, &tensor, results, &error), IMGTOOL_E_USAGE, \
                   error, words);                                                                  \
    tensor = good
    EXPECT_FAILURE(imgtool_read_batch(NULL, &batch, &tensor, NULL, &error), IMGTOOL_E_USAGE, error,
                   "context is NULL");
    EXPECT_FAILURE(imgtool_read_batch(context, NULL, &tensor, NULL, &error), IMGTOOL_E_USAGE, error,
                   "batch is NULL");
    EXPECT_FAILURE(imgtool_read_batch(context, &batch, NULL, NULL, &error), IMGTOOL_E_USAGE, error,
                   "tensor is NULL");
    tensor.size = 3;
    EXPECT_USAGE("imgtool_tensor: the size 3");
    tensor.count = 0;
    EXPECT_USAGE("places for 0 pictures, and the batch has 1");
    tensor.count = -1;
    EXPECT_USAGE("-1 pictures");
    tensor.width = 0;
    EXPECT_USAGE("0 x 2 pixels");
    tensor.channels = 5;
    EXPECT_USAGE("5 channels are not 1 to 4");
    tensor.element = (imgtool_element)9;
    EXPECT_USAGE("9 is not an imgtool_element");
    tensor.data = NULL;
    EXPECT_USAGE("data is NULL");
    tensor.width = tensor.height = tensor.count = INT32_MAX;
    EXPECT_USAGE("too large");
    tensor.element = IMGTOOL_FLOAT16;
    tensor.deviation[0] = 0;
    EXPECT_USAGE("the deviation of channel 0 is 0");
    tensor.element = IMGTOOL_FLOAT32;
    tensor.mean[0] = NAN;
    EXPECT_USAGE("the mean of channel 0");
    tensor.deviation[0] = 0; /* integers do not use it */
    read_all_pictures(&tensor);
    tensor = good;
    results[0].size = 8;
    EXPECT_USAGE("imgtool_error: the size 8");
    results[0].size = sizeof results[0] + 1;
    EXPECT_USAGE("imgtool_error: the size");
    results[0].size = sizeof results[0];
    batch.indices = true;
    tensor.channels = 3;
    EXPECT_USAGE("indices need 1 channel");
    batch.size = 0;
    EXPECT_USAGE("imgtool_batch: the size 0");
    batch.size = sizeof batch;
    sources[0].data = NULL;
    EXPECT_USAGE("source 0 has neither a path nor data");
    sources[0].size = 0;
    EXPECT_USAGE("imgtool_source: the size 0");
    batch.sources = NULL;
    EXPECT_USAGE("sources is NULL");
    batch.count = (size_t)INT32_MAX + 1;
    EXPECT_USAGE("are more than");
    batch.count = 0;
    tensor.count = 0;
    tensor.data = NULL;
    EXPECT_OK(imgtool_read_batch(context, &batch, &tensor, NULL, &error), error);
}

Test(library_tensor, bytes_of_tensors)
{
    imgtool_tensor tensor = tensor_at(NULL, 3, true, IMGTOOL_FLOAT32);
    tensor.count = 5;
    cr_expect_eq(imgtool_tensor_bytes(&tensor), (size_t)5 * 4 * 3 * 4);
    tensor.element = IMGTOOL_BFLOAT16;
    cr_expect_eq(imgtool_tensor_bytes(&tensor), (size_t)5 * 4 * 3 * 2);
    tensor.count = tensor.width = tensor.height = INT32_MAX;
    cr_expect_eq(imgtool_tensor_bytes(&tensor), 0);
    cr_expect_eq(imgtool_tensor_bytes(NULL), 0);
    tensor.size = 8;
    cr_expect_eq(imgtool_tensor_bytes(&tensor), 0);
}

/* Sources and results of a later version have more members. */
Test(library_tensor, arrays_of_larger_structs)
{
    struct {
        imgtool_source known;
        uint64_t later[3];
    } later[2] = {{IMGTOOL_SOURCE_INIT, {7, 7, 7}}, {IMGTOOL_SOURCE_INIT, {7, 7, 7}}};
    struct {
        imgtool_error known;
        uint64_t later;
    } told[2] = {{IMGTOOL_ERROR_INIT, 7}, {{0, IMGTOOL_OK, ""}, 7}};
    uint8_t numbers[8];
    const Bytes gray = gray_png();
    for (int i = 0; i < 2; i++) {
        later[i].known.size = sizeof later[i];
        later[i].known.data = gray.data;
        later[i].known.bytes = i == 0 ? gray.size : 20;
    }
    told[0].known.size = sizeof told[0];
    batch.sources = &later[0].known;
    batch.count = 2;
    const imgtool_tensor tensor = tensor_at(numbers, 1, true, IMGTOOL_UINT8);
    EXPECT_OK(imgtool_read_batch(context, &batch, &tensor, &told[0].known, &error), error);
    cr_expect_eq(told[0].known.status, IMGTOOL_OK);
    cr_expect_eq(told[1].known.status, IMGTOOL_E_FORMAT);
    cr_expect_eq(told[1].known.size, sizeof told[0]);
    cr_expect_arr_eq(numbers, ((uint8_t[]){0, 51, 102, 255, 0, 0, 0, 0}), 8);
}
