#include "app/serve/socket/wire.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/library/imgtool.h"

Identity identity_of_process(void)
{
    Identity identity = {.group = getegid()};
    struct stat info;
    strncpy(identity.version, imgtool_version(), sizeof identity.version - 1);
    if (stat("/proc/self/exe", &info) == 0) {
        identity.program[0] = info.st_dev;
        identity.program[1] = info.st_ino;
        identity.program[2] = (uint64_t)info.st_size;
        identity.program[3] =
            (uint64_t)info.st_mtim.tv_sec * 1000000000 + (uint64_t)info.st_mtim.tv_nsec;
    }
    if (stat("/proc/self/ns/mnt", &info) == 0)
        identity.mounts[0] = info.st_ino;
    if (stat("/", &info) == 0) {
        identity.mounts[1] = info.st_dev;
        identity.mounts[2] = info.st_ino;
    }
    return identity;
}

bool identity_is_same_build(const Identity *one, const Identity *other)
{
    return memcmp(one->version, other->version, sizeof one->version) == 0 &&
           memcmp(one->program, other->program, sizeof one->program) == 0;
}

bool identity_sees_the_same(const Identity *one, const Identity *other)
{
    return memcmp(one->mounts, other->mounts, sizeof one->mounts) == 0 &&
           one->group == other->group;
}
