/* Tests of output files. They are complete or absent, in the right place, with the right
 * permissions. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "io/output/output_path.h"
#include "test_directory.h"
#include "test_io_png.h"

static int count_files(void)
{
    int count = 0;
    DIR *dir = opendir(".");
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(dir);
    return count;
}

TestSuite(io_output, .init = enter_directory, .fini = leave_directory);

static ImgOutput *opened(const char *path)
{
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open(path, NULL, &output, &err), IMG_OK, "%s", err.message);
    return output;
}

static void write_file(const char *path, const char *text)
{
    ImgOutput *output = opened(path);
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_output_write(output, text, strlen(text), &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_output_bytes(output), strlen(text));
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
    cr_assert_null(output);
}

static void expect_content(const char *path, const char *text)
{
    Bytes bytes = read_all(path);
    cr_expect_eq(bytes.size, strlen(text));
    cr_expect_eq(memcmp(bytes.data, text, strlen(text)), 0);
    free(bytes.data);
}

static void expect_open_failure(const char *path, ImgStatus expected, const char *words)
{
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    cr_expect_eq(img_output_open(path, NULL, &output, &err), expected, "%s", err.message);
    cr_expect_null(output);
    cr_expect_not_null(strstr(err.message, words), "\"%s\" lacks \"%s\"", err.message, words);
}

Test(io_output, a_file_appears_only_when_committed)
{
    write_file("a.png", "old");
    ImgOutput *output = opened("a.png");
    img_output_write(output, "new", 3, NULL);
    expect_content("a.png", "old");
    cr_expect_eq(count_files(), 2, "the file and a temporary one");
    cr_expect_eq(img_output_commit(&output, NULL), IMG_OK);
    expect_content("a.png", "new");
    cr_expect_eq(count_files(), 1);
}

Test(io_output, a_discarded_file_leaves_nothing)
{
    write_file("a.png", "old");
    ImgOutput *output = opened("a.png");
    img_output_write(output, "new", 3, NULL);
    img_output_discard(&output);
    cr_expect_null(output);
    img_output_discard(&output);
    expect_content("a.png", "old");
    cr_expect_eq(count_files(), 1);
}

/* The record of a batch stores the size and time of the temporary file. They must stay the same
 * when the file gets its final name. */
