#include "app/batch/record/file_state.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static FileState state_of(const struct stat *info)
{
    return (FileState){(uint64_t)info->st_size, info->st_mtim.tv_sec, info->st_mtim.tv_nsec,
                       info->st_ino};
}

bool file_state(const char *path, FileState *state)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    *state = state_of(&info);
    return true;
}

ImgStatus file_state_find(const char *path, bool *there, FileState *state, ImgError *err)
{
    *there = file_state(path, state);
    if (*there || errno == ENOENT || errno == ENOTDIR)
        return IMG_OK;
    return img_fail(err, img_errno_status(errno), "%s: cannot be examined: %s", path,
                    strerror(errno));
}

bool file_state_equal(const FileState *a, const FileState *b)
{
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}
