/* Identity of a process, which it sends to the other end of a socket. A server has the same effect
 * as the client's own command only if both are the same program and see the same files. */
#ifndef IMGTOOL_APP_SERVE_SOCKET_IDENTITY_H
#define IMGTOOL_APP_SERVE_SOCKET_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Identity of a process. It is sent and compared as bytes. */
typedef struct Identity {
    char version[32];    /* text of --version, truncated if longer; padded with zeros */
    uint64_t program[4]; /* device, inode, size and modification time of the program file */
    uint64_t mounts[3];  /* mount namespace; device and inode of the root directory */
    uint64_t group;      /* group that new files get */
} Identity;

/* Returns the identity of this process. A value that the system does not provide is 0. */
Identity identity_of_process(void);

bool identity_is_same_build(const Identity *one, const Identity *other);

/* Returns true if a path names the same file for both processes, and their new files get the same
 * group. */
bool identity_sees_the_same(const Identity *one, const Identity *other);

#endif
