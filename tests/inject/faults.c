/* The ways in which each call can fail. Calls that are not listed fail with EIO. So calls that are
 * added to the program later are covered, too. */
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "driver.h"

static const Fault of_any[] = {{"EIO", EIO, false}, {NULL, 0, false}};
static const Fault of_memory[] = {
    {"ENOMEM", ENOMEM, false}, {"ENOMEM for good", ENOMEM, true}, {NULL, 0, false}};
static const Fault of_thread[] = {
    {"EAGAIN", EAGAIN, false}, {"EAGAIN for good", EAGAIN, true}, {NULL, 0, false}};
static const Fault of_spawn[] = {
    {"ENOMEM", ENOMEM, false}, {"ENOENT", ENOENT, false}, {NULL, 0, false}};
static const Fault of_open[] = {
    {"EIO", EIO, false},       {"EOPNOTSUPP", EOPNOTSUPP, false}, {"EMFILE", EMFILE, false},
    {"ENOMEM", ENOMEM, false}, {"EMFILE for good", EMFILE, true}, {NULL, 0, false}};
static const Fault of_read[] = {
    {"short", INJECT_SHORT, false}, {"EINTR", EINTR, false}, {"EIO", EIO, false}, {NULL, 0, false}};
static const Fault of_write[] = {
    {"short", INJECT_SHORT, false}, {"EINTR", EINTR, false},           {"EIO", EIO, false},
    {"ENOSPC", ENOSPC, false},      {"ENOSPC for good", ENOSPC, true}, {NULL, 0, false}};
static const Fault of_sync[] = {{"EIO", EIO, false}, {"ENOSPC", ENOSPC, false}, {NULL, 0, false}};
static const Fault of_space[] = {{"EIO", EIO, false},
                                 {"ENOSPC", ENOSPC, false},
                                 {"EOPNOTSUPP", EOPNOTSUPP, false},
                                 {"ENOSPC for good", ENOSPC, true},
                                 {NULL, 0, false}};
static const Fault of_look[] = {
    {"EIO", EIO, false}, {"ENOMEM", ENOMEM, false}, {"EIO for good", EIO, true}, {NULL, 0, false}};
static const Fault of_close[] = {{"EIO", EIO, false}, {"EINTR", EINTR, false}, {NULL, 0, false}};
static const Fault of_lock[] = {
    {"ENOLCK", ENOLCK, false}, {"EIO", EIO, false}, {"EINTR", EINTR, false}, {NULL, 0, false}};
static const Fault of_wait[] = {
    {"EINTR", EINTR, false}, {"ENOMEM", ENOMEM, false}, {NULL, 0, false}};
static const Fault of_child[] = {{"EINTR", EINTR, false}, {NULL, 0, false}};
static const Fault of_control[] = {
    {"EIO", EIO, false}, {"EMFILE", EMFILE, false}, {NULL, 0, false}};
static const Fault of_system[] = {
    {"EPERM", EPERM, false}, {"ENOSYS", ENOSYS, false}, {NULL, 0, false}};

typedef struct Call {
    int number;
    const char *name;
    const Fault *faults;
} Call;

static const Call calls[] = {
    {INJECT_MEMORY, "allocation", of_memory},
    {INJECT_THREAD, "pthread_create", of_thread},
    {INJECT_SPAWN, "posix_spawn", of_spawn},
    {SYS_open, "open", of_open},
    {SYS_openat, "openat", of_open},
    {SYS_memfd_create, "memfd_create", of_open},
    {SYS_read, "read", of_read},
    {SYS_pread64, "pread64", of_read},
    {SYS_recvfrom, "recvfrom", of_read},
    {SYS_write, "write", of_write},
    {SYS_writev, "writev", of_any},
    {SYS_pwrite64, "pwrite64", of_write},
    {SYS_sendto, "sendto", of_write},
    {SYS_fallocate, "fallocate", of_space},
    {SYS_fsync, "fsync", of_sync},
    {SYS_fdatasync, "fdatasync", of_sync},
    {SYS_rename, "rename", of_sync},
    {SYS_link, "link", of_sync},
    {SYS_unlink, "unlink", of_any},
    {SYS_unlinkat, "unlinkat", of_any},
    {SYS_mkdir, "mkdir", of_sync},
    {SYS_rmdir, "rmdir", of_any},
    {SYS_mmap, "mmap", of_memory},
    {SYS_mremap, "mremap", of_memory},
    {SYS_mprotect, "mprotect", of_memory},
    {SYS_brk, "brk", of_memory},
    {SYS_madvise, "madvise", of_any},
    {SYS_close, "close", of_close},
    {SYS_stat, "stat", of_look},
    {SYS_lstat, "lstat", of_look},
    {SYS_fstat, "fstat", of_look},
    {SYS_newfstatat, "newfstatat", of_look},
    {SYS_statfs, "statfs", of_look},
    {SYS_fstatfs, "fstatfs", of_look},
    {SYS_access, "access", of_look},
    {SYS_faccessat, "faccessat", of_look},
    {SYS_faccessat2, "faccessat2", of_look},
    {SYS_readlink, "readlink", of_look},
    {SYS_getdents64, "getdents64", of_look},
    {SYS_getcwd, "getcwd", of_look},
    {SYS_lseek, "lseek", of_any},
    {SYS_ftruncate, "ftruncate", of_any},
    {SYS_fchmod, "fchmod", of_any},
    {SYS_chmod, "chmod", of_any},
    {SYS_chown, "chown", of_any},
    {SYS_utimensat, "utimensat", of_any},
    {SYS_listxattr, "listxattr", of_any},
    {SYS_getxattr, "getxattr", of_any},
    {SYS_setxattr, "setxattr", of_any},
    {SYS_fadvise64, "fadvise64", of_any},
    {SYS_flock, "flock", of_lock},
    {SYS_fcntl, "fcntl", of_control},
    {SYS_ioctl, "ioctl", of_any},
    {SYS_socketpair, "socketpair", of_open},
    {SYS_shutdown, "shutdown", of_any},
    {SYS_poll, "poll", of_wait},
    {SYS_nanosleep, "nanosleep", of_child},
    {SYS_clock_nanosleep, "clock_nanosleep", of_child},
    {SYS_wait4, "wait4", of_child},
    {SYS_waitid, "waitid", of_child},
    {SYS_kill, "kill", of_any},
    {SYS_prctl, "prctl", of_system},
    {SYS_seccomp, "seccomp", of_system},
    {SYS_getrandom, "getrandom", of_system},
    {SYS_sysinfo, "sysinfo", of_system},
    {SYS_uname, "uname", of_system},
    {SYS_prlimit64, "prlimit64", of_system},
    {SYS_sched_getaffinity, "sched_getaffinity", of_system},
};

static const Call *find(int number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

const Fault *faults_of(int call)
{
    const Call *found = find(call);
    return found != NULL ? found->faults : of_any;
}

const Fault *faults_that_lie(void)
{
    static const Fault lie[] = {{"overlooked", INJECT_LIE, false}, {NULL, 0, false}};
    return lie;
}

bool call_is_vital(int call)
{
    return call == SYS_write || call == SYS_fsync || call == SYS_fdatasync || call == SYS_rename ||
           call == SYS_link;
}

const char *call_name(int call)
{
    static char number[32];
    const Call *found = find(call);
    if (found != NULL)
        return found->name;
    snprintf(number, sizeof number, "call %d", call);
    return number;
}
