/* Tests of imgtool_optimize, through the public header only. */
#include "app/library/imgtool.h"
#include "tests/unit/test_directory.h"

static imgtool_context *context;
static imgtool_error error = IMGTOOL_ERROR_INIT;

/* Writes an opaque RGBA picture of a few grays. */
static void write_picture(const char *path)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    picture.width = 90;
    picture.height = 70;
    picture.format = (imgtool_format){IMGTOOL_RGBA, 8};
    cr_assert_eq(imgtool_picture_allocate(context, &picture, &error), IMGTOOL_OK);
    for (int32_t y = 0; y < picture.height; y++)
        for (int32_t x = 0; x < 4 * picture.width; x++)
            ((uint8_t *)picture.pixels)[(size_t)y * picture.stride + (size_t)x] =
                (uint8_t)(x % 4 == 3 ? 255 : (x / 4 + y) / 9 % 3 * 85);
    cr_assert_eq(imgtool_write_file(context, &picture, &encoding, path, &error), IMGTOOL_OK);
    imgtool_picture_free(context, &picture);
}

static void begin(void)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    enter_directory();
    config.threads = 2;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    write_picture("in.png");
}

static void end(void)
{
    imgtool_context_destroy(context);
    leave_directory();
}

TestSuite(library_optimize, .init = begin, .fini = end);

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    (void)fclose(file);
    return size;
}

Test(library_optimize, a_file_becomes_smaller_once)
{
    uint64_t saved = 0;
    cr_assert_eq(imgtool_optimize(context, "in.png", "out.png", NULL, &saved, &error), IMGTOOL_OK,
                 "%s", error.message);
    cr_expect_gt(saved, 0);
    cr_expect_eq(size_of("in.png") - size_of("out.png"), (long)saved);
    cr_assert_eq(imgtool_optimize(context, "out.png", "out.png", NULL, &saved, &error), IMGTOOL_OK);
    cr_expect_eq(saved, 0);
}

Test(library_optimize, settings_are_applied_and_checked)
{
    imgtool_optimization how = IMGTOOL_OPTIMIZATION_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    how.effort = 1;
    how.keep_type = true;
    cr_assert_eq(imgtool_optimize(context, "in.png", "out.png", &how, NULL, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_read_file(context, "out.png", &picture, NULL, &error), IMGTOOL_OK);
    cr_expect_eq(picture.format.color, IMGTOOL_RGBA);
    imgtool_picture_free(context, &picture);
    for (int32_t effort = 0; effort <= 10; effort += 10) {
        how.effort = effort;
        cr_expect_eq(imgtool_optimize(context, "in.png", "no.png", &how, NULL, &error),
                     IMGTOOL_E_USAGE);
    }
    cr_expect_eq(imgtool_optimize(context, "missing.png", "no.png", NULL, NULL, &error),
                 IMGTOOL_E_IO);
    cr_expect_eq(imgtool_optimize(context, NULL, "no.png", NULL, NULL, &error), IMGTOOL_E_USAGE);
    cr_expect_null(fopen("no.png", "rb"));
}
