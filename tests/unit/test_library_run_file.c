/* Tests of imgtool_run_file, through the public header only. samples/c/file_to_file.c is compared
 * with the command (tests/library/check_samples.sh). */
#include "app/library/imgtool.h"
#include "tests/unit/test_directory.h"

static imgtool_context *context;
static imgtool_config config = IMGTOOL_CONFIG_INIT;
static imgtool_error error = IMGTOOL_ERROR_INIT;

static void open_context(void)
{
    imgtool_context_destroy(context);
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
}

/* Writes a picture that does not compress well, and text beside it. */
static void write_noise(const char *path, int32_t width, int32_t height)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_metadata *metadata = NULL;
    picture.width = width;
    picture.height = height;
    picture.format = (imgtool_format){IMGTOOL_RGB, 8};
    cr_assert_eq(imgtool_picture_allocate(context, &picture, &error), IMGTOOL_OK);
    uint32_t state = 1;
    for (size_t i = 0; i < picture.stride * (size_t)height; i++) {
        state = state * 1664525 + 1013904223;
        ((uint8_t *)picture.pixels)[i] = (uint8_t)(state >> 24);
    }
    cr_assert_eq(imgtool_metadata_create(context, &metadata, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_metadata_add_text(metadata, "Title", "noise", &error), IMGTOOL_OK);
    encoding.metadata = metadata;
    cr_assert_eq(imgtool_write_file(context, &picture, &encoding, path, &error), IMGTOOL_OK, "%s",
                 error.message);
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &picture);
}

static void begin(void)
{
    enter_directory();
    config.threads = 2;
    config.backend = IMGTOOL_BACKEND_CPU;
    open_context();
    write_noise("in.png", 301, 203);
}

static void end(void)
{
    imgtool_context_destroy(context);
    leave_directory();
}

TestSuite(library_run_file, .init = begin, .fini = end);

static imgtool_status run(const char *steps, const char *from, const char *to,
                          const imgtool_file_run *how)
{
    imgtool_pipeline *pipeline = NULL;
    if (steps != NULL)
        cr_assert_eq(imgtool_pipeline_parse(context, steps, &pipeline, &error), IMGTOOL_OK, "%s",
                     error.message);
    const imgtool_status status = imgtool_run_file(context, pipeline, from, to, how, &error);
    imgtool_pipeline_destroy(pipeline);
    return status;
}

static void expect_same_bytes(const char *a, const char *b, const char *what)
{
    size_t sizes[2];
    char *files[] = {read_bytes(a, &sizes[0]), read_bytes(b, &sizes[1])};
    cr_expect(sizes[0] == sizes[1] && memcmp(files[0], files[1], sizes[0]) == 0, "%s", what);
    free(files[0]);
    free(files[1]);
}

static void expect_message(const char *part)
{
    cr_expect_not_null(strstr(error.message, part), "%s", error.message);
}

/* Runs the steps on a picture in memory, and writes the result. */
static void run_in_memory(const char *steps, const char *from, const char *to)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT, result = IMGTOOL_PICTURE_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_metadata *metadata = NULL;
    imgtool_pipeline *pipeline = NULL;
    cr_assert_eq(imgtool_read_file(context, from, &picture, &metadata, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_pipeline_parse(context, steps, &pipeline, &error), IMGTOOL_OK);
    cr_assert_eq(imgtool_run(context, pipeline, &picture, &result, metadata, &error), IMGTOOL_OK);
    encoding.metadata = metadata;
    cr_assert_eq(imgtool_write_file(context, &result, &encoding, to, &error), IMGTOOL_OK);
    imgtool_pipeline_destroy(pipeline);
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &result);
    imgtool_picture_free(context, &picture);
}

Test(library_run_file, the_result_is_that_of_a_run_in_memory)
{
    static const char *const all[] = {
        "rotate",        "rotate angle=7.5",     "blur sigma=3 | invert",
        "resize 50%",    "equalize | sharpen",   "flip | crop 100x50",
        "trim | median", "transpose | autolevel"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        run_in_memory(all[i], "in.png", "wanted.png");
        cr_assert_eq(run(all[i], "in.png", "got.png", NULL), IMGTOOL_OK, "%s", error.message);
        expect_same_bytes("got.png", "wanted.png", all[i]);
    }
}

Test(library_run_file, little_memory_gives_the_same_bytes)
{
    static const char *const all[] = {"rotate", "resize 50%", "equalize | rotate angle=30"};
    write_noise("large.png", 1500, 1001);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        config.max_memory = 0;
        open_context();
        cr_assert_eq(run(all[i], "large.png", "wanted.png", NULL), IMGTOOL_OK, "%s", error.message);
        config.max_memory = 4 << 20; /* less than the pixels, which take 4.5 MB */
        open_context();
        cr_assert_eq(run(all[i], "large.png", "got.png", NULL), IMGTOOL_OK, "%s", error.message);
        expect_same_bytes("got.png", "wanted.png", all[i]);
    }
    config.max_memory = 100000;
    open_context();
    cr_expect_eq(run("rotate", "large.png", "none.png", NULL), IMGTOOL_E_LIMIT);
    expect_message("large.png: ");
    expect_message("max_memory = ");
    cr_expect_eq(access("none.png", F_OK), -1);
}

Test(library_run_file, max_pixels_limits_the_picture_if_it_is_set)
{
    config.max_pixels = 60000;
    open_context();
    cr_expect_eq(run("invert", "in.png", "out.png", NULL), IMGTOOL_E_LIMIT);
    expect_message("61103 pixels, more than the limit of 60000");
    cr_expect_null(strchr(error.message, ';'), "no option of the command: %s", error.message);
}

