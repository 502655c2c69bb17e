/* Tests of reading rows in order through the public interface. */
#include "app/library/context.h"
#include "test_library.h"

static const imgtool_format AS_IT_IS = {IMGTOOL_AS_IT_IS, 0};

/* Expects that the rows that are read from a file form its whole picture. Returns the collected
 * rows. */
static TestRows expect_rows(imgtool_context *context, const Bytes *png, imgtool_format format)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_reader *reader = NULL;
    imgtool_picture whole = IMGTOOL_PICTURE_INIT;
    TestRows rows = {.context = context};
    whole.format = format;
    EXPECT_OK(imgtool_read_memory(context, png->data, png->size, &whole, NULL, &error), error);
    EXPECT_OK(imgtool_open_memory(context, png->data, png->size, &reader, &error), error);
    EXPECT_OK(imgtool_reader_rows(reader, format, test_take_rows, &rows, &error), error);
    cr_expect_eq(rows.next, whole.height);
    cr_expect(pthread_equal(rows.thread, pthread_self()), "on another thread");
    expect_equal_pictures(&rows.all, &whole);
    imgtool_reader_destroy(reader);
    imgtool_picture_free(context, &whole);
    imgtool_picture_free(context, &rows.all);
    return rows;
}

Test(library_rows, every_format_gives_rows)
{
    imgtool_context *context = test_context(1);
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int interlaced = 0; interlaced < 2; interlaced++) {
            Bytes png = test_png((ImgShape){37, 41, ALL_FORMATS[i]}, interlaced != 0);
            (void)expect_rows(context, &png, AS_IT_IS);
            (void)expect_rows(context, &png, (imgtool_format){IMGTOOL_BGRA, 8});
            (void)expect_rows(context, &png, (imgtool_format){IMGTOOL_GRAY, 32});
            free(png.data);
        }
    imgtool_context_destroy(context);
}

static Bytes large_png(void)
{
    return test_png((ImgShape){700, 900, {IMG_COLOR_RGB, 16}}, false);
}

Test(library_rows, rows_arrive_on_the_calling_thread_while_several_threads_decode)
{
    Bytes png = large_png();
    for (int threads = 1; threads <= 5; threads++) {
        imgtool_context *context = test_context(threads);
        TestRows same = expect_rows(context, &png, AS_IT_IS);
        TestRows other = expect_rows(context, &png, (imgtool_format){IMGTOOL_RGBA, 8});
        cr_expect(same.most < 450 && other.most < 450, "%d threads: %zu and %zu rows at a time",
                  threads, same.most, other.most);
        imgtool_context_destroy(context);
    }
    free(png.data);
}

Test(library_rows, the_caller_can_stop)
{
    Bytes png = large_png();
    for (int threads = 1; threads <= 4; threads++) {
        imgtool_context *context = test_context(threads);
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_reader *reader = NULL;
        TestRows rows = {.context = context, .stop_after = 100};
        EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
        EXPECT_FAILURE(imgtool_reader_rows(reader, AS_IT_IS, test_take_rows, &rows, &error),
                       IMGTOOL_E_CANCELLED, error, "cancelled");
        cr_expect_lt(rows.next, 900);
        EXPECT_FAILURE(imgtool_reader_rows(reader, AS_IT_IS, test_take_rows, &rows, &error),
                       IMGTOOL_E_USAGE, error, "already");
        imgtool_reader_destroy(reader);
        imgtool_picture_free(context, &rows.all);
        imgtool_context_destroy(context);
    }
    free(png.data);
}

/* --- Progress --------------------------------------------------------------------------------- */

typedef struct Steps {
    uint64_t last, total;
    int calls, most;
} Steps;

static bool note_step(void *user, uint64_t done, uint64_t total)
{
    Steps *steps = user;
    cr_assert_geq(done, steps->last);
    cr_assert_leq(done, total);
    steps->last = done;
    steps->total = total;
    return ++steps->calls != steps->most;
}

