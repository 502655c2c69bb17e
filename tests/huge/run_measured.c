/* run_measured SECONDS DIRECTORY REPORT COMMAND...: runs the command, and kills it after SECONDS.
 * Writes one line to REPORT: elapsed seconds, processor seconds, peak resident memory in KiB, peak
 * disk space in KiB of the open files below DIRECTORY, and the exit code, or 128 plus the signal.
 * DIRECTORY is the command's temporary directory. Files that are open but already unlinked count,
 * too. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what)
{
    fprintf(stderr, "run_measured: %s: %s\n", what, strerror(errno));
    exit(2);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns the disk space in KiB of the file behind one descriptor, or 0 if it is not below
 * `directory`. Descriptors of the same file count several times. */
static long file_space(int descriptors, const char *name, const char *directory)
{
    char path[PATH_MAX] = "";
    const size_t length = strlen(directory);
    struct stat file;
    if (readlinkat(descriptors, name, path, sizeof path - 1) <= 0 ||
        strncmp(path, directory, length) != 0 || path[length] != '/' ||
        fstatat(descriptors, name, &file, 0) != 0 || !S_ISREG(file.st_mode)) {
        return 0;
    }
    return (long)file.st_blocks / 2;
}

/* Returns the disk space in KiB of all open files of the process below `directory`. */
static long temporary_space(pid_t process, const char *directory)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    DIR *descriptors = opendir(path);
    long sum = 0;
    if (descriptors == NULL) {
        return 0; /* the process has just ended */
    }
    for (struct dirent *entry; (entry = readdir(descriptors)) != NULL;) {
        sum += file_space(dirfd(descriptors), entry->d_name, directory);
    }
    closedir(descriptors);
    return sum;
}

static pid_t start(char **command, const sigset_t *mask)
{
    const pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, mask, NULL);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    if (child < 0) {
        fail("fork");
    }
    return child;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fputs("usage: run_measured SECONDS DIRECTORY REPORT COMMAND...\n", stderr);
        return 2;
    }
    const struct timespec pause = {0, 200 * 1000 * 1000};
    char directory[PATH_MAX];
    if (realpath(argv[2], directory) == NULL) {
        fail(argv[2]);
    }
    sigset_t ended, before;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, &before);
    const double begin = now(), limit = begin + atof(argv[1]);
    const pid_t child = start(argv + 4, &before);
    long space = 0;
    int status = 0;
    struct rusage usage;
    while (wait4(child, &status, WNOHANG, &usage) == 0) {
        const long open = temporary_space(child, directory);
        space = open > space ? open : space;
        if (now() > limit) {
            kill(child, SIGKILL);
        }
        sigtimedwait(&ended, NULL, &pause);
    }
    FILE *report = fopen(argv[3], "w");
    if (report == NULL) {
        fail(argv[3]);
    }
    const struct timeval *user = &usage.ru_utime, *system = &usage.ru_stime;
    fprintf(
        report, "%.2f %.2f %ld %ld %d\n", now() - begin,
        (double)(user->tv_sec + system->tv_sec) + 1e-6 * (double)(user->tv_usec + system->tv_usec),
        usage.ru_maxrss, space, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return fclose(report) == 0 ? 0 : 2;
}
