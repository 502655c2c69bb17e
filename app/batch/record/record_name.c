#include "app/batch/record/record.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/list.h"
#include "app/text/paths.h"

const char record_name[] = ".imgtool-batch";

/* Returns whether the text is a part of a batch, such as "3-of-8". */
static bool is_part(const char *text)
{
    static const char digits[] = "0123456789", between[] = "-of-";
    size_t number = strspn(text, digits);
    if (number == 0 || strncmp(text + number, between, strlen(between)) != 0)
        return false;
    text += number + strlen(between);
    size_t count = strspn(text, digits);
    return count > 0 && text[count] == '\0';
}

bool record_is_name(const char *name)
{
    size_t length = strlen(record_name);
    return strncmp(name, record_name, length) == 0 &&
           (name[length] == '\0' || (name[length] == '.' && is_part(name + length + 1)));
}

uint64_t record_name_parts(const char *name)
{
    const char *last = strrchr(name, '-'); /* the last '-' of "3-of-8" */
    return name[strlen(record_name)] == '\0' ? 0 : strtoull(last + 1, NULL, 10);
}

/* --- Records of a directory ------------------------------------------------------------------- */

/* Adds a path to the list, and takes ownership of it. Returns false if `path` is NULL or there is
 * no memory. */
static bool keep(RecordList *list, char *path)
{
    char **paths = path != NULL ? list_grow(list->paths, list->count, sizeof *paths) : NULL;
    if (paths == NULL) {
        free(path);
        return false;
    }
    list->paths = paths;
    paths[list->count++] = path;
    return true;
}

/* Returns the next entry of the directory. Returns NULL with errno 0 at the end, and NULL with
 * errno set after an error. */
static const struct dirent *next_entry(DIR *dir)
{
    errno = 0;
    return readdir(dir);
}

static ImgStatus no_memory(ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "no memory");
}

static ImgStatus read_names(DIR *dir, const char *directory, const char *own, RecordList *list,
                            ImgError *err)
{
    for (const struct dirent *entry; (entry = next_entry(dir)) != NULL;) {
        if (!record_is_name(entry->d_name))
            continue;
        char *path = path_join(directory, entry->d_name);
        if (path == NULL)
            return no_memory(err);
        if (own != NULL && strcmp(path, own) == 0)
            free(path);
        else if (!keep(list, path))
            return no_memory(err);
    }
    list->failure = errno;
    return IMG_OK;
}

ImgStatus record_list_read(const char *directory, const char *own, RecordList *list, ImgError *err)
{
    DIR *dir = opendir(directory);
    if (dir == NULL) {
        if (errno == ENOMEM)
            return no_memory(err);
        list->failure = errno != ENOENT ? errno : 0;
        return IMG_OK;
    }
    ImgStatus status = read_names(dir, directory, own, list, err);
    closedir(dir);
    return status;
}

void record_list_free(RecordList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (RecordList){0};
}
