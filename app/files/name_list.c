#include "app/files/gather.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "app/text/streams.h"

enum { NAME_BYTES = PATH_MAX }; /* longest name, including the zero byte at its end */

/* The name that is being read. Its size is limited, since the list can be any file, even
 * /dev/zero. */
typedef struct Name {
    char bytes[NAME_BYTES];
    size_t length, number; /* `number`: number of the name or line in the list, from 1 */
    int separator;
} Name;

static ImgStatus add_byte(Name *name, int byte, ImgError *err)
{
    if (byte == '\0')
        return img_fail(err, IMG_E_USAGE,
                        "line %zu has a NUL byte; --null is for names that end with one",
                        name->number);
    if (name->length + 1 >= NAME_BYTES)
        return img_fail(err, IMG_E_USAGE,
                        "name %zu of the list is longer than the %d bytes that a path can have; "
                        "names end with a %s",
                        name->number, (int)NAME_BYTES - 1,
                        name->separator == '\0' ? "NUL byte"
                                                : "newline, or with --null a NUL byte");
    name->bytes[name->length++] = (char)byte;
    return IMG_OK;
}

/* Removes a byte order mark before the first line, and a carriage return at the end of a line.
 * Editors add them, especially on Windows. */
static void trim_line(Name *name)
{
    static const char mark[] = {'\xEF', '\xBB', '\xBF'};
    if (name->length > 0 && name->bytes[name->length - 1] == '\r')
        name->length--;
    if (name->number == 1 && name->length >= sizeof mark &&
        memcmp(name->bytes, mark, sizeof mark) == 0) {
        name->length -= sizeof mark;
        memmove(name->bytes, name->bytes + sizeof mark, name->length);
    }
}

static ImgStatus end_name(Name *name, NameListVisit *visit, void *context, ImgError *err)
{
    ImgStatus status = IMG_OK;
    if (name->separator == '\n')
        trim_line(name);
    name->bytes[name->length] = '\0';
    if (name->length > 0)
        status = visit(context, name->bytes, err);
    else if (name->separator == '\0')
        status = img_fail(err, IMG_E_USAGE, "name %zu of the list is empty", name->number);
    name->length = 0;
    name->number++;
    return status;
}

static ImgStatus read_names(FILE *file, int separator, NameListVisit *visit, void *context,
                            ImgError *err)
{
    Name name = {.number = 1, .separator = separator};
    ImgStatus status = IMG_OK;
    int byte = 0;
    errno = 0;
    while (status == IMG_OK && (byte = getc(file)) != EOF) {
        status =
            byte == separator ? end_name(&name, visit, context, err) : add_byte(&name, byte, err);
        errno = 0;
    }
    if (status == IMG_OK && ferror(file))
        status = img_fail(err, IMG_E_IO, "the list cannot be read: %s", strerror(errno));
    if (status == IMG_OK && name.length > 0)
        status = end_name(&name, visit, context, err);
    return status;
}

ImgStatus name_list_read(const char *path, bool null_separated, NameListVisit *visit, void *context,
                         ImgError *err)
{
    bool standard_input = strcmp(path, "-") == 0;
    FILE *file = standard_input ? stdin : fopen(path, "re");
    if (file == NULL)
        return img_fail(err, IMG_E_IO, "%s: the list cannot be opened: %s%s", path, strerror(errno),
                        img_errno_remedy(errno));
    ImgStatus status = read_names(file, null_separated ? '\0' : '\n', visit, context, err);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", img_streams_input_name(path));
    if (!standard_input)
        fclose(file);
    return status;
}
