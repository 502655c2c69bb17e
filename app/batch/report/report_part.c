/* Checks that the report does not overwrite the report of another part, which merge-report also
 * needs. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "app/batch/report/report_file.h"
#include "app/text/json_lines.h"

/* upper bound of the length of a summary, in bytes */
enum { TAIL_SIZE = 4096 };

/* Reads the last TAIL_SIZE bytes of a regular file as a string. The string is empty if that
 * fails. */
static void read_tail(const char *path, char tail[TAIL_SIZE + 1])
{
    struct stat info;
    tail[0] = '\0';
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const bool is_file = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    FILE *file = is_file ? fdopen(fd, "r") : NULL;
    if (file == NULL && fd >= 0)
        close(fd);
    if (file == NULL)
        return;
    if (info.st_size <= TAIL_SIZE || fseeko(file, -(off_t)TAIL_SIZE, SEEK_END) == 0)
        tail[fread(tail, 1, TAIL_SIZE, file)] = '\0';
    fclose(file);
}

/* Returns the part whose complete report is in the file. A count of 0 means that the file is no
 * complete report of a part. */
static BatchPart part_there(const char *path)
{
    char tail[TAIL_SIZE + 1];
    read_tail(path, tail);
    const size_t length = strlen(tail);
    if (length == 0 || tail[length - 1] != '\n')
        return (BatchPart){0, 0};
    tail[length - 1] = '\0';
    const char *end = strrchr(tail, '\n');
    const char *text = end != NULL ? end + 1 : tail;
    cJSON *line = json_is_shallow(text, strlen(text)) ? cJSON_Parse(text) : NULL;
    BatchPart part = {0, 0};
    if (json_line_is(line, "summary"))
        part = batch_part_of(line);
    cJSON_Delete(line);
    return part;
}

ImgStatus report_file_check_part(const char *path, const Shard *shard, ImgError *err)
{
    if (shard->count < 2 || strcmp(path, "-") == 0)
        return IMG_OK;
    const BatchPart there = part_there(path);
    if (there.count != shard->count || there.number == shard->index + 1)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "--report '%s' would replace that of part %u of %u; give each part its own, as "
                    "with --report 'report-{shard}.json'",
                    path, there.number, there.count);
}
