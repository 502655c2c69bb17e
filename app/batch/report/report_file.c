#include "app/batch/report/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/term/messages.h"
#include "app/text/streams.h"
#include "io/output/output_path.h"

struct ReportFile {
    const char *path;
    int fd;
    bool on_terminal;
    pthread_mutex_t lock;
    ImgError failure; /* the first failure of a write; IMG_OK: none */
};

static ImgStatus fail_errno(const ReportFile *file, const char *what, ImgError *err)
{
    return img_fail(err, img_errno_status(errno), "%s: %s: %s", img_streams_output_name(file->path),
                    what, strerror(errno));
}

/* Writes a line by one system call. stdio would buffer lines, and lose them if the program is
 * killed. */
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
    /* O_APPEND, so that lines of two processes stay complete even on a file system without locks */
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
}

/* Locks and truncates the file. The lock keeps two processes from writing to one report. */
static ImgStatus take(const ReportFile *file, ImgError *err)
{
    struct stat info;
    int fd;
    if (strcmp(file->path, "-") == 0 || img_output_is_descriptor(file->path, &fd) ||
        fstat(file->fd, &info) != 0 || !S_ISREG(info.st_mode))
        return IMG_OK;
    if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return img_fail(
            err, IMG_E_TEMPORARY,
            "%s: another imgtool process writes its report there; name another file, or give "
            "each part its own, as with --report 'report-{shard}.json'",
            file->path);
    if (ftruncate(file->fd, 0) != 0)
        return fail_errno(file, "the report cannot be rewritten", err);
    return IMG_OK;
}

static ImgStatus open_empty(ReportFile *file, ImgError *err)
{
    file->fd = open_path(file->path);
    if (file->fd < 0)
        return fail_errno(file, "the report cannot be opened", err);
    ImgStatus status = take(file, err);
    if (status != IMG_OK)
        close(file->fd);
    return status;
}

ImgStatus report_file_open(const char *path, ReportFile **file, ImgError *err)
{
    *file = NULL;
    ReportFile *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the report");
    made->path = path;
    ImgStatus status = open_empty(made, err);
    if (status != IMG_OK) {
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

/* Writes a line, and frees it. A line that is NULL means that there was no memory for it. */
static ImgStatus add_line(ReportFile *file, char *line, ImgError *err)
{
    pthread_mutex_lock(&file->lock);
    if (line == NULL)
        img_fail(&file->failure, IMG_E_MEMORY, "%s: no memory for the report",
                 img_streams_output_name(file->path));
    else if (file->failure.status == IMG_OK)
        put_between(file, line, &file->failure);
    ImgError failure = file->failure;
    pthread_mutex_unlock(&file->lock);
    free(line);
    return failure.status == IMG_OK ? IMG_OK : img_fail(err, failure.status, "%s", failure.message);
}

ImgStatus report_file_add(ReportFile *file, const BatchResult *result, ImgError *err)
{
    return add_line(file, report_json_file(result), err);
}

ImgStatus report_file_add_errors(ReportFile *file, const BatchPlan *plan, ImgError *err)
{
    ImgStatus status = failed_inputs_check(&plan->failed, err);
    for (size_t i = 0; i < plan->failed.count && status == IMG_OK; i++)
        status = add_line(file, report_json_error(&plan->failed.list[i]), err);
    return status;
}

ImgStatus report_file_end(ReportFile *file, const BatchEnd *end, ImgError *err)
{
    return add_line(file, report_json_summary(end), err);
}

ImgStatus report_file_sync(ReportFile *file, ImgError *err)
{
    bool can = fdatasync(file->fd) == 0 || errno == EINVAL || errno == EROFS;
    return can ? IMG_OK : fail_errno(file, "the report cannot be written", err);
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

ImgStatus report_file_write_empty(const char *path, const BatchPlan *plan, ImgError *err)
{
    const BatchTotals totals = {.files = 0};
    const BatchEnd end = {.totals = &totals,
                          .inputs_failed = plan->failures,
                          .part = {plan->shard.index + 1, plan->shard.count}};
    ReportFile *file = NULL;
    ImgError late = {IMG_OK, ""};
    ImgStatus status = report_file_open(path, &file, err);
    if (status == IMG_OK)
        status = report_file_add_errors(file, plan, err);
    if (status == IMG_OK)
        status = report_file_end(file, &end, err);
    if (report_file_close(&file, &late) != IMG_OK && status == IMG_OK)
        status = img_fail(err, late.status, "%s", late.message);
    return status;
}
