/* Tests that a single command removes temporary files that killed programs left beside its output,
 * and no other files. */
#include "io/output/leftovers.h"

#include "io/output/output.h"
#include "test_directory.h"

TestSuite(io_leftovers, .init = enter_directory, .fini = leave_directory);

static void remember(void *context, const char *path)
{
    strcpy(context, path);
}

static size_t sweep(const char *path)
{
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_prepare(path, NULL, &output, NULL), IMG_OK);
    const size_t removed = img_leftovers_sweep(output);
    img_output_discard(&output);
    return removed;
}

static void leave(const char *path, const char *text)
{
    write_text(path, text);
    set_time(path, time(NULL) - 60, 0);
}

Test(io_leftovers, leftovers_of_any_picture_in_the_directory_are_removed)
{
    static const char *const gone[] = {".out.png.abc123.tmp", ".other.png.zz9zz9.tmp",
                                       ".x.JPEG.000000.tmp", ".plot.svg.000000.tmp"};
    static const char *const kept[] = {
        ".notes.txt.abc123.tmp", /* not named after a picture */
        ".abc123.tmp",           /* an empty picture name */
        ".out.png.ABC123.tmp",   /* capital letters instead of lower case */
        "out.png.abc123.tmp",    /* without a leading dot */
        "sub/.out.png.abc123.tmp",
    };
    cr_assert_eq(mkdir("sub", 0755), 0);
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        leave(gone[i], i % 2 == 0 ? "half" : "");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        leave(kept[i], "mine");
    cr_assert_eq(mkdir(".d.png.abc123.tmp", 0755), 0);
    cr_assert_eq(symlink("sub", ".l.png.abc123.tmp"), 0);
    cr_assert_eq(mkfifo(".f.png.abc123.tmp", 0600), 0);
    cr_expect_eq(sweep("out.png"), 4);
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        cr_expect_not(is_there(gone[i]), "%s", gone[i]);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        cr_expect(is_there(kept[i]), "%s", kept[i]);
    cr_expect(is_there(".d.png.abc123.tmp"));
    cr_expect(is_there(".l.png.abc123.tmp"));
    cr_expect(is_there(".f.png.abc123.tmp"));
    cr_expect_eq(sweep("out.png"), 0);
    cr_expect_eq(sweep("sub/out.png"), 1, "another directory");
}

/* A program locks its temporary file only a moment after creating it. A file that was just created
 * must therefore stay. */
Test(io_leftovers, files_being_written_stay)
{
    char path[PATH_MAX];
    const ImgOutputHooks hooks = {.created = remember, .context = path};
    const char *temporary;
    ImgOutput *writing = NULL;
    cr_assert_eq(img_output_open("a.png", &hooks, &writing, NULL), IMG_OK);
    cr_expect_eq(sweep("a.png"), 0, "as it is written");
    cr_expect_eq(sweep("b.png"), 0);
    cr_assert_eq(img_output_write(writing, "new", 3, NULL), IMG_OK);
    cr_assert_eq(img_output_finish(writing, &temporary, NULL), IMG_OK);
    cr_expect_eq(sweep("b.png"), 0, "before it is renamed");
    cr_assert_eq(img_output_commit(&writing, NULL), IMG_OK);
    write_text(".new.png.abc123.tmp", "");
    cr_expect_eq(sweep("b.png"), 0, "not locked yet");
    cr_expect(is_there("a.png") && is_there(".new.png.abc123.tmp"));
}

Test(io_leftovers, outputs_written_in_place_have_no_leftovers)
{
    leave(".fifo.abc123.tmp", "half");
    cr_assert_eq(mkfifo("fifo", 0600), 0);
    cr_expect_eq(sweep("fifo"), 0);
    cr_expect_eq(sweep("/dev/null"), 0);
    cr_expect_eq(img_leftovers_sweep(NULL), 0);
}