Test(library_run_file, the_encoding_and_the_extension_choose_the_format)
{
    static const struct {
        const char *name, *start;
    } all[] = {{"a.png", "\x89PNG"}, {"a.jpg", "\xff\xd8"}, {"a.bmp", "BM"}};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        cr_assert_eq(run(NULL, "in.png", all[i].name, NULL), IMGTOOL_OK, "%s", error.message);
        char *file = read_bytes(all[i].name, &size);
        cr_expect_eq(memcmp(file, all[i].start, strlen(all[i].start)), 0, "%s", all[i].name);
        free(file);
    }
    cr_expect_eq(run(NULL, "in.png", "a.webp", NULL), IMGTOOL_E_USAGE);
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_file_run how = IMGTOOL_FILE_RUN_INIT;
    how.encoding = &encoding;
    cr_expect_eq(run(NULL, "in.png", "a.webp", &how), IMGTOOL_OK);
    expect_same_bytes("a.webp", "a.png", "PNG, whatever its name says");
    encoding.level = 10;
    cr_expect_eq(run(NULL, "in.png", "b.png", &how), IMGTOOL_E_USAGE);
}

Test(library_run_file, a_file_may_replace_itself)
{
    cr_assert_eq(run("rotate", "in.png", "wanted.png", NULL), IMGTOOL_OK);
    cr_assert_eq(run("rotate", "in.png", "in.png", NULL), IMGTOOL_OK, "%s", error.message);
    expect_same_bytes("in.png", "wanted.png", "in place");
}

Test(library_run_file, a_dash_is_the_name_of_a_file)
{
    cr_assert_eq(rename("in.png", "-"), 0);
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_file_run how = IMGTOOL_FILE_RUN_INIT;
    how.encoding = &encoding;
    cr_assert_eq(run("invert", "-", "out.png", NULL), IMGTOOL_OK, "%s", error.message);
    cr_assert_eq(run("invert", "out.png", "-", &how), IMGTOOL_OK, "%s", error.message);
}

Test(library_run_file, failures_name_the_file_and_leave_the_old_one)
{
    size_t size;
    write_text("old.png", "old");
    cr_expect_eq(run("rotate", "missing.png", "old.png", NULL), IMGTOOL_E_IO);
    expect_message("missing.png: ");
    cr_expect_eq(run("rotate", "in.png", "none/out.png", NULL), IMGTOOL_E_IO);
    expect_message("none/out.png: ");
    char *file = read_bytes("in.png", &size);
    write_bytes("short.png", file, size / 2);
    free(file);
    cr_expect_eq(run("rotate", "short.png", "old.png", NULL), IMGTOOL_E_FORMAT);
    cr_expect_eq(run("crop 9999x9999", "in.png", "old.png", NULL), IMGTOOL_E_UNSUPPORTED);
    cr_expect_eq(run("rotate", NULL, "old.png", NULL), IMGTOOL_E_USAGE);
    char *old = read_bytes("old.png", &size);
    cr_expect_str_eq(old, "old");
    free(old);
}

Test(library_run_file, a_missing_directory_for_temporary_files_fails_at_once)
{
    static const char *const all[] = {"none", "in.png"};
    imgtool_file_run how = IMGTOOL_FILE_RUN_INIT;
    for (size_t i = 0; i < 2; i++) {
        how.temporary = all[i];
        cr_expect_eq(run("invert", "in.png", "out.png", &how), IMGTOOL_E_IO);
        expect_message(all[i]);
        expect_message(": cannot hold temporary files: ");
        cr_expect_eq(access("out.png", F_OK), -1);
    }
    how.temporary = ".";
    cr_expect_eq(run("invert", "in.png", "out.png", &how), IMGTOOL_OK, "%s", error.message);
}

static bool stop_at(void *user, uint64_t done, uint64_t total)
{
    (void)total;
    return done < *(const uint64_t *)user;
}

Test(library_run_file, the_caller_can_cancel)
{
    static uint64_t most;
    config.progress = stop_at;
    config.progress_user = &most;
    for (most = 0; most < 3; most += 2) {
        open_context();
        cr_expect_eq(run("blur sigma=2", "in.png", "out.png", NULL), IMGTOOL_E_CANCELLED);
        cr_expect_eq(access("out.png", F_OK), -1);
    }
    most = UINT64_MAX;
    cr_expect_eq(run("blur sigma=2", "in.png", "out.png", NULL), IMGTOOL_OK, "%s", error.message);
}

static void keep_note(void *user, const char *text)
{
    snprintf(user, 256, "%s", text);
}

Test(library_run_file, notes_reach_the_caller)
{
    char note[256] = "";
    imgtool_file_run how = IMGTOOL_FILE_RUN_INIT;
    how.note = keep_note;
    how.user = note;
    cr_assert_eq(run(NULL, "in.png", "out.jpg", &how), IMGTOOL_OK, "%s", error.message);
    cr_expect_not_null(strstr(note, "out.jpg: "), "what JPEG does not keep: %s", note);
}

Test(library_run_file, the_context_works_on_after_it)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    config.max_memory = 2 << 20;
    open_context();
    cr_assert_eq(run("equalize", "in.png", "out.png", NULL), IMGTOOL_OK, "%s", error.message);
    cr_assert_eq(imgtool_read_file(context, "out.png", &picture, NULL, &error), IMGTOOL_OK);
    cr_expect_eq(imgtool_run_text(context, "blur sigma=2", &picture, &error), IMGTOOL_OK, "%s",
                 error.message);
    imgtool_picture_free(context, &picture);
}
