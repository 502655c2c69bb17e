/* Who a process is, for the other end of a socket: a server does a command exactly as the command
 * itself would only if it is the same program and sees the same files. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_IDENTITY_H
#define IMGTOOL_APP_SERVE_SOCKET_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Compared byte by byte, and sent as it is. */
typedef struct Identity {
    char version[32];    /* as --version prints it, cut off where it is longer; zeros after it */
    uint64_t program[4]; /* device, inode, size and time of change of the program's file */
    uint64_t mounts[3];  /* mount namespace; device and inode of the root directory */
    uint64_t group;      /* that new files get */
} Identity;

/* Of this process. What the system does not tell is 0. */
Identity identity_of_process(void);

bool identity_is_same_build(const Identity *one, const Identity *other);

/* Paths lead to the same files, and new files get the same group. */
bool identity_sees_the_same(const Identity *one, const Identity *other);

#endif
