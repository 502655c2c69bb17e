/* Renames without replacing a file, or exchanges two files: renameat2, Linux 3.15 or later. */
#ifndef IMGTOOL_IO_OUTPUT_RENAME_H
#define IMGTOOL_IO_OUTPUT_RENAME_H

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Some C libraries do not define these flags of renameat2. */
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

/* Renames `from` to `to` with `flags`. Returns 0 or an errno value: EINVAL, ENOSYS or EPERM if the
 * file system or the kernel does not support the flags. */
static inline int img_rename_with(const char *from, const char *to, unsigned flags)
{
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
}

#endif
