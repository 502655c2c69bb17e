/* peak_memory COMMAND...: prints the peak resident memory of the command, in kilobytes. Discards
 * the command's own output. Exit code 1 if the command fails. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs the command. Returns true if it exits with 0. */
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
        perror("peak_memory");
        return 0;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: peak_memory COMMAND...\n");
        return 2;
    }
    struct rusage usage;
    if (!run(argv + 1, &usage)) {
        fprintf(stderr, "peak_memory: %s failed\n", argv[1]);
        return 1;
    }
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}
