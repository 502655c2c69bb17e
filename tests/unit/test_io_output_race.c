/* Output while the system fails or other programs work on the same file: an ordinary file is never
 * truncated. This program's own stat takes the place of the C library's, and does at a given call
 * what another program or a failing disk would do. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "test_io_png.h"

static int failing_call, failing_errno; /* 1: the next call; 0: none */
static int acting_call;
static void (*act)(void);

int stat(const char *path, struct stat *info) /* NOLINT: the C library names them otherwise */
{
    if (acting_call > 0 && --acting_call == 0)
        act();
    if (failing_call > 0 && --failing_call == 0) {
        errno = failing_errno;
        return -1;
    }
    return fstatat(AT_FDCWD, path, info, 0);
}

static char directory[PATH_MAX];

static void put_file(const char *path, const char *text)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void enter_directory(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/imgtool-test-XXXXXX",
             base != NULL && base[0] != '\0' ? base : "/tmp");
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    put_file("a.png", "old");
}

static void leave_directory(void)
{
    (void)unlink("a.png");
    (void)unlink("b.png");
    (void)unlink("link.png");
    cr_assert_eq(chdir("/"), 0);
    (void)rmdir(directory);
}

TestSuite(io_output_race, .init = enter_directory, .fini = leave_directory);

static void expect_text(const char *path, const char *text)
{
    char found[32] = "";
    int fd = open(path, O_RDONLY);
    cr_assert_geq(fd, 0, "%s is gone", path);
    cr_expect_geq(read(fd, found, sizeof found - 1), 0);
    cr_expect_str_eq(found, text);
    close(fd);
}

/* Opens a.png for writing with `old` in it until the commit. */
static void expect_replaced(const char *path)
{
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    const char *temporary = NULL;
    cr_assert_eq(img_output_open(path, NULL, &output, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_output_write(output, "new", 3, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_output_finish(output, &temporary, &err), IMG_OK, "%s", err.message);
    cr_expect_not_null(temporary, "written in place");
    expect_text("a.png", "old");
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
    expect_text("a.png", "new");
}

Test(io_output_race, a_failing_stat_never_truncates)
{
    static const int codes[] = {EIO, EACCES, ENOENT, ENOMEM};
    for (int call = 1; call <= 3; call++) {
        for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
            ImgOutput *output = NULL;
            failing_call = call;
            failing_errno = codes[i];
            if (img_output_open("a.png", NULL, &output, NULL) == IMG_OK) {
                const char *temporary = NULL;
                cr_assert_eq(img_output_finish(output, &temporary, NULL), IMG_OK);
                cr_expect_not_null(temporary, "call %d, %s: in place", call, strerror(codes[i]));
                img_output_discard(&output);
            }
            expect_text("a.png", "old");
        }
    }
}

Test(io_output_race, the_second_stat_that_fails_is_reported)
{
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    failing_call = 2;
    failing_errno = EIO;
    cr_expect_eq(img_output_open("a.png", NULL, &output, &err), IMG_E_IO);
    cr_expect_null(output);
    cr_expect_not_null(strstr(err.message, "Input/output error"), "%s", err.message);
}

static void replace_a(void)
{
    put_file("b.png", "old");
    cr_assert_eq(rename("b.png", "a.png"), 0);
}

/* As while another program keeps replacing the same output. */
Test(io_output_race, a_file_replaced_in_between_is_replaced_again)
{
    act = replace_a;
    acting_call = 2;
    expect_replaced("a.png");
    cr_expect_eq(acting_call, 0, "nothing was replaced in between");
}

Test(io_output_race, through_a_link_too)
{
    cr_assert_eq(symlink("a.png", "link.png"), 0);
    act = replace_a;
    acting_call = 2;
    expect_replaced("link.png");
}

/* What has no name cannot be replaced: a link of procfs leads to it, but so that its text is no
 * path any more, or that of another file. */
Test(io_output_race, only_files_without_a_name_are_written_in_place)
{
    for (int named = 0; named <= 1; named++) {
        char path[64];
        int fd = open("a.png", O_RDWR);
        cr_assert_geq(fd, 0);
        cr_assert_eq(unlink("a.png"), 0);
        if (named)
            put_file("a.png", "another");
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
        cr_assert_eq(symlink(path, "link.png"), 0);
        ImgOutput *output = NULL;
        const char *temporary = "";
        cr_assert_eq(img_output_open("link.png", NULL, &output, NULL), IMG_OK);
        cr_assert_eq(img_output_write(output, "new", 3, NULL), IMG_OK);
        cr_assert_eq(img_output_finish(output, &temporary, NULL), IMG_OK);
        cr_expect_null(temporary);
        cr_assert_eq(img_output_commit(&output, NULL), IMG_OK);
        char found[8] = "";
        cr_expect_eq(pread(fd, found, 7, 0), 3);
        cr_expect_str_eq(found, "new");
        if (named)
            expect_text("a.png", "another");
        else
            cr_expect_neq(access("a.png", F_OK), 0);
        close(fd);
        unlink("link.png");
        put_file("a.png", "old");
    }
}
