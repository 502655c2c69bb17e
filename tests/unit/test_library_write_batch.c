/* Tensors become files: values are worked out by hand, and files are read again. */
#include <math.h>
#include <string.h>

#include "test_library.h"

enum { MOST = 4 };

static imgtool_context *context;
static imgtool_error error = IMGTOOL_ERROR_INIT;
static imgtool_encoded files[MOST];
static imgtool_error results[MOST];
static imgtool_tensor tensor;

static void begin(void)
{
    context = test_context(2);
    tensor = (imgtool_tensor)IMGTOOL_TENSOR_INIT;
    for (int i = 0; i < MOST; i++) {
        files[i] = (imgtool_encoded)IMGTOOL_ENCODED_INIT;
        results[i] = (imgtool_error)IMGTOOL_ERROR_INIT;
    }
}

static void end(void)
{
    for (int i = 0; i < MOST; i++)
        imgtool_free(context, files[i].data);
    imgtool_context_destroy(context);
}

TestSuite(library_write_batch, .init = begin, .fini = end);

/* Writes the tensor, whose numbers are at `data`. */
static void write_tensor(void *data, int32_t count, int32_t height, int32_t width, int32_t channels)
{
    tensor.data = data;
    tensor.count = count;
    tensor.height = height;
    tensor.width = width;
    tensor.channels = channels;
    EXPECT_OK(imgtool_write_batch(context, &tensor, NULL, files, results, &error), error);
}

/* Expects that file `index` has these samples, `bytes` bytes in all. */
static void expect_samples(int index, imgtool_color color, int bits, const void *samples,
                           size_t bytes)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    EXPECT_OK(
        imgtool_read_memory(context, files[index].data, files[index].bytes, &picture, NULL, &error),
        error);
    cr_expect_eq(picture.format.color, color);
    cr_expect_eq(picture.format.bits, bits);
    const size_t row = bytes / (size_t)picture.height;
    for (int32_t y = 0; y < picture.height; y++)
        cr_expect_arr_eq((char *)picture.pixels + (size_t)y * picture.stride,
                         (const char *)samples + (size_t)y * row, row);
    imgtool_picture_free(context, &picture);
}

Test(library_write_batch, bytes_are_written_as_they_are)
{
    uint8_t numbers[] = {1, 2, 3, 4, 5, 6, /* the second picture */ 250, 251, 252, 253, 254, 255};
    write_tensor(numbers, 2, 2, 1, 3);
    expect_samples(0, IMGTOOL_RGB, 8, numbers, 6);
    expect_samples(1, IMGTOOL_RGB, 8, numbers + 6, 6);
}

Test(library_write_batch, channels_first)
{
    uint8_t planes[] = {1, 2, 11, 12};
    const uint8_t pixels[] = {1, 11, 2, 12};
    tensor.channels_first = true;
    write_tensor(planes, 1, 1, 2, 2);
    expect_samples(0, IMGTOOL_GRAY_ALPHA, 8, pixels, sizeof pixels);
}

Test(library_write_batch, numbers_of_16_bits)
{
    uint16_t numbers[] = {0, 1, 258, 65535};
    tensor.element = IMGTOOL_UINT16;
    write_tensor(numbers, 1, 2, 2, 1);
    expect_samples(0, IMGTOOL_GRAY, 16, numbers, sizeof numbers);
}

Test(library_write_batch, mean_and_deviation_are_undone)
{
    /* 0.2, 0.4 and 1 are 51, 102 and 255 of 255 */
    float numbers[] = {(0.2F - 0.5F) / 0.25F, (0.4F - 0.5F) / 0.25F, 2, -2};
    const uint8_t samples[] = {51, 102, 255, 0};
    tensor.element = IMGTOOL_FLOAT32;
    tensor.mean[0] = 0.5F;
    tensor.deviation[0] = 0.25F;
    write_tensor(numbers, 1, 2, 2, 1);
    expect_samples(0, IMGTOOL_GRAY, 8, samples, sizeof samples);
}

Test(library_write_batch, floats_outside_0_to_1)
{
    float numbers[] = {-1, 1.5F, NAN, INFINITY, -INFINITY, 0.5F};
    /* 127.5 becomes 128, which is even */
    const uint8_t samples[] = {0, 255, 0, 255, 0, 128};
    tensor.element = IMGTOOL_FLOAT32;
    write_tensor(numbers, 1, 1, 6, 1);
    expect_samples(0, IMGTOOL_GRAY, 8, samples, sizeof samples);
}

