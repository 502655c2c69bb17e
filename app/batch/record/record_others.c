#include "app/batch/record/record_others.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/batch/record/record_file.h"
#include "app/batch/record/record_name.h"

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

static ImgStatus read_one(RecordOthers *others, const char *path, ImgError *err)
{
    size_t size = 0;
    char *text = NULL;
    ImgError failure = {IMG_OK, ""};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return IMG_OK;
    ImgStatus status = record_file_read(fd, path, &text, &size, &failure);
    close(fd);
    if (status != IMG_OK)
        return status == IMG_E_MEMORY ? img_fail(err, status, "%s", failure.message) : IMG_OK;
    RecordTable table = RECORD_TABLE_NONE;
    bool made = record_table_make(text, size, &table);
    if (made && table.count > 0 && keep(others, text, &table))
        return IMG_OK;
    bool empty = made && table.count == 0;
    record_table_free(&table);
    free(text);
    return empty ? IMG_OK : img_fail(err, IMG_E_MEMORY, "%s: no memory to read it", path);
}

ImgStatus record_others_read(const char *directory, const char *own, RecordOthers *others,
                             ImgError *err)
{
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    DIR *dir = opendir(directory);
    if (dir == NULL)
        return IMG_OK;
    ImgStatus status = IMG_OK;
    for (const struct dirent *entry; status == IMG_OK && (entry = readdir(dir)) != NULL;) {
        char *path = NULL;
        if (!record_is_name(entry->d_name))
            continue;
        if (asprintf(&path, "%s%s%s", directory, slash, entry->d_name) < 0)
            status = img_fail(err, IMG_E_MEMORY, "no memory");
        else if (own == NULL || strcmp(path, own) != 0)
            status = read_one(others, path, err);
        free(path);
    }
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
    *others = (RecordOthers){NULL, 0};
}
