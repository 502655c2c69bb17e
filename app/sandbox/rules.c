/* The table of system calls that the sandbox permits. They suffice for a process that knows its
 * file names and only reads, computes and writes. All other calls fail with EPERM. Calls that are
 * newer than Linux 5.0 fail with ENOSYS, so that a C library falls back to older calls (filter.c).
 * README.md lists the actions that remain possible for an attacker who controls the process. */
#include "app/sandbox/rules.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "io/names.h"
#include "io/output/rename.h"

/* Processors for which the rules are correct. System calls pass arguments in registers there, where
 * a filter sees them, and have the numbers below. On s390x, in contrast, the arguments of mmap are
 * in memory. */
#if defined(__x86_64__) && !defined(__ILP32__)
const uint32_t sandbox_processor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__) && !defined(__ILP32__)
const uint32_t sandbox_processor = AUDIT_ARCH_AARCH64;
#else
#define WITHOUT_RULES
const uint32_t sandbox_processor = 0;
#endif

#ifdef WITHOUT_RULES
const Rule sandbox_rules[] = {{.number = -1}};
#else

#define CALL(name) .number = __NR_##name
#define IF(...)    .conditions = {__VA_ARGS__}
#define IS(number, what)                                                                           \
    {                                                                                              \
        CONDITION_IS, number, (uint32_t)(what)                                                     \
    }
#define FLAGS(number, what)                                                                        \
    {                                                                                              \
        CONDITION_FLAGS, number, (uint32_t)(what)                                                  \
    }
#define NO_BITS(number, bits)                                                                      \
    {                                                                                              \
        CONDITION_NO_BITS, number, (uint32_t)(bits)                                                \
    }
#define ONLY_BITS(number, bits) NO_BITS(number, ~(uint32_t)(bits))
#define NO_POINTER(number)                                                                         \
    {                                                                                              \
        CONDITION_NULL, number, 0                                                                  \
    }
#define ABOVE(number)                                                                              \
    {                                                                                              \
        CONDITION_ABOVE, number, 0                                                                 \
    }
#define SELF(number)                                                                               \
    {                                                                                              \
        CONDITION_SELF, number, 0                                                                  \
    }
#define MODE(number)                                                                               \
    {                                                                                              \
        CONDITION_MODE, number, 0                                                                  \
    }
#define NAME(number, use)                                                                          \
    {                                                                                              \
        CONDITION_NAME, number, IMG_NAME_##use                                                     \
    }
#define ANY_NAME(number)                                                                           \
    {                                                                                              \
        CONDITION_ANY_NAME, number, 0                                                              \
    }
#define HERE(number)     IS(number, AT_FDCWD)

/* Flags with which this program opens files to read, write, create or copy them (io/input.c,
 * io/output/output_open.c, io/output/backup.c, and fopen). The rules allow no other flags. */
#define READING(number)  ONLY_BITS(number, O_CLOEXEC | O_NOCTTY | O_NONBLOCK | SANDBOX_LARGE_FILE)
#define WRITING(number)  FLAGS(number, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY)
#define CREATING(number) FLAGS(number, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY)
#define UNNAMED(number)  FLAGS(number, O_TMPFILE | O_RDWR | O_CLOEXEC)
#define UNNAMING(number) FLAGS(number, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
#define COPYING(number)  FLAGS(number, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)

/* Flags that pthread_create passes to clone. No flag here creates a process or a namespace. musl
 * also sets CLONE_DETACHED, which has no effect. */
#define THREAD_FLAGS                                                                               \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |            \
     CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

/* PR_SET_VMA exists since Linux 5.17 and MREMAP_DONTUNMAP since Linux 5.7. Some headers lack
 * them. */
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

/* The ioctl TCGETS2, which isatty of glibc calls since version 2.42. Its argument is a termios2 of
 * 44 bytes, which the headers with the number do not define. */
#define ASK_TERMINAL _IOR('T', 0x2A, char[44])

