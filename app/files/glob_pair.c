#include "app/files/output_name.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/path_parts.h"
#include "app/text/text.h"

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

/* Returns the number of files with this extension in the directory of `path`, or 3 if there are
 * more. */
static int count_files(const char *path, size_t directory_length, const char *extension)
{
    char *directory = directory_length > 0 ? strndup(path, directory_length) : strdup(".");
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
           count_files(input, directory, extension) == 2;
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
