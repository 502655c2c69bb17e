/* measure memory COMMAND...     prints the most memory the command held, in kilobytes
 * measure cpu COMMAND...        prints the least processor time of 20 runs, in microseconds
 * The command's own output is dropped. Exit code 1 where it fails. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Runs the command; false unless it exits with 0. */
static int run(char **command, struct rusage *usage)
{
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(null, STDOUT_FILENO);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    int status = -1;
    if (child < 0 || wait4(child, &status, 0, usage) != child) {
        perror("measure");
        return 0;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: measure memory|cpu COMMAND...\n");
        return 2;
    }
    int timing = strcmp(argv[1], "cpu") == 0;
    double best = 1e9;
    struct rusage usage;
    for (int i = 0; i < (timing ? 20 : 1); i++) {
        if (!run(argv + 2, &usage)) {
            fprintf(stderr, "measure: %s failed\n", argv[2]);
            return 1;
        }
        double took = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        best = took < best ? took : best;
    }
    printf("%ld\n", timing ? (long)(best * 1e6) : usage.ru_maxrss);
    return 0;
}