const Rule sandbox_rules[] = {
    /* Calls that use open descriptors, and files without a name. */
    {CALL(read)},
    {CALL(readv)},
    {CALL(pread64)},
    {CALL(write)},
    {CALL(writev)},
    {CALL(pwrite64)},
    {CALL(lseek)},
    {CALL(fallocate)},
    {CALL(fstatfs)},
    /* Empties an output before it is written again. The call works only on a file that is open for
     * writing. */
    {CALL(ftruncate)},
    {CALL(close)},
    {CALL(fsync)},
    {CALL(fdatasync)},
    {CALL(flock)},
    {CALL(fstat)},
    {CALL(newfstatat), IF(IS(3, AT_EMPTY_PATH))}, /* fstat of the C library makes this call. */
    {CALL(fcntl), IF(IS(1, F_GETFL))},
    {CALL(fcntl), IF(IS(1, F_GETFD))},
    {CALL(fcntl), IF(IS(1, F_DUPFD_CLOEXEC))},
    /* A lease on the file to replace. The kernel grants it only if no process has the file open for
     * writing. */
    {CALL(fcntl), IF(IS(1, F_SETLEASE))},
    {CALL(fcntl), IF(IS(1, F_GETLEASE))},
    {CALL(fcntl), IF(IS(1, F_SETSIG))},
    {CALL(ioctl), IF(IS(1, TCGETS))},
    {CALL(ioctl), IF(IS(1, ASK_TERMINAL))},
    {CALL(ioctl), IF(IS(1, TIOCGWINSZ))},
    {CALL(ppoll)},

    /* Calls for memory. They cannot make memory executable, and they cannot replace the memory that
     * holds the file names. */
    {CALL(brk)},
    {CALL(mmap), IF(NO_BITS(2, PROT_EXEC), NO_BITS(3, MAP_FIXED))},
    {CALL(munmap), IF(ABOVE(0))},
    {CALL(mprotect), IF(ABOVE(0), NO_BITS(2, PROT_EXEC))},
    {CALL(mremap), IF(ABOVE(0), NO_BITS(3, MREMAP_FIXED | MREMAP_DONTUNMAP))},
    {CALL(madvise), IF(ABOVE(0))},

    /* Calls by which the C library starts, names, synchronises and ends threads. */
    {CALL(futex)},
    {CALL(clone), IF(IS(0, THREAD_FLAGS))},
    {CALL(clone), IF(IS(0, THREAD_FLAGS | CLONE_DETACHED))},
    {CALL(set_robust_list)},
    {CALL(rseq)},
    {CALL(membarrier)},
    {CALL(sched_yield)},
    {CALL(sched_getaffinity)},
    {CALL(prctl), IF(IS(0, PR_SET_NAME))},
    {CALL(prctl), IF(IS(0, PR_SET_VMA))}, /* names of memory regions, which debuggers show */
    {CALL(exit)},
    {CALL(exit_group)},

    /* Calls for signals. A signal can only be sent to this process. */
    {CALL(rt_sigaction)},
    {CALL(rt_sigprocmask)},
    {CALL(rt_sigreturn)},
    {CALL(sigaltstack)},
    {CALL(restart_syscall)},
    {CALL(tgkill), IF(SELF(0))},
    {CALL(getpid)},
    {CALL(gettid)},

    /* Calls that return clocks and properties of the machine. */
    {CALL(clock_gettime)},
    {CALL(clock_getres)},
    {CALL(gettimeofday)},
    {CALL(nanosleep)},
    {CALL(clock_nanosleep)},
    {CALL(getcpu)},
    {CALL(getrandom)},
    {CALL(getrusage)},
    {CALL(sysinfo)},
    {CALL(uname)},
    /* Reads limits. The pointer to new limits must be NULL, so that the call cannot set any. */
    {CALL(prlimit64), IF(IS(0, 0), NO_POINTER(2))},

    /* Calls that use the files of the command. A call must name a file by the address of the
     * read-only copy of its name (names.h). Almost every rule allows only files of one use, such as
     * reading. */
    {CALL(newfstatat), IF(HERE(0), ANY_NAME(1))},
    {CALL(openat), IF(HERE(0), NAME(1, READ), READING(2))},
    {CALL(openat), IF(HERE(0), NAME(1, IN_PLACE), WRITING(2))},
    {CALL(openat), IF(HERE(0), NAME(1, TEMPORARY), CREATING(2))},
    {CALL(openat), IF(HERE(0), NAME(1, SCRATCH), UNNAMED(2))},
    {CALL(openat), IF(HERE(0), NAME(1, SCRATCH_FILE), UNNAMING(2))},
    {CALL(unlinkat), IF(HERE(0), NAME(1, SCRATCH_FILE), IS(2, 0))},
    {CALL(renameat), IF(HERE(0), NAME(1, TEMPORARY), HERE(2), NAME(3, TARGET))},
    {CALL(renameat2), IF(HERE(0), NAME(1, TEMPORARY), HERE(2), NAME(3, TARGET), IS(4, 0))},
    {CALL(renameat2),
     IF(HERE(0), NAME(1, TEMPORARY), HERE(2), NAME(3, TARGET), IS(4, RENAME_EXCHANGE))},
    {CALL(renameat2),
     IF(HERE(0), NAME(1, TEMPORARY), HERE(2), NAME(3, TARGET), IS(4, RENAME_NOREPLACE))},
    {CALL(unlinkat), IF(HERE(0), NAME(1, TEMPORARY), IS(2, 0))},

    /* Calls for --backup. They make a link to the file. If that is not possible, they make a copy,
     * give it the times and permissions of the file, and rename it. */
    {CALL(linkat), IF(HERE(0), NAME(1, TARGET), HERE(2), NAME(3, BACKUP), IS(4, 0))},
    {CALL(openat), IF(HERE(0), NAME(1, TARGET), READING(2))},
    {CALL(openat), IF(HERE(0), NAME(1, BACKUP), COPYING(2))},
    {CALL(renameat), IF(HERE(0), NAME(1, BACKUP), HERE(2), NAME(3, BACKUP))},
    {CALL(renameat2), IF(HERE(0), NAME(1, BACKUP), HERE(2), NAME(3, BACKUP), IS(4, 0))},
    {CALL(renameat2),
     IF(HERE(0), NAME(1, BACKUP), HERE(2), NAME(3, BACKUP), IS(4, RENAME_NOREPLACE))},
    {CALL(unlinkat), IF(HERE(0), NAME(1, BACKUP), IS(2, 0))},
    {CALL(listxattr), IF(NAME(0, TARGET))},
    {CALL(getxattr), IF(NAME(0, TARGET))},
    {CALL(setxattr), IF(NAME(0, BACKUP))},
    {CALL(fchownat), IF(HERE(0), NAME(1, BACKUP), IS(4, 0))},
    {CALL(fchmodat), IF(HERE(0), NAME(1, BACKUP), MODE(2))},
    {CALL(utimensat), IF(HERE(0), NAME(1, BACKUP), IS(3, 0))},

    /* Calls for --preserve. They copy times, permissions and attributes of the input to the
     * result. */
    {CALL(listxattr), 1, IF(NAME(0, READ))},
    {CALL(getxattr), 1, IF(NAME(0, READ))},
    {CALL(setxattr), 1, IF(NAME(0, TEMPORARY))},
    {CALL(fchownat), 1, IF(HERE(0), NAME(1, TEMPORARY), IS(4, 0))},
    {CALL(fchmodat), 1, IF(HERE(0), NAME(1, TEMPORARY), MODE(2))},
    {CALL(utimensat), 1, IF(HERE(0), NAME(1, TEMPORARY), IS(3, 0))},

#ifdef __x86_64__
    /* Older forms of the calls above. Newer architectures lack them. */
    {CALL(poll)},
    {CALL(time)},
    {CALL(getrlimit)},
    {CALL(stat), IF(ANY_NAME(0))},
    {CALL(lstat), IF(ANY_NAME(0))},
    {CALL(open), IF(NAME(0, READ), READING(1))},
    {CALL(open), IF(NAME(0, IN_PLACE), WRITING(1))},
    {CALL(open), IF(NAME(0, TEMPORARY), CREATING(1))},
    {CALL(open), IF(NAME(0, SCRATCH), UNNAMED(1))},
    {CALL(open), IF(NAME(0, SCRATCH_FILE), UNNAMING(1))},
    {CALL(unlink), IF(NAME(0, SCRATCH_FILE))},
    {CALL(rename), IF(NAME(0, TEMPORARY), NAME(1, TARGET))},
    {CALL(unlink), IF(NAME(0, TEMPORARY))},
    {CALL(link), IF(NAME(0, TARGET), NAME(1, BACKUP))},
    {CALL(open), IF(NAME(0, TARGET), READING(1))},
    {CALL(open), IF(NAME(0, BACKUP), COPYING(1))},
    {CALL(rename), IF(NAME(0, BACKUP), NAME(1, BACKUP))},
    {CALL(unlink), IF(NAME(0, BACKUP))},
    {CALL(chown), IF(NAME(0, BACKUP))},
    {CALL(chmod), IF(NAME(0, BACKUP), MODE(1))},
    {CALL(chown), 1, IF(NAME(0, TEMPORARY))},
    {CALL(chmod), 1, IF(NAME(0, TEMPORARY), MODE(1))},
#endif
    {.number = -1},
};

#endif
