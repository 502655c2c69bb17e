/* One measured run of a command (judge.h). */
#include "tests/memory/judge.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 300 };

bool meter_open(const char *preload, Meter *meter)
{
    char shown[16];
    meter->preload = preload;
    meter->shown = memfd_create("heap", 0);
    meter->said = memfd_create("said", MFD_CLOEXEC);
    if (meter->shown < 0 || meter->said < 0 || ftruncate(meter->shown, sizeof *meter->heap) != 0) {
        perror("memory_jobs");
        return false;
    }
    meter->heap =
        mmap(NULL, sizeof *meter->heap, PROT_READ | PROT_WRITE, MAP_SHARED, meter->shown, 0);
    if (meter->heap == MAP_FAILED) {
        perror("memory_jobs");
        return false;
    }
    snprintf(shown, sizeof shown, "%d", meter->shown);
    return setenv("HEAP_PEAK", shown, 1) == 0;
}

_Noreturn static void become(const Meter *meter, const char *directory, char *const *command)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(meter->said, STDERR_FILENO);
    alarm(SECONDS); /* ends the process if it hangs */
    if (chdir(directory) == 0 && setenv("LD_PRELOAD", meter->preload, 1) == 0)
        execv(command[0], command);
    perror(command[0]);
    _exit(127);
}

static void read_said(const Meter *meter, char said[SAID])
{
    ssize_t got = pread(meter->said, said, SAID - 1, 0);
    said[got > 0 ? got : 0] = '\0';
}

void measure(const Meter *meter, const char *directory, char *const *command, Measured *measured)
{
    struct rusage usage = {.ru_maxrss = 0};
    int status = -1;
    *meter->heap = 0;
    const bool emptied = ftruncate(meter->said, 0) == 0 && lseek(meter->said, 0, SEEK_SET) == 0;
    pid_t child = emptied ? fork() : -1;
    if (child == 0)
        become(meter, directory, command);
    const bool ended = child > 0 && wait4(child, &status, 0, &usage) == child;
    measured->code = ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    measured->is_slow = ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    measured->heap = *meter->heap;
    measured->pages = (uint64_t)usage.ru_maxrss << 10;
    read_said(meter, measured->said);
}
