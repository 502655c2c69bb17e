/* Tests of an allocator of the caller. The library returns all its memory to this allocator. If an
 * allocation fails, the call fails without a leak. */
#include "test_library.h"

typedef struct Counting {
    /* `fails_at` is the number of the allocation that fails, counted from 1; 0 if none fails. */
    int alive, calls, fails_at;
    size_t largest;
} Counting;

static void *count_allocate(void *user, size_t size)
{
    Counting *counting = user;
    if (++counting->calls == counting->fails_at)
        return NULL;
    counting->alive++;
    counting->largest = size > counting->largest ? size : counting->largest;
    return malloc(size);
}

static void count_release(void *user, void *memory)
{
    Counting *counting = user;
    cr_assert_not_null(memory);
    counting->alive--;
    free(memory);
}

static imgtool_context *counted(Counting *counting)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    config.threads = 2;
    config.allocator = (imgtool_allocator){count_allocate, count_release, counting};
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    return context;
}

static Bytes some_png(void)
{
    return test_png((ImgShape){200, 150, {IMG_COLOR_RGB, 8}}, false);
}

/* Reads, converts and writes a picture. Returns the status of the first call that fails. */
static imgtool_status work(imgtool_context *context, const Bytes *png)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, bgra = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = NULL;
    void *data = NULL;
    size_t bytes = 0;
    bgra.format = (imgtool_format){IMGTOOL_BGRA, 8};
    imgtool_status status =
        imgtool_read_memory(context, png->data, png->size, &picture, &metadata, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_read_memory(context, png->data, png->size, &bgra, NULL, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_write_memory(context, &bgra, NULL, &data, &bytes, &error);
    cr_expect_eq(error.status, status);
    cr_expect_eq(error.message[0] == '\0', status == IMGTOOL_OK);
    imgtool_free(context, data);
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &picture);
    imgtool_picture_free(context, &bgra);
    return status;
}

Test(library_memory, every_allocation_may_fail)
{
    Bytes png = some_png();
    int calls = 0;
    for (int fails_at = 0; fails_at <= calls; fails_at++) {
        Counting counting = {.fails_at = fails_at};
        imgtool_context *context = counted(&counting);
        imgtool_status status = work(context, &png);
        cr_expect_eq(status, fails_at == 0 ? IMGTOOL_OK : IMGTOOL_E_MEMORY, "allocation %d",
                     fails_at);
        cr_expect_eq(counting.alive, 0, "allocation %d", fails_at);
        calls = fails_at == 0 ? counting.calls : calls;
        imgtool_context_destroy(context);
    }
    cr_expect_geq(calls, 4);
    free(png.data);
}

Test(library_memory, pictures_of_damaged_files_are_freed)
{
    Counting counting = {0};
    imgtool_context *context = counted(&counting);
    Bytes png = some_png();
    png.data[png.size / 2] ^= 1;
    cr_expect_eq(work(context, &png), IMGTOOL_E_FORMAT);
    cr_expect_eq(counting.alive, 0);
    cr_expect_gt(counting.calls, 0);
    free(png.data);
    imgtool_context_destroy(context);
}

/* A picture beyond the limit must be rejected before its memory is allocated. */
Test(library_memory, pictures_beyond_the_limit_are_not_allocated)
{
    const size_t pixels = (size_t)200 * 150 * 8;
    Counting counting = {0};
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    Bytes png = some_png();
    config.allocator = (imgtool_allocator){count_allocate, count_release, &counting};
    config.max_memory = pixels + png.size - 1;
    picture.format = (imgtool_format){IMGTOOL_RGBA, 16};
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error),
                   IMGTOOL_E_LIMIT, error, "more than the limit");
    cr_expect_lt(counting.largest, pixels);
    cr_expect_eq(counting.alive, 0);
    imgtool_context_destroy(context);
    config.max_memory++;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    EXPECT_OK(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error), error);
    cr_expect_eq(counting.largest, pixels);
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
    free(png.data);
}

static bool fail_after(void *user, uint64_t done, uint64_t total)
{
    (void)total;
    return !(*(const bool *)user && done > 0);
}

Test(library_memory, files_of_cancelled_writing_are_freed)
{
    Counting counting = {0};
    bool cancels = false;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    void *data;
    size_t bytes;
    config.allocator = (imgtool_allocator){count_allocate, count_release, &counting};
    config.progress = fail_after;
    config.progress_user = &cancels;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    Bytes png = some_png();
    EXPECT_OK(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error), error);
    cancels = true;
    EXPECT_FAILURE(imgtool_write_memory(context, &picture, NULL, &data, &bytes, &error),
                   IMGTOOL_E_CANCELLED, error, "cancelled");
    cr_expect_null(data);
    cr_expect_eq(counting.alive, 1);
    imgtool_picture_free(context, &picture);
    cr_expect_eq(counting.alive, 0);
    free(png.data);
    imgtool_context_destroy(context);
}

/* In a picture of 200 x 200, trim leaves only one column. The result of resize is then 300 x 60000
 * instead of 300 x 300. */
Test(library_memory, the_size_after_trim_is_limited)
{
    static uint8_t pixels[200][200];
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_picture from = IMGTOOL_PICTURE_INIT;
    for (size_t y = 0; y < 200; y++)
        pixels[y][77] = 255;
    from.width = from.height = 200;
    from.format = (imgtool_format){IMGTOOL_GRAY, 8};
    from.pixels = pixels;
    from.stride = 200;
    config.threads = 1;
    for (int i = 0; i < 2; i++) {
        imgtool_context *context = NULL;
        imgtool_pipeline *pipeline = NULL;
        imgtool_picture to = IMGTOOL_PICTURE_INIT;
        imgtool_error error = IMGTOOL_ERROR_INIT;
        uint64_t bytes = 0;
        config.max_memory = i == 0 ? 4000000 : 20000000;
        cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
        cr_assert_eq(imgtool_pipeline_parse(context, "trim | resize 300", &pipeline, NULL),
                     IMGTOOL_OK);
        cr_expect_eq(imgtool_pipeline_plan(context, pipeline, &from, NULL, &to, &bytes, NULL),
                     IMGTOOL_OK);
        cr_expect_lt(bytes, 4000000);
        to = (imgtool_picture)IMGTOOL_PICTURE_INIT;
        const imgtool_status status = imgtool_run(context, pipeline, &from, &to, NULL, &error);
        cr_expect_eq(status, i == 0 ? IMGTOOL_E_LIMIT : IMGTOOL_OK, "%s", error.message);
        cr_expect_eq(to.height, i == 0 ? 0 : 60000);
        imgtool_picture_free(context, &to);
        imgtool_pipeline_destroy(pipeline);
        imgtool_context_destroy(context);
    }
}