Test(io_output, a_finished_file_keeps_its_size_and_time_when_renamed)
{
    for (int replaces = 0; replaces < 2; replaces++) {
        ImgOutput *output = opened("a.png");
        const char *temporary = NULL, *again = NULL;
        struct stat before, after;
        img_output_write(output, "new", 3, NULL);
        cr_assert_eq(img_output_finish(output, &temporary, NULL), IMG_OK);
        cr_assert_eq(img_output_finish(output, &again, NULL), IMG_OK);
        cr_expect_eq(temporary, again);
        cr_assert_eq(stat(temporary, &before), 0);
        cr_expect_eq(before.st_size, 3);
        cr_expect_eq(img_output_commit(&output, NULL), IMG_OK);
        cr_assert_eq(stat("a.png", &after), 0);
        cr_expect_eq(before.st_ino, after.st_ino);
        cr_expect_eq(before.st_size, after.st_size);
        cr_expect_eq(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
        cr_expect_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
        cr_expect_eq(count_files(), 1);
    }
}

Test(io_output, a_finished_file_can_be_discarded)
{
    write_file("a.png", "old");
    ImgOutput *output = opened("a.png");
    const char *temporary = NULL;
    img_output_write(output, "new", 3, NULL);
    cr_assert_eq(img_output_finish(output, &temporary, NULL), IMG_OK);
    img_output_discard(&output);
    expect_content("a.png", "old");
    cr_expect_eq(count_files(), 1);
}

Test(io_output, in_place_output_has_no_temporary_file)
{
    ImgOutput *output = opened("/dev/null");
    const char *temporary = "";
    cr_assert_eq(img_output_finish(output, &temporary, NULL), IMG_OK);
    cr_expect_null(temporary);
    cr_expect_eq(img_output_commit(&output, NULL), IMG_OK);
}

Test(io_output, a_file_that_lost_its_name_cannot_be_claimed)
{
    int first = open("a", O_WRONLY | O_CREAT, 0600), second = open("a", O_WRONLY);
    cr_expect(img_output_lock(first));
    cr_expect_not(img_output_lock(second));
    close(first);
    cr_expect(img_output_lock(second));
    cr_assert_eq(unlink("a"), 0);
    cr_expect_not(img_output_lock(second));
    close(second);
}

Test(io_output, large_and_small_writes_keep_their_order)
{
    enum { BIG = 700000 };
    uint8_t *big = malloc(BIG);
    for (int i = 0; i < BIG; i++)
        big[i] = (uint8_t)(i * 7 + i / 251);
    ImgOutput *output = opened("a.png");
    for (int at = 0, size = 1; at < BIG; at += size, size = size * 3 % 300007 + 1) {
        size = size > BIG - at ? BIG - at : size;
        cr_assert_eq(img_output_write(output, big + at, (size_t)size, NULL), IMG_OK);
    }
    cr_expect_eq(img_output_bytes(output), (uint64_t)BIG);
    cr_assert_eq(img_output_commit(&output, NULL), IMG_OK);
    Bytes bytes = read_all("a.png");
    cr_assert_eq(bytes.size, (size_t)BIG);
    cr_expect_eq(memcmp(bytes.data, big, BIG), 0);
    free(bytes.data);
    free(big);
}

Test(io_output, permissions_follow_the_umask)
{
    struct stat info;
    umask(027);
    write_file("a.png", "x");
    cr_assert_eq(stat("a.png", &info), 0);
    cr_expect_eq(info.st_mode & 07777, 0640U);
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    cr_assert_eq(stat(path, &info), 0);
    return info.st_mode & 07777;
}

/* A temporary file that will replace another must not have wider permissions while it is
 * written. */
Test(io_output, a_replacement_has_the_permissions_of_the_old_file)
{
    static const struct {
        mode_t old, mask, expected;
    } cases[] = {{0600, 022, 0600}, {0644, 077, 0644}, {0666, 022, 0666},
                 {0755, 002, 0755}, {0640, 022, 0640}, {0200, 022, 0200}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        umask(022);
        write_file("a.png", "old");
        cr_assert_eq(chmod("a.png", cases[i].old), 0);
        umask(cases[i].mask);
        write_file("a.png", "new");
        cr_expect_eq(mode_of("a.png"), cases[i].expected, "%o", mode_of("a.png"));
        cr_assert_eq(unlink("a.png"), 0);
    }
}

static void on_created_mode(void *context, const char *path)
{
    strcpy(context, path);
}

Test(io_output, a_private_file_is_private_from_the_start)
{
    char temporary[PATH_MAX] = "";
    ImgOutputHooks hooks = {.created = on_created_mode, .context = temporary};
    ImgOutput *output = NULL;
    write_file("a.png", "old");
    cr_assert_eq(chmod("a.png", 0600), 0);
    cr_assert_eq(img_output_open("a.png", &hooks, &output, NULL), IMG_OK);
    cr_expect_eq(mode_of(temporary), 0600);
    img_output_discard(&output);
}

Test(io_output, descriptors_are_written_at_their_position)
{
    static const char *const forms[] = {"/dev/fd/%d", "/proc/self/fd/%d",
                                        "/proc/thread-self/fd/%d"};
    char path[64];
    for (size_t i = 0; i < 3; i++) {
        int file = open("a.png", O_CREAT | O_TRUNC | O_RDWR, 0600);
        cr_assert_eq(write(file, "head ", 5), 5);
        snprintf(path, sizeof path, forms[i], file);
        write_file(path, "body");
        cr_assert_eq(write(file, " tail", 5), 5);
        expect_content("a.png", "head body tail");
        cr_expect_eq(count_files(), 1);
        close(file);
        expect_open_failure(path, IMG_E_IO, "Bad file descriptor");
    }
    int file = open("a.png", O_RDONLY);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    expect_open_failure(path, IMG_E_IO, "Bad file descriptor");
    expect_content("a.png", "head body tail");
    close(file);
}

Test(io_output, links_are_followed)
{
    write_file("real.png", "old");
    cr_assert_eq(symlink("real.png", "link.png"), 0);
    cr_assert_eq(symlink("link.png", "second.png"), 0);
    write_file("second.png", "new");
    struct stat info;
    lstat("second.png", &info);
    cr_expect(S_ISLNK(info.st_mode));
    expect_content("real.png", "new");

    cr_assert_eq(symlink("later.png", "dangling.png"), 0);
    write_file("dangling.png", "made");
    expect_content("later.png", "made");

    cr_assert_eq(symlink("loop.png", "loop.png"), 0);
    expect_open_failure("loop.png", IMG_E_IO, "Too many levels of symbolic links");
}

Test(io_output, devices_and_pipes_are_written_in_place)
{
    struct stat info;
    write_file("/dev/null", "nothing");
    cr_assert_eq(stat("/dev/null", &info), 0);
    cr_expect(S_ISCHR(info.st_mode));

    cr_assert_eq(mkfifo("fifo.png", 0600), 0);
    int reader = open("fifo.png", O_RDONLY | O_NONBLOCK);
    write_file("fifo.png", "through");
    char text[8] = "";
    cr_expect_eq(read(reader, text, 7), 7);
    cr_expect_str_eq(text, "through");
    stat("fifo.png", &info);
    cr_expect(S_ISFIFO(info.st_mode));
    close(reader);
}

Test(io_output, dash_is_standard_output)
{
    int file = open("a.txt", O_CREAT | O_RDWR, 0600), saved = dup(STDOUT_FILENO);
    dup2(file, STDOUT_FILENO);
    write_file("-", "to stdout");
    dup2(saved, STDOUT_FILENO);
    expect_content("a.txt", "to stdout");
    close(file);
    close(saved);
}

Test(io_output, terminals_are_rejected)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        cr_skip_test("no pseudo terminals here");
    expect_open_failure(ptsname(master), IMG_E_USAGE, "terminal");
    close(master);
}

