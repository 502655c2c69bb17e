#include "app/bench/jobs/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench/measure/workload.h"
#include "app/term/interrupt.h"
#include "io/encode.h"

ImgStatus scratch_open(Scratch *scratch, ImgError *err)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] == '\0')
        base = "/tmp";
    *scratch = SCRATCH_NONE;
    if (asprintf(&scratch->directory, "%s/imgtool-bench.XXXXXX", base) < 0) {
        scratch->directory = NULL;
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    interrupt_enter();
    /* mkdtemp creates a directory that only this user can access. */
    const bool made = mkdtemp(scratch->directory) != NULL;
    const int code = errno;
    if (made)
        interrupt_note_directory(scratch->directory);
    interrupt_leave();
    if (!made) {
        free(scratch->directory);
        scratch->directory = NULL;
        return img_fail(err, IMG_E_IO,
                        "%s: no directory for temporary files can be created: %s; set TMPDIR to a "
                        "directory that can be written",
                        base, strerror(code));
    }
    return IMG_OK;
}

ImgStatus scratch_path(Scratch *scratch, const char *name, const char **path, ImgError *err)
{
    char *file;
    if (scratch->count == SCRATCH_FILES)
        return img_fail(err, IMG_E_USAGE, "more than %d temporary files", (int)SCRATCH_FILES);
    if (asprintf(&file, "%s/%s", scratch->directory, name) < 0)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    const ImgOutputHooks *hooks = interrupt_hooks();
    interrupt_enter();
    hooks->created(hooks->context, file);
    interrupt_leave();
    scratch->files[scratch->count++] = file;
    *path = file;
    return IMG_OK;
}

/* Removes the files in the directory `path`. Uses a descriptor of the directory, so that no other
 * directory is affected if another process replaces `path` meanwhile. */
static void empty_directory(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    if (directory == NULL) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(fd, entry->d_name, 0);
    closedir(directory);
}

void scratch_close(Scratch *scratch)
{
    if (scratch->directory == NULL)
        return;
    const ImgOutputHooks *hooks = interrupt_hooks();
    interrupt_enter();
    empty_directory(scratch->directory);
    rmdir(scratch->directory);
    for (size_t i = 0; i < scratch->count; i++) {
        hooks->gone(hooks->context, scratch->files[i]);
        free(scratch->files[i]);
    }
    interrupt_forget_directory(scratch->directory);
    interrupt_leave();
    free(scratch->directory);
    *scratch = SCRATCH_NONE;
}

static ImgStatus write_png(const ImgImage *image, const char *path, ImgError *err)
{
    ImgOutput *output = NULL;
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgEncodeOptions how = {
        .level = IMG_DEFAULT_LEVEL, .threads = 1, .index = true, .quality = IMG_DEFAULT_QUALITY};
    ImgStatus status = img_output_open(path, interrupt_hooks(), &output, err);
    if (status == IMG_OK)
        status = img_encode(IMG_FILE_PNG, image, &metadata, &how, output, NULL, err);
    if (status == IMG_OK)
        status = img_output_commit(&output, err);
    img_output_discard(&output);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", path);
    return status;
}

ImgStatus bench_scratch_picture(Scratch *scratch, ImgShape shape, const char **path, ImgError *err)
{
    ImgImage image = IMG_IMAGE_NONE;
    ImgStatus status = scratch_path(scratch, "picture.png", path, err);
    if (status == IMG_OK)
        status = img_image_alloc(shape, &image, err);
    if (status == IMG_OK) {
        bench_fill_photo(&image.view, 1);
        status = write_png(&image, *path, err);
    }
    img_image_free(&image);
    return status;
}
