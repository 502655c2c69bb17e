#include "app/files/output_name.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/text/paths.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "io/encode.h"

static const char *extension_of_format(int32_t format)
{
    static const char *const extensions[] = {[IMG_FILE_PNG] = ".png",
                                             [IMG_FILE_JPEG] = ".jpg",
                                             [IMG_FILE_BMP] = ".bmp",
                                             [IMG_FILE_TGA] = ".tga"};
    return extensions[format];
}

static ImgStatus name_in(const char *directory, const char *input, int32_t format, char **path,
                         ImgError *err)
{
    const char *name = path_name(input);
    const char *dot = strrchr(name, '.');
    /* The result is a PNG by default. An extension such as .jpg in the input's name must not select
     * a lossy format, so only a PNG extension is kept. */
    ImgFileFormat own;
    bool keeps = format < 0 && img_file_format_from_extension(name, &own) && own == IMG_FILE_PNG;
    int stem = (int)(dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
    const char *between = directory[strlen(directory) - 1] == '/' ? "" : "/";
    int length = keeps ? asprintf(path, "%s%s%s", directory, between, name)
                       : asprintf(path, "%s%s%.*s%s", directory, between, stem, name,
                                  extension_of_format(format < 0 ? IMG_FILE_PNG : format));
    if (length >= 0)
        return IMG_OK;
    *path = NULL;
    return img_fail(err, IMG_E_MEMORY, "no memory");
}

static ImgStatus find(const char *input, const char *output, int32_t format, char **path,
                      ImgError *err)
{
    struct stat info;
    size_t length = strlen(output);
    bool there = stat(output, &info) == 0;
    if (strcmp(output, "-") == 0 || (there && !S_ISDIR(info.st_mode)) ||
        (!there && output[length - 1] != '/')) {
        *path = strdup(output);
        return *path != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
    }
    if (!there)
        return img_fail(err, IMG_E_IO, "there is no such directory; create it first");
    if (strcmp(input, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "is a directory, and standard input has no name; name the file");
    ImgStatus status = name_in(output, input, format, path, err);
    if (status == IMG_OK && stat(input, &info) == 0 && path_leads_to(*path, &info))
        status = img_fail(err, IMG_E_USAGE,
                          "the input '%s' is in this directory and would be replaced; name the "
                          "file if that is meant",
                          input);
    return status;
}

ImgStatus output_name(const char *input, const char *output, int32_t format, char **path,
                      ImgError *err)
{
    *path = NULL;
    ImgStatus status = find(input, output, format, path, err);
    if (status != IMG_OK) {
        img_error_prefix(err, "%s", img_streams_output_name(output));
        free(*path);
        *path = NULL;
    }
    return status;
}

static const char *extension_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot != name ? dot : "";
}

static bool are_two_files(const char *input, const char *output)
{
    struct stat first, second;
    return stat(input, &first) == 0 && stat(output, &second) == 0 && S_ISREG(first.st_mode) &&
           S_ISREG(second.st_mode) && !path_is_same_file(&first, &second);
}

/* Returns the number of files with this extension in the directory of `path`. Counts only to 3,
 * since the caller only needs to know whether there are exactly two. */
static int count_files(const char *path, const char *extension)
{
    char *directory = path_directory(path);
    DIR *stream = directory != NULL ? opendir(directory) : NULL;
    int count = 0;
    if (stream != NULL) {
        const struct dirent *entry;
        while (count < 3 && (entry = readdir(stream)) != NULL)
            count += entry->d_name[0] != '.' && strcmp(extension_of(entry->d_name), extension) == 0;
        closedir(stream);
    }
    free(directory);
    return count;
}

bool glob_pair_is(const char *input, const char *output)
{
    const char *first = path_name(input), *second = path_name(output);
    const size_t directory = (size_t)(first - input);
    const char *extension = extension_of(first);
    return directory == (size_t)(second - output) && memcmp(input, output, directory) == 0 &&
           extension[0] != '\0' && strcmp(extension, extension_of(second)) == 0 &&
           strcasecmp(first, second) < 0 && are_two_files(input, output) &&
           count_files(input, extension) == 2;
}

bool glob_pair_confirm(const char *output)
{
    char answer[16];
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return true;
    fputs("imgtool: ", stderr);
    text_clean(stderr, output);
    fprintf(stderr, ": exists, and *%s names it as well; replace it? [y/N] ", extension_of(output));
    fflush(stderr);
    return fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}