Test(io_output, hooks_enclose_the_life_of_the_temporary_file)
{
    expect_open_failure(".", IMG_E_IO, "is a directory");
    expect_open_failure("missing/a.png", IMG_E_IO, "its directory does not exist");
    expect_open_failure("new/", IMG_E_IO, "directory");
    expect_open_failure("", IMG_E_IO, "directory");
    write_file("a.png", "x");
    expect_open_failure("a.png/b.png", IMG_E_IO, "Not a directory");
    char name[400];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    expect_open_failure(name, IMG_E_IO, "File name too long");
    name[255] = '\0';
    write_file(name, "long");
    expect_content(name, "long");
}

typedef struct Log {
    int created, gone, existed_before, exists_after;
} Log;

static void on_created(void *context, const char *path)
{
    Log *log = context;
    log->created++;
    log->existed_before += access(path, F_OK) == 0;
}

static void on_gone(void *context, const char *path)
{
    Log *log = context;
    log->gone++;
    log->exists_after += access(path, F_OK) == 0;
}

Test(io_output, hooks_are_called_before_and_after)
{
    Log log = {0};
    ImgOutputHooks hooks = {.created = on_created, .gone = on_gone, .context = &log};
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open("a.png", &hooks, &output, NULL), IMG_OK);
    cr_expect_eq(log.created, 1);
    cr_expect_eq(log.gone, 0);
    img_output_commit(&output, NULL);
    cr_expect_eq(log.gone, 1);
    cr_assert_eq(img_output_open("b.png", &hooks, &output, NULL), IMG_OK);
    img_output_discard(&output);
    cr_expect_eq(log.created, 2);
    cr_expect_eq(log.gone, 2);
    cr_expect_eq(log.existed_before + log.exists_after, 0);
}

/* Writes more bytes than the file system accepts. Expects a failure whose message contains
 * `words`. */
static void expect_write_failure(const char *path, const char *words)
{
    ImgOutput *output = opened(path);
    static uint8_t block[1 << 16];
    ImgError err = {IMG_OK, ""};
    ImgStatus status = IMG_OK;
    for (int i = 0; i < 64 && status == IMG_OK; i++)
        status = img_output_write(output, block, sizeof block, &err);
    ImgStatus wanted = strstr(words, "space") != NULL ? IMG_E_TEMPORARY : IMG_E_IO;
    cr_expect_eq(img_output_commit(&output, &err), wanted);
    cr_expect_not_null(strstr(err.message, words), "%s", err.message);
}

Test(io_output, a_full_disk_keeps_the_old_file)
{
    cr_assert_eq(mkdir("small", 0700), 0);
    if (mount("tmpfs", "small", "tmpfs", 0, "size=128k") != 0)
        cr_skip_test("mounting a small tmpfs is not permitted here");
    write_file("small/a.png", "old");
    expect_write_failure("small/a.png", "no space left");
    expect_content("small/a.png", "old");
    cr_assert_eq(chdir("small"), 0);
    cr_expect_eq(count_files(), 1);
    cr_assert_eq(chdir(".."), 0);
    umount("small");
}

Test(io_output, a_size_limit_is_reported)
{
    struct rlimit limit = {100000, RLIM_INFINITY}, old;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    limit.rlim_max = old.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    expect_write_failure("a.png", "ulimit -f");
    setrlimit(RLIMIT_FSIZE, &old);
    cr_expect_eq(count_files(), 0);
}

Test(io_output, full_devices_and_closed_pipes_are_reported)
{
    expect_write_failure("/dev/full", "no space left");
    signal(SIGPIPE, SIG_IGN);
    cr_assert_eq(mkfifo("fifo.png", 0600), 0);
    int reader = open("fifo.png", O_RDONLY | O_NONBLOCK);
    ImgOutput *output = opened("fifo.png");
    close(reader);
    ImgError err = {IMG_OK, ""};
    img_output_write(output, "x", 1, &err);
    cr_expect_eq(img_output_commit(&output, &err), IMG_E_IO);
    cr_expect_not_null(strstr(err.message, "closed the pipe"), "%s", err.message);
}

Test(io_output, protected_files_and_directories_are_not_changed)
{
    cr_assert_eq(chmod(".", 0555), 0); /* now even the owner cannot create files */
    if (geteuid() == 0 && seteuid(65534) != 0)
        cr_skip_test("root may write everywhere");
    expect_open_failure("a.png", IMG_E_IO, "no permission to create files in its directory");
    cr_assert(seteuid(0) == 0 || getuid() != 0);
    cr_assert_eq(chmod(".", 0777), 0);
    write_file("a.png", "old");
    cr_assert_eq(chmod("a.png", 0444), 0);
    if (geteuid() == 0)
        cr_assert_eq(seteuid(65534), 0);
    expect_open_failure("a.png", IMG_E_IO, "Permission denied");
    cr_assert(seteuid(0) == 0 || getuid() != 0);
}
