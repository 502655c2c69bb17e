#include "io/output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/errno_status.h"

ImgStatus img_directory_create(const char *directory, ImgError *err)
{
    struct stat info;
    if (mkdir(directory, 0777) == 0) /* mkdir subtracts the umask */
        return IMG_OK;
    int reason = errno;
    if (stat(directory, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return IMG_OK;
        reason = ENOTDIR;
    }
    return img_fail(err, img_errno_status(reason), "%s: the directory cannot be created: %s",
                    directory, strerror(reason));
}

ImgStatus img_directory_create_all(const char *directory, ImgError *err)
{
    char *path = strdup(directory);
    if (path == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the name of a directory");
    ImgStatus status = IMG_OK;
    for (char *slash = path[0] != '\0' ? strchr(path + 1, '/') : NULL;
         slash != NULL && status == IMG_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        status = img_directory_create(path, err);
        *slash = '/';
    }
    free(path);
    return status == IMG_OK ? img_directory_create(directory, err) : status;
}
