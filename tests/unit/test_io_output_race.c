/* Tests of outputs while the system fails or other programs change the same file. A regular file
 * must never be truncated. The functions stat, syscall and fcntl of this program replace those of
 * the C library, to act as another program or as a failing disk. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "test_io_png.h"

/* failing_call: number of the call of stat that fails with failing_errno; 1 is the next call, 0
 * means that none fails */
static int failing_call, failing_errno;
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

/* Functions that act as another program just before two names are exchanged. Each exchange of names
 * calls the next function. */
static void (*act_before_exchange[4])(void);
static int exchanges;
/* true if the file system cannot exchange two names */
static bool lacks_exchange;

long syscall(long number, ...) /* NOLINT: as above */
{
    static long (*real)(long, ...);
    long all[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        all[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_renameat2 && lacks_exchange) {
        errno = EINVAL;
        return -1;
    }
    if (number == SYS_renameat2 && all[4] == 2 && exchanges < 4) {
        void (*const other)(void) = act_before_exchange[exchanges++];
        if (other != NULL)
            other();
    }
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    return real(number, all[0], all[1], all[2], all[3], all[4], all[5]);
}

static bool lacks_leases; /* true if the file system has no leases */

int fcntl(int fd, int command, ...) /* NOLINT: as above */
{
    static int (*real)(int, int, ...);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command == F_SETLEASE && lacks_leases) {
        errno = EINVAL;
        return -1;
    }
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fcntl");
    return real(fd, command, argument);
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

/* Writes an output to `path`, which leads to a.png. a.png must keep its old content until the
 * commit. */
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

Test(io_output_race, a_second_stat_that_fails_is_reported)
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

/* Another program replaces a.png between two checks of its state. Then the output must replace the
 * new file. */
Test(io_output_race, a_file_replaced_meanwhile_is_replaced_again)
{
    act = replace_a;
    acting_call = 2;
    expect_replaced("a.png");
    cr_expect_eq(acting_call, 0, "nothing was replaced in between");
}

Test(io_output_race, a_link_replaced_meanwhile_is_followed_again)
{
    cr_assert_eq(symlink("a.png", "link.png"), 0);
    act = replace_a;
    acting_call = 2;
    expect_replaced("link.png");
}

/* A file without a name cannot be replaced, only written in place. It is opened through a link of
 * procfs. The text of that link is no path, or is the path of another file. */
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

/* --- Changes of the file that was read -------------------------------------------------------- */

static void save(const char *text)
{
    put_file("b.png", text);
    cr_assert_eq(rename("b.png", "a.png"), 0);
}

static void save_one(void)
{
    save("one");
}

static void save_two(void)
{
    save("two");
}

/* Acts as a program that overwrites a.png in place with as many bytes as it has. */
static void write_in_place(void)
{
    int fd = open("a.png", O_WRONLY);
    cr_assert_eq(pwrite(fd, "ODD", 3, 0), 3);
    close(fd);
}

static int held = -1;

/* Acts as a program that opens a.png for writing. If the file has a lease, opening it starts to
 * break the lease and fails instead of blocking. */
static void open_for_writing(void)
{
    held = open("a.png", O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    cr_assert(held >= 0 || errno == EWOULDBLOCK);
}

/* Acts as the program of open_for_writing, which now writes into the file. If opening failed
 * before, it opens the file by its name first. */
static void write_late(void)
{
    if (held < 0)
        open_for_writing();
    cr_assert_geq(held, 0, "the file was never released");
    cr_assert_eq(pwrite(held, "ODD", 3, 0), 3);
    close(held);
    held = -1;
}

static void remove_it(void)
{
    cr_assert_eq(unlink("a.png"), 0);
}

static int count_entries(void)
{
    int count = 0;
    FILE *list = popen("ls -A | wc -l", "r");
    cr_assert_eq(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

/* Reads a.png, which has an old modification time, and replaces it. Calls `between` after reading
 * and before the last check. */
static ImgStatus replace_what_was_read(void (*between)(void))
{
    static const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    struct stat read;
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    exchanges = 0;
    put_file("a.png", "old");
    cr_assert_eq(utimensat(AT_FDCWD, "a.png", times, 0), 0);
    cr_assert_eq(stat("a.png", &read), 0);
    cr_assert_eq(img_output_open("a.png", NULL, &output, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_output_write(output, "new", 3, &err), IMG_OK, "%s", err.message);
    if (between != NULL)
        between();
    if (img_output_expect(output, &read, &err) == IMG_OK)
        (void)img_output_commit(&output, &err);
    img_output_discard(&output);
    cr_expect(err.status == IMG_OK || strstr(err.message, "changed by another") != NULL, "%s",
              err.message);
    return err.status;
}

static void expect_saved(const char *text, const char *when)
{
    cr_expect_eq(count_entries(), 1, "%s: a file is left", when);
    expect_text("a.png", text);
}

Test(io_output_race, the_file_that_was_read_is_replaced)
{
    cr_expect_eq(replace_what_was_read(NULL), IMG_OK);
    cr_expect_eq(exchanges, 1);
    expect_saved("new", "alone");
}

Test(io_output_race, a_file_saved_meanwhile_is_not_replaced)
{
    static const struct {
        void (*act)(void);
        const char *text;
    } cases[] = {{save_one, "one"}, {write_in_place, "ODD"}};
    lacks_leases = true; /* A lease would make the writing program wait until this process ends. */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        act_before_exchange[0] = NULL;
        cr_expect_eq(replace_what_was_read(cases[i].act), IMG_E_TEMPORARY);
        expect_saved(cases[i].text, "before the last step");
        act_before_exchange[0] = cases[i].act;
        cr_expect_eq(replace_what_was_read(NULL), IMG_E_TEMPORARY);
        expect_saved(cases[i].text, "between the last two steps");
    }
}

/* If names cannot be exchanged, the file is checked immediately before the rename. */
Test(io_output_race, without_an_exchange_of_names_the_file_is_checked_too)
{
    lacks_exchange = true;
    cr_expect_eq(replace_what_was_read(NULL), IMG_OK);
    expect_saved("new", "alone");
    cr_expect_eq(replace_what_was_read(save_one), IMG_E_TEMPORARY);
    expect_saved("one", "before the last step");
}

Test(io_output_race, a_file_that_must_not_be_replaced_is_kept)
{
    for (int i = 0; i < 3; i++) {
        ImgError err = {IMG_OK, ""};
        ImgOutput *output = NULL;
        lacks_exchange = i == 2;
        if (i > 0)
            cr_assert_eq(unlink("a.png"), 0);
        cr_assert_eq(img_output_prepare("a.png", NULL, &output, &err), IMG_OK);
        cr_expect_eq(img_output_refuse_existing(output, &err), i == 0 ? IMG_E_IO : IMG_OK);
        if (i > 0) {
            cr_assert_eq(img_output_begin(output, &err), IMG_OK);
            cr_assert_eq(img_output_write(output, "new", 3, &err), IMG_OK);
            save_one();
            cr_expect_eq(img_output_commit(&output, &err), IMG_E_IO);
        }
        img_output_discard(&output);
        cr_expect_not_null(strstr(err.message, "exists already"), "%s", err.message);
        expect_saved(i == 0 ? "old" : "one", "it exists");
    }
}

Test(io_output_race, the_last_saved_version_stays)
{
    act_before_exchange[0] = save_one;
    act_before_exchange[1] = save_two;
    cr_expect_eq(replace_what_was_read(NULL), IMG_E_TEMPORARY);
    expect_saved("two", "while the first one is put back");
}

Test(io_output_race, a_removed_file_is_not_created_again)
{
    cr_expect_eq(replace_what_was_read(remove_it), IMG_E_TEMPORARY);
    cr_expect_eq(count_entries(), 0);
    act_before_exchange[0] = remove_it;
    cr_expect_eq(replace_what_was_read(NULL), IMG_E_TEMPORARY);
    cr_expect_eq(count_entries(), 0);
}

Test(io_output_race, a_file_open_for_writing_is_not_replaced)
{
    const int fd = open("a.png", O_RDONLY | O_CLOEXEC);
    const bool has_leases = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    close(fd);
    if (!has_leases)
        cr_skip_test("no leases on this file system");
    for (int i = 0; i < 2; i++) {
        act_before_exchange[0] = i == 1 ? open_for_writing : NULL;
        cr_expect_eq(replace_what_was_read(i == 0 ? open_for_writing : NULL), IMG_E_TEMPORARY);
        write_late();
        expect_saved("ODD", "written late");
    }
}
