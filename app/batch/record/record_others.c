
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/record/record_priv.h"
#include "app/text/list.h"

/* Adds a record to the list. Takes ownership of `text` and *table. Returns false if there is no
 * memory. */
static bool keep(RecordOthers *others, char *text, const RecordTable *table)
{
    RecordOther *list = list_grow(others->list, others->count, sizeof *list);
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

/* Returns false if the descriptor is certainly not a regular file. Directories, pipes and devices
 * with the name of a record are ignored. */
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
        if (errno != ENOENT) /* ENOENT: another process has removed the file meanwhile */
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

ImgStatus record_others_read(const char *directory, const RecordList *list, RecordOthers *others,
                             ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < list->count; i++)
        status = read_one(others, list->paths[i], err);
    if (status == IMG_OK && list->failure != 0)
        note_unread(others, directory, list->failure);
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