static imgtool_context *watched(Steps *steps, int32_t threads)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    config.threads = threads;
    config.progress = note_step;
    config.progress_user = steps;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    return context;
}

Test(library_rows, progress_is_reported_and_can_cancel)
{
    Bytes png = large_png();
    imgtool_error error = IMGTOOL_ERROR_INIT;
    for (int most = 0; most < 4; most++) {
        Steps steps = {.most = most};
        imgtool_context *context = watched(&steps, 2);
        imgtool_reader *reader = NULL;
        TestRows rows = {.context = context};
        EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
        imgtool_status status =
            imgtool_reader_rows(reader, AS_IT_IS, test_take_rows, &rows, &error);
        cr_expect_eq(status, most == 0 ? IMGTOOL_OK : IMGTOOL_E_CANCELLED);
        cr_expect_eq(steps.total, 900);
        cr_expect(most > 0 ? steps.calls == most : steps.last == 900);
        imgtool_reader_destroy(reader);
        imgtool_picture_free(context, &rows.all);
        imgtool_context_destroy(context);
    }
    free(png.data);
}

static imgtool_status read_whole(imgtool_context *context, const Bytes *png, imgtool_color color)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.format = (imgtool_format){color, 0};
    imgtool_status status =
        imgtool_read_memory(context, png->data, png->size, &picture, NULL, &error);
    cr_expect_eq(error.status, status);
    cr_expect_eq(picture.pixels != NULL, status == IMGTOOL_OK);
    imgtool_picture_free(context, &picture);
    return status;
}

/* Any call of the progress function can cancel, also in the middle of the picture. Nothing must
 * leak. */
Test(library_rows, a_whole_picture_can_be_watched_and_cancelled)
{
    Bytes png = large_png();
    static const imgtool_color colors[] = {IMGTOOL_AS_IT_IS, IMGTOOL_RGBA};
    for (int32_t threads = 1; threads < 5; threads += 3)
        for (int i = 0; i < 2; i++) {
            Steps all = {.most = 0};
            imgtool_context *context = watched(&all, threads);
            cr_expect_eq(read_whole(context, &png, colors[i]), IMGTOOL_OK);
            cr_expect(all.last == 900 && all.total == 900 && all.calls >= 2);
            cr_expect(threads > 1 || all.calls > 4, "%d calls", all.calls);
            imgtool_context_destroy(context);
            for (int most = 1; most <= all.calls; most++) {
                Steps steps = {.most = most};
                context = watched(&steps, threads);
                imgtool_status status = read_whole(context, &png, colors[i]);
                cr_expect(status == IMGTOOL_E_CANCELLED || steps.calls < most);
                imgtool_context_destroy(context);
            }
        }
    free(png.data);
}

static void expect_watched_by_libpng(const Bytes *png, imgtool_status expected)
{
    Steps all = {.most = 0}, some = {.most = 100};
    imgtool_context *context = watched(&all, 2);
    cr_expect_eq(read_whole(context, png, IMGTOOL_AS_IT_IS), expected);
    cr_expect(all.last >= 899 && all.total == 900 && all.calls > 800, "%d calls", all.calls);
    imgtool_context_destroy(context);
    context = watched(&some, 2);
    cr_expect_eq(read_whole(context, png, IMGTOOL_AS_IT_IS), IMGTOOL_E_CANCELLED);
    cr_expect_eq(some.calls, 100);
    imgtool_context_destroy(context);
}

Test(library_rows, reading_with_libpng_can_be_watched_and_cancelled)
{
    /* distance of the damaged byte from the end of the file: IEND, the CRC, and the byte itself */
    enum { BEHIND = 12 + 4 + 1 };
    Bytes interlaced = test_png((ImgShape){700, 900, {IMG_COLOR_RGB, 8}}, true);
    Bytes damaged = large_png();
    expect_watched_by_libpng(&interlaced, IMGTOOL_OK);
    damaged.data[damaged.size - BEHIND] ^= 1;
    expect_watched_by_libpng(&damaged, IMGTOOL_E_FORMAT);
    free(interlaced.data);
    free(damaged.data);
}

