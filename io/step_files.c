#include "io/step_files.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/input.h"
#include "io/size_text.h"
#include "io/step_picture.h"
#include "kernels/core/params.h"

enum { BYTES_MOST = 128 << 20, BYTES_FIRST = 1 << 16 };

/* The text of a file. A 0 byte follows the last byte of the text. */
typedef struct Text {
    char *bytes; /* owned */
    size_t size, room;
} Text;

/* Enlarges the buffer. Both the old and the new buffer count against the limit, because realloc
 * needs both while it copies. */
static ImgStatus grow(Text *text, const ImgLimits *limits, ImgError *err)
{
    const size_t room = text->room == 0 ? BYTES_FIRST : 2 * text->room;
    if (text->room > 0 && text->room + room > limits->max_memory)
        return img_fail_memory("it", text->room + room, limits->max_memory, limits->more_memory,
                               err);
    char *bytes = realloc(text->bytes, room + 1);
    if (bytes == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a file of %zu bytes", text->size);
    text->bytes = bytes;
    text->room = room;
    return IMG_OK;
}

/* Reads a whole file. A signal does not end the reading, because the bytes that were taken from a
 * pipe cannot be read again. */
static ImgStatus read_text(const ImgInput *input, const ImgLimits *limits, Text *text,
                           ImgError *err)
{
    ImgStatus status = IMG_OK;
    do {
        if (text->size > BYTES_MOST)
            return img_fail(err, IMG_E_LIMIT, "has more than the limit of %d MiB",
                            BYTES_MOST >> 20);
        if (text->size == text->room)
            status = grow(text, limits, err);
        size_t got = 0;
        if (status == IMG_OK)
            status = img_input_read(input, (uint8_t *)text->bytes + text->size,
                                    text->room - text->size, &got, err);
        if (status != IMG_OK)
            return status;
        text->size += got;
    } while (text->size == text->room);
    text->bytes[text->size] = '\0';
    return IMG_OK;
}

/* Records size and CRC of the content. A cache of results uses them to detect that the content has
 * changed. */
static void note_content(ImgStep *step, const void *bytes, size_t size)
{
    step->content_bytes += size;
    step->content_crc = libdeflate_crc32(step->content_crc, bytes, size);
}

static ImgStatus read_content(ImgStep *step, const char *path, const ImgLimits *limits,
                              const ImgStepFiles *files, ImgConstants *content, uint64_t *most,
                              ImgError *err)
{
    Text text = {NULL, 0, 0};
    ImgInput input = {.owns_fd = true, .interrupt = files->interrupt};
    ImgStatus status =
        img_input_open_path(path, limits->only_files, &files->interrupt, &input.fd, err);
    if (status == IMG_OK)
        status = read_text(&input, limits, &text, err);
    img_input_close(&input);
    if (status == IMG_OK)
        status = step->op->file.read(text.bytes, text.size, content, err);
    if (status == IMG_OK)
        note_content(step, text.bytes, text.size);
    *most = text.room + text.room / 2 + content->size;
    free(text.bytes);
    return status;
}

const char *img_step_file_path(const ImgStep *step, const ImgParam *param)
{
    const char *value = (const char *)step->params.bytes + param->offset;
    const char *path = value + offsetof(ImgFile, path);
    return param->type == IMG_PARAM_FILE && path[0] != '\0' ? path : NULL;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino && S_ISREG(first.st_mode);
}

const char *img_step_files_find_same(const ImgStep *steps, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++) {
            const char *read = img_step_file_path(&steps[i], param);
            if (read != NULL && is_same_file(read, path))
                return read;
        }
    return NULL;
}

/* Reads a picture for a step. Records the size and CRC of its pixels instead of its file, because
 * two files may contain the same pixels. */
static ImgStatus read_picture(ImgStep *step, const char *path, const ImgLimits *limits,
                              const ImgStepFiles *files, ImgConstants *content, uint64_t *most,
                              ImgError *err)
{
    const ImgStatus status = img_step_picture_read(path, limits, &files->interrupt,
                                                   &files->warnings, content, most, err);
    if (status == IMG_OK)
        note_content(step, content->bytes, content->size);
    return status;
}

