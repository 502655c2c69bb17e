/* Identity of a process, for the other end of a socket. A server acts exactly like the client's own
 * command only if it is the same program and sees the same files. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_IDENTITY_H
#define IMGTOOL_APP_SERVE_SOCKET_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Sent and compared as bytes. */
typedef struct Identity {
    char version[32];    /* as --version prints it, truncated if longer; padded with zeros */
    uint64_t program[4]; /* device, inode, size and modification time of the program file */
    uint64_t mounts[3];  /* mount namespace; device and inode of the root directory */
    uint64_t group;      /* group of new files */
} Identity;

/* Returns the identity of this process. A value that the system does not provide is 0. */
Identity identity_of_process(void);

bool identity_is_same_build(const Identity *one, const Identity *other);

/* True if paths lead to the same files and new files get the same group. */
bool identity_sees_the_same(const Identity *one, const Identity *other);

#endif
