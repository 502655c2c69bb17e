
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

enum { SECONDS_MOST = 100 }; /* longer than the minute that imgtool gives the drawing process */

static const char *base_directory(void)
{
    const char *asked = getenv("TMPDIR");
    if (asked != NULL && asked[0] != '\0')
        return asked;
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

void stage_open(const Options *options, int number, Stage *stage)
{
    char path[112];
    stage->options = options;
    int length = snprintf(path, sizeof path, "%s/imgtool-inject-%ld-%d", base_directory(),
                          (long)getpid(), number);
    if (length >= (int)sizeof path || mkdir(path, 0700) != 0)
        give_up(path);
    stage->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(stage->file, sizeof stage->file, "%s.shared", path);
    int fd = open(stage->file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (stage->directory < 0 || fd < 0 || ftruncate(fd, sizeof *stage->shared) != 0)
        give_up(path);
    stage->shared = mmap(NULL, sizeof *stage->shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    stage->out = memfd_create("out", MFD_CLOEXEC);
    stage->err = memfd_create("err", MFD_CLOEXEC);
    if (stage->shared == MAP_FAILED || stage->out < 0 || stage->err < 0)
        give_up(path);
    close(fd);
}

void stage_close(Stage *stage)
{
    char *end = strrchr(stage->file, '.');
    tree_clear(stage->directory);
    unlink(stage->file);
    *end = '\0';
    rmdir(stage->file);
    munmap(stage->shared, sizeof *stage->shared);
    close(stage->directory);
    close(stage->out);
    close(stage->err);
}

static void set(const char *name, const char *value)
{
    if (setenv(name, value, 1) != 0)
        give_up(name);
}

/* Sets the environment variables for the program. With a sanitizer the program needs additional
 * ones. */
static void set_environment(const Stage *stage, const Case *one)
{
    set(INJECT_FILE, stage->file);
    set(INJECT_PROGRAM, one->program != NULL ? one->program : "imgtool");
    set("LD_PRELOAD", stage->options->shim);
    set("LC_ALL", "C");
    unsetenv("TERM");
    if (!stage->options->sanitizer)
        return;
    char leaks[600];
    snprintf(leaks, sizeof leaks, "suppressions=%s/../tests/cli/leaks.txt:print_suppressions=0",
             stage->options->samples);
    set("LSAN_OPTIONS", leaks);
    set("ASAN_OPTIONS", "verify_asan_link_order=0:exitcode=99:detect_leaks=1:"
                        "allocator_may_return_null=1:abort_on_error=0:handle_segv=0");
    set("UBSAN_OPTIONS", "exitcode=98:print_stacktrace=1");
}

_Noreturn static void become(const Stage *stage, const Case *one, const char *const *words)
{
    const char *all[WORDS_MOST + 3];
    size_t count = 0;
    int nothing = open("/dev/null", O_RDONLY);
    all[count++] = "imgtool";
    for (size_t i = 0; i < WORDS_MOST && words[i] != NULL; i++) {
        all[count++] = words[i];
        if (i == 0 && stage->options->extra != NULL)
            all[count++] = stage->options->extra;
    }
    all[count] = NULL;
    if (fchdir(stage->directory) != 0 || dup2(nothing, 0) < 0 || dup2(stage->out, 1) < 0 ||
        dup2(stage->err, 2) < 0)
        _exit(126);
    set_environment(stage, one);
    execv(stage->options->program, (char *const *)all);
    _exit(127);
}

/* Reads the end of the output, where the messages are. A library may have printed a lot before
 * them. */
static void take_output(int fd, char text[OUTPUT_MOST], size_t *size)
{
    off_t end = lseek(fd, 0, SEEK_END), most = OUTPUT_MOST - 1;
    ssize_t got = pread(fd, text, OUTPUT_MOST - 1, end > most ? end - most : 0);
    *size = got > 0 ? (size_t)got : 0;
    text[*size] = '\0';
}

static void wait_for(pid_t child, Result *result)
{
    int status;
    struct pollfd end = {(int)syscall(SYS_pidfd_open, child, 0), POLLIN, 0};
    result->hangs = end.fd >= 0 && poll(&end, 1, SECONDS_MOST * 1000) == 0;
    if (result->hangs)
        kill(child, SIGKILL);
    if (waitpid(child, &status, 0) < 0)
        give_up("waitpid");
    if (end.fd >= 0)
        close(end.fd);
    result->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void run_words(Stage *stage, const Case *one, const char *const *words, int call,
               const Fault *fault, unsigned number, Result *result)
{
    InjectShared *shared = stage->shared;
    memset(shared, 0, sizeof *shared);
    shared->call = fault != NULL ? call : -1;
    shared->code = fault != NULL ? fault->code : 0;
    shared->first = number;
    shared->count = fault != NULL && fault->stays ? ~0U - number : 1;
    shared->trace = stage->options->show;
    shared->without_unnamed = one->without_unnamed;
    if (ftruncate(stage->out, 0) != 0 || ftruncate(stage->err, 0) != 0 ||
        lseek(stage->out, 0, SEEK_SET) != 0 || lseek(stage->err, 0, SEEK_SET) != 0)
        give_up("memfd");
    pid_t child = fork();
    if (child < 0)
        give_up("fork");
    if (child == 0)
        become(stage, one, words);
    wait_for(child, result);
    result->injected = atomic_load(&shared->injected);
    result->descriptor = atomic_load(&shared->descriptor);
    result->lost = atomic_load(&shared->lost) != 0;
    take_output(stage->out, result->out, &result->out_size);
    take_output(stage->err, result->err, &result->err_size);
}
