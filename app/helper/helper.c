#include "app/helper/helper.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Writes the path of this program, with links resolved, to `path`. */
static ImgStatus find_self(char path[PATH_MAX], ImgError *err)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "/proc/self/exe cannot be read (%s), which is needed to find the other "
                        "programs of imgtool; mount /proc",
                        strerror(errno));
    path[length] = '\0';
    return IMG_OK;
}

static bool is_in(const char *directory, const char *below, const char *name, char path[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s/%s%s", directory, below, name);
    return length > 0 && length < PATH_MAX && access(path, X_OK) == 0;
}

ImgStatus helper_find(const char *name, char path[PATH_MAX], ImgError *err)
{
    char directory[PATH_MAX];
    ImgStatus status = find_self(directory, err);
    if (status != IMG_OK)
        return status;
    /* There is a slash, because the kernel returns an absolute path. */
    *strrchr(directory, '/') = '\0';
    if (is_in(directory, IMGTOOL_LIBEXEC "/", name, path) || is_in(directory, "", name, path))
        return IMG_OK;
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "%s is not installed: it is neither in %s/" IMGTOOL_LIBEXEC
                    " nor in %s; install "
                    "the package %s, or build it (IMGTOOL_BENCH=ON, IMGTOOL_PLOT=ON)",
                    name, directory, directory, name);
}

ImgStatus helper_become(const char *name, char **argv, ImgError *err)
{
    char helper[PATH_MAX], self[PATH_MAX];
    ImgStatus status = helper_find(name, helper, err);
    if (status == IMG_OK)
        status = find_self(self, err);
    if (status != IMG_OK)
        return status;
    char *called = argv[0];
    argv[0] = self;
    (void)execv(helper, argv);
    argv[0] = called;
    return img_fail(err, IMG_E_UNAVAILABLE, "%s: cannot be started: %s", helper, strerror(errno));
}
