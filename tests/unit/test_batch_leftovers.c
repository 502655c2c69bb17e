/* Tests that a batch removes temporary files of killed runs, and no other files. */
#include "app/batch/batch.h"

#include "io/output/output.h"
#include "test_directory.h"

TestSuite(batch_leftovers, .init = enter_directory, .fini = leave_directory);

enum { MOST_FILES = 8 };

static size_t clean(const char *const *outputs, size_t count)
{
    BatchFile files[MOST_FILES];
    BatchPlan plan = {.files = files, .count = count};
    for (size_t i = 0; i < count; i++)
        files[i] = (BatchFile){.input = (char *)outputs[i], .output = (char *)outputs[i]};
    return leftovers_remove(&plan);
}

Test(batch_leftovers, only_temporary_files_of_the_plan_are_removed)
{
    static const char *const outputs[] = {"out/a.png", "out/sub/b c.png", "here.png"};
    static const char *const gone[] = {"out/.a.png.abc123.tmp", "out/.a.png.zzzzzz.tmp",
                                       "out/sub/.b c.png.000000.tmp", ".here.png.x0x0x0.tmp"};
    static const char *const kept[] = {
        "out/a.png",
        "out/.b c.png.abc123.tmp",   /* in another directory than its output */
        "out/sub/.a.png.abc123.tmp", /* in another directory than its output */
        "out/.other.png.abc123.tmp", /* not named after an output of this batch */
        "out/.a.pn.abc123.tmp",      /* named after a part of an output name */
        "out/.a.png.png.abc123.tmp", /* named after more than an output name */
        "out/.a.png.abc12.tmp",      /* five random characters instead of six */
        "out/.a.png.abc1234.tmp",    /* seven random characters instead of six */
        "out/.a.png.ABC123.tmp",     /* capital letters */
        "out/.a.png.abc12_.tmp",     /* neither a letter nor a digit */
        "out/a.png.abc123.tmp",      /* without a leading dot */
        "out/.a.png.abc123.tmp~",    /* another file name extension */
        "out/.a.png.abc123.TMP",     /* another file name extension */
        "out/.a.pngxabc123.tmp",     /* without a dot between output name and random characters */
        "out/..abc123.tmp",          /* an empty output name */
        "out/.abc123.tmp",           /* neither an output name nor the dot after it */
    };
    cr_assert_eq(mkdir("out", 0755), 0);
    cr_assert_eq(mkdir("out/sub", 0755), 0);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        write_text(gone[i], "half");
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        write_text(kept[i], "mine");
    cr_assert_eq(mkdir("out/.a.png.direct.tmp", 0755), 0);
    cr_assert_eq(symlink("a.png", "out/.a.png.link00.tmp"), 0);
    cr_assert_eq(mkfifo("out/.a.png.fifo00.tmp", 0600), 0);
    cr_expect_eq(clean(outputs, 3), sizeof gone / sizeof gone[0]);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        cr_expect_not(is_there(gone[i]), "%s", gone[i]);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        cr_expect(is_there(kept[i]), "%s", kept[i]);
    cr_expect(is_there("out/.a.png.direct.tmp"));
    cr_expect(is_there("out/.a.png.link00.tmp"));
    cr_expect(is_there("out/.a.png.fifo00.tmp"));
    cr_expect_eq(clean(outputs, 3), 0);
}

static void remember(void *context, const char *path)
{
    strcpy(context, path);
}

/* Creates the file that a killed run leaves while it writes `output`: a file with the name of the
 * temporary file. `path` gets this name. */
static void leave_behind(const char *output, char *path)
{
    ImgOutputHooks hooks = {.created = remember, .context = path};
    ImgOutput *writing = NULL;
    cr_assert_eq(img_output_open(output, &hooks, &writing, NULL), IMG_OK);
    img_output_discard(&writing);
    write_text(path, "half");
}

Test(batch_leftovers, leftover_names_match_those_of_outputs)
{
    char path[PATH_MAX], name[256], letters[256];
    memset(name, 'n', sizeof name);
    name[255] = '\0';
    /* 99 bytes, then characters of two bytes each. If this name is shortened for a temporary name
     * of the maximum length, the cut is inside a character. */
    memset(letters, 'n', 99);
    for (int i = 99; i + 1 < 200; i += 2)
        memcpy(letters + i, "\xC3\xA4", 2);
    letters[199] = '\0';
    const char *const outputs[] = {"a.png", name, letters, "./spaced name\n.png", "\xFF.png", "b"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        leave_behind(outputs[i], path);
        cr_expect_eq(clean(outputs, 6), 1, "%s", path);
        cr_expect_not(is_there(path), "%s", path);
    }
}

Test(batch_leftovers, links_are_followed_to_the_target_directory)
{
    static const char *const outputs[] = {"link.png"};
    char path[PATH_MAX];
    cr_assert_eq(mkdir("real", 0755), 0);
    write_text("real/r.png", "old");
    cr_assert_eq(symlink("real/r.png", "link.png"), 0);
    leave_behind("link.png", path);
    cr_expect_eq(strncmp(path, "real/.r.png.", 12), 0, "%s", path);
    cr_expect_eq(clean(outputs, 1), 1);
    cr_expect_not(is_there(path));
}

/* Another program is writing the same output. It may be a single imgtool command or a batch of a
 * parent directory. */
Test(batch_leftovers, files_being_written_stay)
{
    static const char *const outputs[] = {"a.png"};
    char path[PATH_MAX];
    ImgOutputHooks hooks = {.created = remember, .context = path};
    ImgOutput *writing = NULL;
    const char *temporary = NULL;
    cr_assert_eq(img_output_open("a.png", &hooks, &writing, NULL), IMG_OK);
    cr_expect_eq(clean(outputs, 1), 0, "as it is written");
    cr_assert_eq(img_output_write(writing, "new", 3, NULL), IMG_OK);
    cr_assert_eq(img_output_finish(writing, &temporary, NULL), IMG_OK);
    cr_expect_eq(clean(outputs, 1), 0, "before it is renamed");
    cr_expect_eq(img_output_commit(&writing, NULL), IMG_OK);
    cr_expect(is_there("a.png"));
    cr_expect_eq(clean(outputs, 1), 0);
}

Test(batch_leftovers, missing_directories_are_ignored)
{
    static const char *const outputs[] = {"missing/a.png", "/", "", "loop/a.png"};
    cr_assert_eq(symlink("loop", "loop"), 0);
    cr_expect_eq(clean(outputs, 4), 0);
    cr_expect_eq(clean(outputs, 0), 0);
}
