#include "app/batch/record/record_others.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record_file.h"
#include "app/batch/record/record_name.h"
#include "io/errno_status.h"

/* False without memory. */
static bool keep(RecordOthers *others, char *text, const RecordTable *table)
{
    RecordOther *list = realloc(others->list, (others->count + 1) * sizeof *list);
    if (list == NULL)
        return false;
    others->list = list;
    others->list[others->count++] = (RecordOther){text, *table};
    return true;
}

static void note_unread(RecordOthers *others, const char *path, int code)
{
    if (others->unread.status == IMG_OK)
        img_fail(&others->unread, img_errno_status(code), "%s: cannot be read: %s", path,
                 strerror(code));
}

/* What has a record's name but is not a file counts for nothing. */
static bool is_file(int fd)
{
    struct stat info;
    return fstat(fd, &info) != 0 || S_ISREG(info.st_mode);
}

static ImgStatus read_one(RecordOthers *others, const char *path, ImgError *err)
{
    size_t size = 0;
    char *text = NULL;
    ImgError failure = {IMG_OK, ""};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        if (errno != ENOENT) /* gone in between */
            note_unread(others, path, errno);
        return IMG_OK;
    }
    if (!is_file(fd)) {
        close(fd);
        return IMG_OK;
    }
    ImgStatus status = record_file_read(fd, path, &text, &size, &failure);
    close(fd);
    if (status == IMG_E_MEMORY)
        return img_fail(err, status, "%s", failure.message);
    if (status != IMG_OK) {
        if (others->unread.status == IMG_OK)
            others->unread = failure;
        return IMG_OK;
    }
    RecordTable table = RECORD_TABLE_NONE;
    bool made = record_table_make(text, size, &table);
    if (made && table.count > 0 && keep(others, text, &table))
        return IMG_OK;
    bool empty = made && table.count == 0;
    record_table_free(&table);
    free(text);
    return empty ? IMG_OK : img_fail(err, IMG_E_MEMORY, "%s: no memory to read it", path);
}

/* NULL: that was the last, and errno is 0, or says why there may be more. */
static const struct dirent *next_entry(DIR *dir)
{
    errno = 0;
    return readdir(dir);
}

ImgStatus record_others_read(const char *directory, const char *own, RecordOthers *others,
                             ImgError *err)
{
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    DIR *dir = opendir(directory);
    if (dir == NULL) {
        if (errno == ENOMEM)
            return img_fail(err, IMG_E_MEMORY, "no memory");
        if (errno != ENOENT)
            note_unread(others, directory, errno);
        return IMG_OK;
    }
    ImgStatus status = IMG_OK;
    for (const struct dirent *entry; status == IMG_OK && (entry = next_entry(dir)) != NULL;) {
        char *path = NULL;
        if (!record_is_name(entry->d_name))
            continue;
        if (asprintf(&path, "%s%s%s", directory, slash, entry->d_name) < 0)
            status = img_fail(err, IMG_E_MEMORY, "no memory");
        else if (own == NULL || strcmp(path, own) != 0)
            status = read_one(others, path, err);
        free(path);
    }
    if (status == IMG_OK && errno != 0)
        note_unread(others, directory, errno);
    closedir(dir);
    return status;
}

void record_others_free(RecordOthers *others)
{
    for (size_t i = 0; i < others->count; i++) {
        record_table_free(&others->list[i].table);
        free(others->list[i].text);
    }
    free(others->list);
    *others = (RecordOthers){0};
}