static ImgStatus load(ImgStepFiles *files, ImgStep *step, const ImgParam *param,
                      const ImgLimits *limits, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    const char *path = img_step_file_path(step, param);
    ImgConstants *contents = realloc(files->contents, (files->count + 1) * sizeof *contents);
    if (contents == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for files");
    files->contents = contents;
    contents[files->count] = (ImgConstants){NULL, 0};
    ImgConstants *content = &contents[files->count];
    const char *opened = files->find != NULL ? files->find(path) : path;
    uint64_t most = 0;
    const ImgStatus status = (step->op->file.is_picture ? read_picture : read_content)(
        step, opened, limits, files, content, &most, &failure);
    if (status != IMG_OK && step->op->file.is_picture)
        return img_fail(err, failure.status, "%s: %s", step->op->name, failure.message);
    if (status != IMG_OK)
        return img_fail(err, failure.status, "%s: %s: %s", step->op->name, path, failure.message);
    img_params_set_content(param, &step->params, content->bytes);
    step->held += content->size;
    step->loading = most;
    files->count++;
    return IMG_OK;
}

/* --- Estimates before the files are read ------------------------------------------------------ */

/* Returns an upper bound of the size in bytes of parsed content. Parsed tables have at most twice
 * the size of their text. Parsed weights have at most WEIGHTS_MOST bytes. */
static uint64_t content_bytes(uint64_t size)
{
    enum { WEIGHTS_MOST = 1 << 14 };
    return 2 * size + WEIGHTS_MOST;
}

/* Estimates the memory for reading a text file. Sets `*most` to the largest number of bytes in use
 * at any time, and `*kept` to the number of bytes that stay in use. Assumes that the buffer grows
 * as in read_content. */
static void look_at_text(const char *path, uint64_t *most, uint64_t *kept)
{
    struct stat info;
    uint64_t room = BYTES_FIRST;
    const bool has_size = stat(path, &info) == 0 && info.st_size > 0;
    const uint64_t size = has_size ? (uint64_t)info.st_size : 0;
    while (room <= size && room <= BYTES_MOST)
        room *= 2;
    *kept = content_bytes(size < room ? size : room);
    *most = room + room / 2 + *kept;
}

static ImgStatus look(const ImgStep *step, const char *path, const ImgLimits *limits,
                      uint64_t *most, uint64_t *kept, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    if (!step->op->file.is_picture) {
        look_at_text(path, most, kept);
        return IMG_OK;
    }
    const ImgStatus status = img_step_picture_estimate(path, limits, most, kept, &failure);
    return status == IMG_OK ? IMG_OK
                            : img_fail(err, status, "%s: %s", step->op->name, failure.message);
}

ImgStatus img_step_files_estimate(const ImgStep *steps, size_t count, const ImgLimits *limits,
                                  uint64_t *bytes, ImgError *err)
{
    uint64_t held = 0, most = 0, kept = 0;
    *bytes = 0;
    for (size_t i = 0; i < count; i++)
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++) {
            const char *path = img_step_file_path(&steps[i], param);
            if (path == NULL)
                continue;
            const ImgStatus status = look(&steps[i], path, limits, &most, &kept, err);
            if (status != IMG_OK)
                return status;
            *bytes = *bytes > held + most ? *bytes : held + most;
            held += kept;
        }
    return IMG_OK;
}

/* --- The files of all steps ------------------------------------------------------------------- */

static uint64_t held_by(const ImgStep *steps, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += steps[i].held;
    return bytes;
}

ImgStatus img_step_files_load(ImgStepFiles *files, ImgStep *steps, size_t count,
                              const ImgLimits *limits, ImgError *err)
{
    ImgLimits left = *limits;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < count; i++) {
        const uint64_t held = held_by(steps, count);
        left.max_memory = limits->max_memory > held ? limits->max_memory - held : 0;
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++)
            if (status == IMG_OK && img_step_file_path(&steps[i], param) != NULL)
                status = load(files, &steps[i], param, &left, err);
    }
    return status;
}

void img_step_files_free(ImgStepFiles *files)
{
    for (size_t i = 0; i < files->count; i++)
        img_constants_free(&files->contents[i]);
    free(files->contents);
    files->contents = NULL;
    files->count = 0;
}

void img_step_files_unload(ImgStepFiles *files, ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++)
            if (img_step_file_path(&steps[i], param) != NULL)
                img_params_set_content(param, &steps[i].params, NULL);
        steps[i].held = steps[i].loading = steps[i].content_bytes = 0;
        steps[i].content_crc = 0;
    }
    img_step_files_free(files);
}
