/* Renaming that replaces no file, or exchanges two: renameat2 of Linux, since 3.15. */
#ifndef IMGTOOL_IO_OUTPUT_RENAME_H
#define IMGTOOL_IO_OUTPUT_RENAME_H

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not in the headers of every C library. */
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

/* 0, or a reason of errno: EINVAL, ENOSYS or EPERM where the file system or the kernel cannot. */
static inline int img_rename_with(const char *from, const char *to, unsigned flags)
{
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
}

#endif