/* If a decode fails at its last row, the rows are decoded again in another way. The repetition can
 * be cancelled, too. */
Test(library_rows, repeated_rows_can_be_cancelled)
{
    Steps steps = {.most = 3};
    imgtool_context *context = watched(&steps, 1);
    ImgProgress progress = img_lib_codec_progress(context);
    ImgError err = {IMG_OK, ""};
    img_progress_start(&progress, 10);
    cr_expect(img_progress_add_rows(&progress, 10));
    cr_expect(img_progress_add_rows(&progress, 5));
    cr_expect_not(img_progress_add_rows(&progress, 5));
    cr_expect_eq(steps.last, 10);
    cr_expect(img_progress_is_cancelled(&progress, &err));
    cr_expect_str_eq(err.message, "cancelled");
    imgtool_context_destroy(context);
}

static bool count_bytes(void *user, const void *data, size_t bytes)
{
    (void)data;
    *(size_t *)user += bytes;
    return true;
}

static imgtool_status write_interlaced(Steps *steps)
{
    Bytes png = large_png();
    imgtool_context *context = watched(steps, 2), *quiet = test_context(1);
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    size_t bytes = 0;
    encoding.interlaced = true;
    cr_assert_eq(imgtool_read_memory(quiet, png.data, png.size, &picture, NULL, NULL), IMGTOOL_OK);
    imgtool_status status =
        imgtool_write_callback(context, &picture, &encoding, count_bytes, &bytes, NULL);
    imgtool_picture_free(quiet, &picture);
    imgtool_context_destroy(context);
    imgtool_context_destroy(quiet);
    free(png.data);
    return status;
}

Test(library_rows, interlaced_writing_can_be_watched_and_cancelled)
{
    Steps all = {.most = 0}, some = {.most = 100};
    cr_expect_eq(write_interlaced(&all), IMGTOOL_OK);
    cr_expect(all.last == 900 && all.total == 900 && all.calls > 100, "%d calls", all.calls);
    cr_expect_eq(write_interlaced(&some), IMGTOOL_E_CANCELLED);
    cr_expect_eq(some.calls, 100);
}

Test(library_rows, writing_can_be_watched_and_cancelled)
{
    Bytes png = large_png();
    imgtool_error error = IMGTOOL_ERROR_INIT;
    for (int32_t threads = 1; threads < 5; threads += 3) {
        Steps steps = {.most = 0};
        imgtool_context *context = watched(&steps, threads), *quiet = test_context(1);
        imgtool_picture picture = IMGTOOL_PICTURE_INIT;
        size_t bytes = 0, some = 0;
        EXPECT_OK(imgtool_read_memory(quiet, png.data, png.size, &picture, NULL, &error), error);
        EXPECT_OK(imgtool_write_callback(context, &picture, NULL, count_bytes, &bytes, &error),
                  error);
        cr_expect(steps.last == 900 && (threads > 1 || steps.calls > 4), "%d calls", steps.calls);
        steps = (Steps){.most = 2};
        EXPECT_FAILURE(imgtool_write_callback(context, &picture, NULL, count_bytes, &some, &error),
                       IMGTOOL_E_CANCELLED, error, "cancelled");
        cr_expect_lt(some, bytes);
        imgtool_picture_free(quiet, &picture);
        imgtool_context_destroy(context);
        imgtool_context_destroy(quiet);
    }
    free(png.data);
}

/* --- Damage ----------------------------------------------------------------------------------- */

Test(library_rows, damage_is_reported_at_the_end)
{
    Bytes png = large_png();
    /* Changes the Adler-32 of the data, so the CRC of the chunk is wrong, too. */
    png.data[png.size - 20] ^= 1;
    for (int threads = 1; threads <= 4; threads++) {
        imgtool_context *context = test_context(threads);
        imgtool_error error = IMGTOOL_ERROR_INIT;
        imgtool_reader *reader = NULL;
        TestRows rows = {.context = context};
        EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
        EXPECT_FAILURE(imgtool_reader_rows(reader, AS_IT_IS, test_take_rows, &rows, &error),
                       IMGTOOL_E_FORMAT, error, "memory: damaged");
        imgtool_reader_destroy(reader);
        imgtool_picture_free(context, &rows.all);
        imgtool_context_destroy(context);
    }
    free(png.data);
}

