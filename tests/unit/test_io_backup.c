/* Tests of backups on systems without hard links: a copy that gets its name when it is complete.
 * The functions link and write of this program replace those of the C library. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io/output/backup.h"
#include "test_directory.h"

static const char remedy[] = "choose another";

/* Results of the next calls of write: a number of bytes, a negative errno, or 0 for a complete
 * write. */
static long next_writes[4];
static int write_calls;
static void (*at_write)(void);

/* NOLINT: the parameters have other names in the C library */
int link(const char *from, const char *to)
{
    (void)from;
    (void)to;
    errno = EPERM;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t size) /* NOLINT */
{
    if (at_write != NULL) {
        at_write();
        const long wanted = write_calls < 4 ? next_writes[write_calls] : 0;
        write_calls++;
        if (wanted < 0) {
            errno = (int)-wanted;
            return -1;
        }
        size = wanted > 0 && (size_t)wanted < size ? (size_t)wanted : size;
    }
    return syscall(SYS_write, fd, bytes, size);
}

static void begin(void)
{
    enter_directory();
    write_text("a.png", "old picture");
}

static void end(void)
{
    at_write = NULL;
    leave_directory();
}

TestSuite(io_backup, .init = begin, .fini = end);

/* --- Calls of the hooks ----------------------------------------------------------------------- */

static char noted[PATH_MAX]; /* name of the temporary file; empty if none exists */
static int seen;

static void note_created(void *context, const char *path)
{
    (void)context;
    cr_expect_neq(access(path, F_OK), 0, "before the file exists");
    snprintf(noted, sizeof noted, "%s", path);
}

static void note_gone(void *context, const char *path)
{
    (void)context;
    cr_expect_str_eq(noted, path);
    cr_expect_neq(access(path, F_OK), 0);
    noted[0] = '\0';
}

static const ImgOutputHooks hooks = {.created = note_created, .gone = note_gone};

/* Checks the files while a backup is being written, when a signal could end the program. The backup
 * must not have its final name yet, and the hooks must have got the name of its temporary file, so
 * that a signal handler can remove it. */
static void look(void)
{
    seen++;
    cr_expect_neq(access("a.png~", F_OK), 0, "the name is that of a whole backup");
    cr_expect_str_not_empty(noted);
    cr_expect_eq(access(noted, F_OK), 0);
}

static ImgBackup found(void)
{
    ImgBackup backup;
    cr_assert_eq(img_backup_find("a.png", "~", &hooks, &backup, NULL), IMG_OK);
    at_write = look;
    return backup;
}

static void expect_only(const char *first, const char *second)
{
    char names[256] = "", wanted[256];
    at_write = NULL;
    FILE *list = popen("LC_ALL=C ls -A | tr '\\n' ' '", "r");
    cr_assert_not_null(list);
    cr_expect_not_null(fgets(names, sizeof names, list));
    pclose(list);
    snprintf(wanted, sizeof wanted, "%s %s%s", first, second, *second != '\0' ? " " : "");
    cr_expect_str_eq(names, wanted);
    cr_expect_str_empty(noted);
}

static void expect_copied(void)
{
    struct stat old, copy;
    bool made = false;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(chmod("a.png", 0640), 0);
    cr_assert_eq(stat("a.png", &old), 0);
    ImgBackup backup = found();
    cr_expect_eq(img_backup_make(&backup, remedy, &made, &err), IMG_OK, "%s", err.message);
    expect_only("a.png", "a.png~");
    cr_expect(made);
    expect_text("a.png~", "old picture");
    cr_assert_eq(stat("a.png~", &copy), 0);
    cr_expect_neq(copy.st_ino, old.st_ino);
    cr_expect_eq(copy.st_mode, old.st_mode);
    cr_expect_eq(copy.st_mtim.tv_nsec, old.st_mtim.tv_nsec);
    img_backup_free(&backup);
}

/* --- Copies ----------------------------------------------------------------------------------- */

Test(io_backup, a_copy_gets_its_name_only_when_it_is_complete)
{
    expect_copied();
    cr_expect_eq(seen, 1);
}

Test(io_backup, short_and_interrupted_writes_are_continued)
{
    next_writes[0] = -EINTR;
    next_writes[1] = 4;
    next_writes[2] = -EINTR;
    expect_copied();
    cr_expect_eq(seen, 4);
}

Test(io_backup, a_failed_copy_leaves_nothing)
{
    bool made = true;
    ImgError err = {IMG_OK, ""};
    next_writes[0] = 4;
    next_writes[1] = -ENOSPC;
    ImgBackup backup = found();
    cr_expect_eq(img_backup_make(&backup, remedy, &made, &err), IMG_E_IO);
    cr_expect_not(made);
    cr_expect_not_null(strstr(err.message, "No space left"), "%s", err.message);
    expect_only("a.png", "");
    img_backup_free(&backup);
}

static void take_name(void)
{
    if (seen++ == 0)
        write_text("a.png~", "another's");
    write_calls = 4;
}

static void expect_taken(void)
{
    bool made = true;
    ImgError err = {IMG_OK, ""};
    ImgBackup backup = found();
    /* creates the final name after img_backup_make has checked that it is free */
    at_write = take_name;
    cr_expect_eq(img_backup_make(&backup, remedy, &made, &err), IMG_E_IO);
    expect_only("a.png", "a.png~");
    cr_expect_not(made);
    cr_expect_not_null(strstr(err.message, remedy), "%s", err.message);
    expect_text("a.png~", "another's");
    img_backup_free(&backup);
}

Test(io_backup, an_existing_backup_is_not_replaced)
{
    expect_taken();
}

Test(io_backup, an_existing_temporary_file_is_not_replaced)
{
    bool made = true;
    ImgBackup backup;
    cr_assert_eq(img_backup_find("a.png", "~", NULL, &backup, NULL), IMG_OK);
    write_text(backup.temporary, "another's");
    cr_expect_eq(img_backup_make(&backup, remedy, &made, NULL), IMG_E_IO);
    cr_expect_not(made);
    expect_text(backup.temporary, "another's");
    img_backup_free(&backup);
}

/* --- File systems without a rename that fails if the name exists ------------------------------ */

static void refuse_renameat2(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        /* flags of 0 are allowed, because the rename of the C library may use them */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        cr_skip_test("no filters of system calls here");
}

Test(io_backup, a_copy_gets_its_name_without_renameat2)
{
    refuse_renameat2();
    expect_copied();
}

Test(io_backup, an_existing_backup_is_not_replaced_without_renameat2)
{
    refuse_renameat2();
    expect_taken();
}
