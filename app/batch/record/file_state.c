#include "app/batch/record/file_state.h"

#include <sys/stat.h>

static FileState state_of(const struct stat *info)
{
    return (FileState){(uint64_t)info->st_size, info->st_mtim.tv_sec, info->st_mtim.tv_nsec};
}

bool file_state(const char *path, FileState *state)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    *state = state_of(&info);
    return true;
}

bool file_state_equal(const FileState *a, const FileState *b)
{
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}