/* Data after the end of the picture is dropped with a warning. The reader notices such data only at
 * the end, and must not deliver any row twice. */
Test(library_rows, a_warning_at_the_end_repeats_no_row)
{
    ImgShape shape = {700, 900, {IMG_COLOR_RGB, 16}};
    Bytes raw = test_rows(shape, false), png = {0};
    put(&raw, "more", 4);
    put_test_header(&png, shape, false);
    put_idat(&png, raw.data, raw.size);
    put_end(&png);
    for (int threads = 1; threads <= 4; threads += 3) {
        imgtool_context *context = test_context(threads);
        (void)expect_rows(context, &png, AS_IT_IS);
        (void)expect_rows(context, &png, (imgtool_format){IMGTOOL_GRAY, 8});
        imgtool_context_destroy(context);
    }
    free(raw.data);
    free(png.data);
}

Test(library_rows, rows_keep_the_memory_limit_if_the_picture_would_not)
{
    Bytes png = large_png();
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 2;
    config.max_memory = png.size + 2000000; /* less than the 3,780,000 bytes of the picture */
    imgtool_context *context = NULL, *wide = test_context(1);
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    imgtool_reader *reader = NULL;
    TestRows rows = {.context = wide};
    EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
    EXPECT_OK(imgtool_reader_rows(reader, AS_IT_IS, test_take_rows, &rows, &error), error);
    cr_expect_eq(rows.next, 900);
    imgtool_reader_destroy(reader);
    EXPECT_FAILURE(imgtool_read_memory(context, png.data, png.size, &picture, NULL, &error),
                   IMGTOOL_E_LIMIT, error, "more");
    imgtool_picture_free(wide, &rows.all);
    imgtool_context_destroy(context);
    imgtool_context_destroy(wide);
    free(png.data);
}

static bool take_any(void *user, const imgtool_picture *rows, int32_t first)
{
    (void)first;
    *(int32_t *)user += rows->height;
    return true;
}

/* A row that is longer than the fixed memory of the codec counts against the limit, and so does its
 * converted form. */
Test(library_rows, long_rows_count_as_memory)
{
    enum { WIDTH = 10000000 };
    imgtool_error error = IMGTOOL_ERROR_INIT;
    uint8_t *raw = calloc(1 + WIDTH, 1);
    Bytes png = {0};
    put_test_header(&png, (ImgShape){WIDTH, 1, {IMG_COLOR_GRAY, 8}}, false);
    put_idat(&png, raw, 1 + WIDTH);
    put_end(&png);
    for (int threads = 1; threads <= 4; threads += 3) {
        static const struct {
            uint64_t room;
            imgtool_status status;
        } cases[] = {{WIDTH / 4, IMGTOOL_E_LIMIT}, {60 * (uint64_t)WIDTH, IMGTOOL_OK}};
        for (size_t i = 0; i < 2; i++) {
            imgtool_config config = IMGTOOL_CONFIG_INIT;
            imgtool_context *context = NULL;
            imgtool_reader *reader = NULL;
            int32_t rows = 0;
            config.threads = threads;
            config.max_memory = png.size + cases[i].room;
            cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
            EXPECT_OK(imgtool_open_memory(context, png.data, png.size, &reader, &error), error);
            cr_expect_eq(imgtool_reader_rows(reader, (imgtool_format){IMGTOOL_RGBA, 8}, take_any,
                                             &rows, &error),
                         cases[i].status, "%s", error.message);
            cr_expect_eq(rows, cases[i].status == IMGTOOL_OK);
            imgtool_reader_destroy(reader);
            imgtool_context_destroy(context);
        }
    }
    free(raw);
    free(png.data);
}
