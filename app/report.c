#include "app/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/exit_code.h"
#include "app/status_line.h"
#include "app/text.h"

static int stdout_errno; /* of the first failure that was noticed; 0: none */

void report_begin(void)
{
    status_line_pause();
}

void report_end(void)
{
    errno = 0;
    report_flush_stdout();
    status_line_resume();
}

/* In one write, so that lines stay whole also where several processes share stderr. */
static void say(const char *message)
{
    static const char name[] = "imgtool: ";
    char line[sizeof name + IMG_MESSAGE_SIZE + 1];
    FILE *text = fmemopen(line, sizeof line, "w");
    if (text == NULL)
        return;
    fputs(name, text);
    text_clean(text, message);
    fputc('\n', text);
    long size = ftell(text);
    fclose(text);
    status_line_pause();
    /* Results come before the complaint also where both go to the same file. */
    errno = 0; /* no reason of an earlier failure of stdout, but that of a file */
    report_flush_stdout();
    fwrite(line, 1, (size_t)size, stderr);
    status_line_resume();
}

int report_failure(const ImgError *err)
{
    say(err->message);
    return exit_code_of(err->status);
}

static void say_from(const Settings *settings, int least, const char *format, va_list arguments)
{
    if (settings->verbosity < least)
        return;
    char message[IMG_MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    say(message);
}

void report_note(const Settings *settings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_from(settings, VERBOSITY_NORMAL, format, arguments);
    va_end(arguments);
}

void report_detail(const Settings *settings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_from(settings, VERBOSITY_MORE, format, arguments);
    va_end(arguments);
}

void report_guard_streams(void)
{
    /* Opened so that reading stdin finds nothing, and writing stdout still fails, as it should. */
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", modes[fd]);
}

void report_flush_stdout(void)
{
    bool failed = ferror(stdout) != 0; /* just now: errno still tells why */
    failed |= fflush(stdout) != 0;
    if (failed && stdout_errno == 0)
        stdout_errno = errno;
}

ImgStatus report_finish_stdout(ImgError *err)
{
    errno = 0;
    report_flush_stdout();
    if (stdout_errno != 0)
        return img_fail(err, IMG_E_IO, "standard output: cannot be written: %s",
                        strerror(stdout_errno));
    if (ferror(stdout))
        return img_fail(err, IMG_E_IO, "standard output: cannot be written");
    return IMG_OK;
}

const char *report_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *report_output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}