Test(library_write_batch, halves)
{
    /* 1, 0.5, 2^-24 (the smallest), infinity, not a number, -1, 0.25 */
    uint16_t numbers[] = {0x3c00, 0x3800, 1, 0x7c00, 0x7e00, 0xbc00, 0x3400};
    const uint8_t samples[] = {255, 128, 0, 255, 0, 0, 64};
    tensor.element = IMGTOOL_FLOAT16;
    write_tensor(numbers, 1, 1, 7, 1);
    expect_samples(0, IMGTOOL_GRAY, 8, samples, sizeof samples);
}

Test(library_write_batch, upper_halves_of_floats)
{
    uint16_t numbers[] = {0x3f80, 0x3f00, 0x7f80, 0x7fc0, 0xbf80};
    const uint8_t samples[] = {255, 128, 255, 0, 0};
    tensor.element = IMGTOOL_BFLOAT16;
    write_tensor(numbers, 1, 1, 5, 1);
    expect_samples(0, IMGTOOL_GRAY, 8, samples, sizeof samples);
}

/* All bytes survive the way to each element type and back. */
Test(library_write_batch, there_and_back)
{
    static const imgtool_element elements[] = {IMGTOOL_UINT8, IMGTOOL_FLOAT16, IMGTOOL_FLOAT32};
    uint8_t bytes[256], other[4 * 256];
    imgtool_source source = IMGTOOL_SOURCE_INIT;
    imgtool_batch batch = IMGTOOL_BATCH_INIT;
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    write_tensor(bytes, 1, 16, 16, 1);
    source.data = files[0].data;
    source.bytes = files[0].bytes;
    batch.sources = &source;
    batch.count = 1;
    for (int e = 0; e < 3; e++) {
        tensor.element = elements[e];
        tensor.mean[0] = 0.25F;
        tensor.data = other;
        EXPECT_OK(imgtool_read_batch(context, &batch, &tensor, NULL, &error), error);
        EXPECT_OK(imgtool_write_batch(context, &tensor, NULL, files + 1, NULL, &error), error);
        expect_samples(1, IMGTOOL_GRAY, 8, bytes, sizeof bytes);
        imgtool_free(context, files[1].data);
        files[1].data = NULL;
    }
}

Test(library_write_batch, usage)
{
    uint8_t number = 1;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    encoding.level = 77;
    write_tensor(&number, 1, 1, 1, 1);
    cr_expect_eq(imgtool_write_batch(NULL, &tensor, NULL, files, NULL, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_write_batch(context, NULL, NULL, files, NULL, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_write_batch(context, &tensor, NULL, NULL, NULL, &error), IMGTOOL_E_USAGE);
    cr_expect_eq(imgtool_write_batch(context, &tensor, &encoding, files + 1, NULL, &error),
                 IMGTOOL_E_USAGE);
    files[1].size = 1;
    cr_expect_eq(imgtool_write_batch(context, &tensor, NULL, files + 1, NULL, &error),
                 IMGTOOL_E_USAGE);
}

static bool stop(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return false;
}

Test(library_write_batch, cancelled)
{
    uint8_t numbers[2] = {1, 2};
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *other = NULL;
    config.progress = stop;
    cr_assert_eq(imgtool_context_create(&config, &other, &error), IMGTOOL_OK);
    tensor.data = numbers;
    tensor.count = 2;
    tensor.height = tensor.width = tensor.channels = 1;
    cr_expect_eq(imgtool_write_batch(other, &tensor, NULL, files, NULL, &error),
                 IMGTOOL_E_CANCELLED);
    cr_expect_null(files[0].data);
    imgtool_context_destroy(other);
}

/* Without a GPU, or without CUDA in the build, each picture fails, and the call does not. */
Test(library_write_batch, without_a_gpu)
{
    size_t count = 0;
    uint8_t number = 1;
    if (imgtool_devices(NULL, 0, &count, NULL) == IMGTOOL_OK && count > 0)
        cr_skip_test("this machine has a GPU");
    tensor.data = &number;
    tensor.count = tensor.height = tensor.width = tensor.channels = 1;
    EXPECT_OK(imgtool_write_batch_device(context, &tensor, NULL, NULL, files, results, &error),
              error);
    cr_expect_eq(results[0].status, IMGTOOL_E_UNAVAILABLE);
    cr_expect_null(files[0].data);
}
