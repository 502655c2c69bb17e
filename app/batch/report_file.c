#include "app/batch/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/json.h"
#include "app/report.h"
#include "io/output_path.h"
#include "kernels/core/select.h"

struct ReportFile {
    const char *path;
    int fd;
    bool on_terminal;
    pthread_mutex_t lock;
    ImgError failure; /* the first */
};

static const char *kind_of(ImgStatus status)
{
    static const char *const kinds[] = {
        [IMG_E_USAGE] = "usage",
        [IMG_E_IO] = "io",
        [IMG_E_FORMAT] = "format",
        [IMG_E_LIMIT] = "limit",
        [IMG_E_MEMORY] = "memory",
        [IMG_E_UNSUPPORTED] = "unsupported",
        [IMG_E_UNAVAILABLE] = "unavailable",
        [IMG_E_DEVICE] = "device",
        [IMG_E_MISMATCH] = "mismatch",
    };
    return kinds[status];
}

/* Microseconds are as much as a clock tells. */
static void add_seconds(cJSON *object, const char *name, double seconds, bool *failed)
{
    json_number(object, name, round(seconds * 1e6) / 1e6, failed);
}

static void add_size(cJSON *object, const char *name, int32_t size, bool *failed)
{
    if (size > 0)
        json_number(object, name, size, failed);
    else
        json_string(object, name, NULL, failed);
}

static void add_outcome(cJSON *object, const BatchResult *result, bool *failed)
{
    static const char *const outcomes[] = {
        [BATCH_DONE] = "done", [BATCH_FAILED] = "failed", [BATCH_SKIPPED] = "skipped"};
    bool is_failure = result->outcome == BATCH_FAILED;
    json_string(object, "status", outcomes[result->outcome], failed);
    if (result->message != NULL && result->message[0] != '\0')
        json_marked(object, "message", result->message, failed);
    else
        json_string(object, "message", NULL, failed);
    json_string(object, "error", is_failure ? kind_of(result->status) : NULL, failed);
}

static void add_report(cJSON *object, const BatchResult *result, bool *failed)
{
    const JobReport *report = &result->report;
    bool done = result->outcome == BATCH_DONE, ran = batch_result_ran(result);
    add_size(object, "width", report->before.width, failed);
    add_size(object, "height", report->before.height, failed);
    add_size(object, "output_width", done ? report->after.width : 0, failed);
    add_size(object, "output_height", done ? report->after.height : 0, failed);
    json_number(object, "bytes_read", (double)report->bytes_read, failed);
    json_number(object, "bytes_written", done ? (double)report->bytes_written : 0, failed);
    cJSON *seconds = json_object(object, "seconds", failed);
    add_seconds(seconds, "read", report->read, failed);
    add_seconds(seconds, "decode", report->decode, failed);
    add_seconds(seconds, "run", batch_result_run_seconds(result), failed);
    add_seconds(seconds, "encode", report->encode, failed);
    add_seconds(seconds, "write", report->write, failed);
    add_seconds(seconds, "total", report->total, failed);
    json_string(object, "backend", ran ? img_backend_name(report->run.backend) : NULL, failed);
    json_string(object, "device", ran ? report->run.device : NULL, failed);
    json_number(object, "peak_bytes", (double)report->peak_bytes, failed);
}

/* The line, with its end; NULL without memory. */
static char *make_line(const BatchResult *result)
{
    bool failed = false;
    cJSON *object = cJSON_CreateObject();
    json_path(object, "input", "input_path_bytes", result->file->input, &failed);
    if (result->file->output != NULL)
        json_path(object, "output", "output_path_bytes", result->file->output, &failed);
    else
        json_string(object, "output", NULL, &failed);
    add_outcome(object, result, &failed);
    add_report(object, result, &failed);
    char *text = failed ? NULL : cJSON_PrintUnformatted(object), *line = NULL;
    cJSON_Delete(object);
    if (text != NULL && asprintf(&line, "%s\n", text) < 0)
        line = NULL;
    cJSON_free(text);
    return line;
}

static ImgStatus fail_errno(const ReportFile *file, const char *what, ImgError *err)
{
    return img_fail(err, IMG_E_IO, "%s: %s: %s", report_output_name(file->path), what,
                    strerror(errno));
}

/* To the descriptor at once, not by way of stdio: what is told of a file that is done is not lost
 * with the program. */
static ImgStatus put(const ReportFile *file, const char *line, ImgError *err)
{
    size_t size = strlen(line), sent = 0;
    while (sent < size) {
        ssize_t now = write(file->fd, line + sent, size - sent);
        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0) {
            ImgStatus status = fail_errno(file, "the report cannot be written", err);
            off_t end = lseek(file->fd, 0, SEEK_CUR);
            if (sent > 0 && end >= (off_t)sent)
                (void)!ftruncate(file->fd, end - (off_t)sent);
            return status;
        }
        sent += (size_t)now;
    }
    return IMG_OK;
}

static int open_path(const char *path)
{
    int fd = STDOUT_FILENO;
    if (strcmp(path, "-") == 0 || img_output_is_descriptor(path, &fd))
        return fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}

ImgStatus report_file_open(const char *path, ReportFile **file, ImgError *err)
{
    *file = NULL;
    ReportFile *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the report");
    *made = (ReportFile){.path = path, .fd = open_path(path)};
    if (made->fd < 0) {
        ImgStatus status = fail_errno(made, "the report cannot be opened", err);
        free(made);
        return status;
    }
    made->on_terminal = isatty(made->fd);
    pthread_mutex_init(&made->lock, NULL);
    *file = made;
    return IMG_OK;
}

static ImgStatus put_between(const ReportFile *file, const char *line, ImgError *err)
{
    if (!file->on_terminal)
        return put(file, line, err);
    report_begin();
    ImgStatus status = put(file, line, err);
    report_end();
    return status;
}

ImgStatus report_file_add(ReportFile *file, const BatchResult *result, ImgError *err)
{
    char *line = make_line(result);
    pthread_mutex_lock(&file->lock);
    if (line == NULL)
        img_fail(&file->failure, IMG_E_MEMORY, "%s: no memory for the report",
                 report_output_name(file->path));
    else if (file->failure.status == IMG_OK)
        put_between(file, line, &file->failure);
    ImgError failure = file->failure;
    pthread_mutex_unlock(&file->lock);
    free(line);
    return failure.status == IMG_OK ? IMG_OK : img_fail(err, failure.status, "%s", failure.message);
}

ImgStatus report_file_close(ReportFile **file, ImgError *err)
{
    ReportFile *closed = *file;
    if (closed == NULL)
        return IMG_OK;
    *file = NULL;
    if (close(closed->fd) != 0 && closed->failure.status == IMG_OK)
        fail_errno(closed, "the report cannot be written", &closed->failure);
    ImgError failure = closed->failure;
    pthread_mutex_destroy(&closed->lock);
    free(closed);
    return failure.status == IMG_OK ? IMG_OK : img_fail(err, failure.status, "%s", failure.message);
}
