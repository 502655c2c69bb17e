/* Trials of file access. The sandbox allows a command only the files that it declared, and only by
 * their declared names. The command may open its input only for reading and its temporary file only
 * for writing. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/sandbox/trials.h"

static long read_other(const Ground *g)
{
    (void)g;
    return open("other.txt", O_RDONLY | O_CLOEXEC);
}

static long read_passwords(const Ground *g)
{
    (void)g;
    return open("/etc/passwd", O_RDONLY | O_CLOEXEC);
}

/* Opens the input by a copy of its name at another address, which the sandbox must refuse. */
static long read_input_by_a_copy(const Ground *g)
{
    char name[64];
    snprintf(name, sizeof name, "%s", g->input);
    return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

/* Opens "put.png", the end of the name "input.png" from its third letter on. */
static long read_end_of_name(const Ground *g)
{
    const long made = (long)syscall(SYS_openat, AT_FDCWD, g->input + 2, O_RDONLY | O_CLOEXEC);
    return made < 0 && errno == ENOENT ? 0 : made; /* without the sandbox there is no such file */
}

/* Opens other.txt. Its name stands at an address whose lower 32 bits are those of the input's
 * name. */
static long read_at_half_an_address(const Ground *g)
{
    enum { PAGE = 4096 };
    const uintptr_t low = (uintptr_t)g->input & UINT32_MAX, window = UINT64_C(0x1234) << 32;
    char *page = mmap((void *)(window + (low & ~(uintptr_t)(PAGE - 1))), PAGE,
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || (uintptr_t)page >> 32 != 0x1234)
        return -1;
    char *name = page + (low & (PAGE - 1));
    memcpy(name, "other.txt", sizeof "other.txt");
    return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

static long read_from_elsewhere(const Ground *g)
{
    const long made = (long)syscall(SYS_openat, g->other, g->input, O_RDONLY | O_CLOEXEC);
    return made < 0 && errno == ENOTDIR ? 0 : made;
}

/* Opens the directory for temporary files to list it. The sandbox allows only to create a file
 * without a name there. */
static long list_scratch(const Ground *g)
{
    return open(g->scratch.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static long unnamed_elsewhere(const Ground *g)
{
    (void)g;
    return open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* Opens the path of temporary files without creating a file. */
static long open_scratch_file(const Ground *g)
{
    const char *file = g->scratch.file != NULL ? g->scratch.file : "other.txt";
    return open(file, O_RDWR | O_CLOEXEC);
}

static long write_input(const Ground *g)
{
    return open(g->input, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

static long empty_input(const Ground *g)
{
    return open(g->input, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
}

static long write_other(const Ground *g)
{
    (void)g;
    return open("other.txt", O_WRONLY | O_CLOEXEC);
}

static long create_other(const Ground *g)
{
    (void)g;
    return open("new.txt", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
}

static long write_target_itself(const Ground *g)
{
    return open(g->target, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
}

static long read_temporary(const Ground *g)
{
    close(open(g->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600));
    return open(g->temporary, O_RDWR | O_CLOEXEC);
}

static long rename_to_other(const Ground *g)
{
    close(open(g->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600));
    return rename(g->temporary, "new.txt");
}

static long rename_other(const Ground *g)
{
    return rename("other.txt", g->target);
}

static long rename_input(const Ground *g)
{
    return rename(g->input, g->target);
}

static long rename_input_to_backup(const Ground *g)
{
    return renameat2(AT_FDCWD, g->input, AT_FDCWD, g->backup, RENAME_NOREPLACE);
}

static long rename_backup_to_target(const Ground *g)
{
    close(open(g->copied, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    return renameat2(AT_FDCWD, g->copied, AT_FDCWD, g->target, 0);
}

static long exchange_backups(const Ground *g)
{
    close(open(g->copied, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    close(open(g->backup, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    return renameat2(AT_FDCWD, g->copied, AT_FDCWD, g->backup, RENAME_EXCHANGE);
}

static long exchange_input(const Ground *g)
{
    return renameat2(AT_FDCWD, g->input, AT_FDCWD, g->target, RENAME_EXCHANGE);
}

static long unlink_input(const Ground *g)
{
    return unlink(g->input);
}

static long unlink_target(const Ground *g)
{
    return unlink(g->target);
}

static long unlink_other(const Ground *g)
{
    (void)g;
    return unlink("other.txt");
}

static long link_other(const Ground *g)
{
    return link("other.txt", g->backup);
}

static long make_symlink(const Ground *g)
{
    return symlink("other.txt", g->temporary);
}

static long make_directory(const Ground *g)
{
    (void)g;
    return mkdir("new", 0700);
}

static long make_fifo(const Ground *g)
{
    return mkfifo(g->temporary, 0600);
}

static long change_directory(const Ground *g)
{
    (void)g;
    return chdir("/");
}

static long change_by_descriptor(const Ground *g)
{
    const long made = fchdir(g->other);
    return made < 0 && errno == ENOTDIR ? 0 : made;
}

static long list_directory(const Ground *g)
{
    char entries[256];
    const long made = (long)syscall(SYS_getdents64, g->other, entries, sizeof entries);
    return made < 0 && errno == ENOTDIR ? 0 : made;
}

static long chmod_other(const Ground *g)
{
    (void)g;
    return chmod("other.txt", 0777);
}

static long chmod_input(const Ground *g)
{
    return chmod(g->input, 0777);
}

static long fchmod_result(const Ground *g)
{
    return fchmod(open(g->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600),
                  0640);
}

static long fchown_result(const Ground *g)
{
    return fchown(open(g->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600),
                  (uid_t)-1, getegid());
}

static long fsetxattr_other(const Ground *g)
{
    const long made = fsetxattr(g->other, "user.x", "1", 1, 0);
    return made < 0 && errno == ENOTSUP ? 0 : made;
}

static long fchmod_other(const Ground *g)
{
    return fchmod(g->other, 0777);
}

static long chmod_setuid(const Ground *g)
{
    close(open(g->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600));
    return chmod(g->temporary, 04755);
}

static long truncate_target(const Ground *g)
{
    return truncate(g->target, 0);
}

static long attribute_of_input(const Ground *g)
{
    const long made = setxattr(g->input, "user.x", "1", 1, 0);
    return made < 0 && errno == ENOTSUP ? 0 : made;
}

static long resolve_link(const Ground *g)
{
    char text[256];
    (void)g;
    return readlink("/proc/self/exe", text, sizeof text);
}

static long ask_about_other(const Ground *g)
{
    struct stat info;
    (void)g;
    return fstatat(AT_FDCWD, "other.txt", &info, 0);
}

static long open_by_handle(const Ground *g)
{
    const long made = (long)syscall(SYS_open_by_handle_at, g->other, NULL, O_RDONLY);
    return made < 0 && errno == EFAULT ? 0 : made;
}

static long openat_2(const Ground *g)
{
    struct {
        unsigned long long flags, mode, resolve;
    } how = {O_RDONLY, 0, 0};
    return (long)syscall(437, AT_FDCWD, g->input, &how, sizeof how);
}

static long send_file(const Ground *g)
{
    return (long)syscall(SYS_sendfile, STDOUT_FILENO, g->other, NULL, 0);
}

const Trial trials_of_files[] = {
    {"open another file for reading", read_other, EPERM, false},
    {"open /etc/passwd", read_passwords, EPERM, false},
    {"open the input by a copy of its name", read_input_by_a_copy, EPERM, false},
    {"open what the end of a name says", read_end_of_name, EPERM, false},
    {"open a name at half of the address", read_at_half_an_address, EPERM, false},
    {"open the input's name seen from a descriptor", read_from_elsewhere, EPERM, false},
    {"open the directory for temporary files", list_scratch, EPERM, false},
    {"create a file without a name in another directory", unnamed_elsewhere, EPERM, false},
    {"open a temporary file that exists", open_scratch_file, EPERM, false},
    {"open the input for writing", write_input, EPERM, false},
    {"open and empty the input", empty_input, EPERM, false},
    {"open another file for writing", write_other, EPERM, false},
    {"create another file", create_other, EPERM, false},
    {"write the target itself", write_target_itself, EPERM, false},
    {"open the temporary file for reading and writing", read_temporary, EPERM, false},
    {"rename the temporary file to another name", rename_to_other, EPERM, false},
    {"rename another file to the target", rename_other, EPERM, false},
    {"rename the input to the target", rename_input, EPERM, false},
    {"exchange the input and the target", exchange_input, EPERM, false},
    {"rename the input to the backup", rename_input_to_backup, EPERM, false},
    {"rename the backup to the target", rename_backup_to_target, EPERM, false},
    {"exchange the backup and its copy", exchange_backups, EPERM, false},
    {"remove the input", unlink_input, EPERM, false},
    {"remove the target", unlink_target, EPERM, false},
    {"remove another file", unlink_other, EPERM, false},
    {"link another file to the backup", link_other, EPERM, false},
    {"make a symbolic link", make_symlink, EPERM, false},
    {"make a directory", make_directory, EPERM, false},
    {"make a FIFO", make_fifo, EPERM, false},
    {"change the directory", change_directory, EPERM, false},
    {"change the directory by a descriptor", change_by_descriptor, EPERM, false},
    {"list a directory", list_directory, EPERM, false},
    {"chmod another file", chmod_other, EPERM, false},
    {"chmod the input", chmod_input, EPERM, false},
    {"fchmod what is open", fchmod_other, EPERM, false},
    {"fchmod the result", fchmod_result, EPERM, false},
    {"fchown the result", fchown_result, EPERM, false},
    {"set an attribute of what is open", fsetxattr_other, EPERM, false},
    {"make the result setuid", chmod_setuid, EPERM, false},
    {"truncate by name", truncate_target, EPERM, false},
    {"set an attribute of the input", attribute_of_input, EPERM, false},
    {"read a link of /proc", resolve_link, EPERM, false},
    {"ask about another file", ask_about_other, EPERM, false},
    {"open by a handle", open_by_handle, EPERM, true},
    {"openat2", openat_2, ENOSYS, true},
    {"sendfile", send_file, EPERM, false},
    {.name = NULL},
};
