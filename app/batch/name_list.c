#include "app/batch/name_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/report.h"

static ImgStatus visit_name(char *name, size_t length, int separator, size_t line,
                            NameListVisit *visit, void *context, ImgError *err)
{
    if (length > 0 && name[length - 1] == separator)
        name[--length] = '\0';
    if (memchr(name, '\0', length) != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "line %zu has a NUL byte; --null is for names that end with one", line);
    return length > 0 ? visit(context, name, err) : IMG_OK;
}

static ImgStatus read_names(FILE *file, int separator, NameListVisit *visit, void *context,
                            ImgError *err)
{
    char *name = NULL;
    size_t size = 0, line = 0;
    ssize_t length;
    ImgStatus status = IMG_OK;
    errno = 0;
    while (status == IMG_OK && (length = getdelim(&name, &size, separator, file)) >= 0) {
        status = visit_name(name, (size_t)length, separator, ++line, visit, context, err);
        errno = 0;
    }
    if (status == IMG_OK && !feof(file))
        status = img_fail(err, errno == ENOMEM ? IMG_E_MEMORY : IMG_E_IO,
                          "the list cannot be read: %s", strerror(errno));
    free(name);
    return status;
}

ImgStatus name_list_read(const char *path, bool null_separated, NameListVisit *visit, void *context,
                         ImgError *err)
{
    bool standard_input = strcmp(path, "-") == 0;
    FILE *file = standard_input ? stdin : fopen(path, "re");
    if (file == NULL)
        return img_fail(err, IMG_E_IO, "%s: the list cannot be opened: %s", path, strerror(errno));
    ImgStatus status = read_names(file, null_separated ? '\0' : '\n', visit, context, err);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", report_input_name(path));
    if (!standard_input)
        fclose(file);
    return status;
}
