/* startup EMPTY PROGRAM [ARGUMENT...]: times the start of PROGRAM, and for comparison the start of
 * EMPTY, a program that does nothing.
 *
 * The two alternate, 500 times each, so that other work on the machine affects both. Prints the
 * minimum, the median and the quartiles. Also prints the median of the processor time, which does
 * not grow while other programs run. The output of the programs is discarded. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 500 };

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

typedef struct Samples {
    /* milliseconds of each round: wall-clock time and processor time */
    double wall[ROUNDS], cpu[ROUNDS];
} Samples;

static double of(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec * 1e-3;
}

static void run(char **words, Samples *samples, int round)
{
    struct rusage usage;
    posix_spawn_file_actions_t actions;
    pid_t child;
    int result = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    double start = milliseconds();
    if (posix_spawn(&child, words[0], &actions, NULL, words, environ) != 0 ||
        wait4(child, &result, 0, &usage) < 0 || result != 0) {
        fprintf(stderr, "%s cannot be run, or fails\n", words[0]);
        exit(1);
    }
    samples->wall[round] = milliseconds() - start;
    samples->cpu[round] = of(usage.ru_utime) + of(usage.ru_stime);
    posix_spawn_file_actions_destroy(&actions);
}

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static void print(const char *what, Samples *samples)
{
    double *wall = samples->wall, *cpu = samples->cpu;
    qsort(wall, ROUNDS, sizeof *wall, compare);
    qsort(cpu, ROUNDS, sizeof *cpu, compare);
    printf("%-12s least %6.3f  median %6.3f  quartiles %6.3f to %6.3f  processor %6.3f ms\n", what,
           wall[0], wall[ROUNDS / 2], wall[ROUNDS / 4], wall[ROUNDS * 3 / 4], cpu[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
    static Samples empty, program, more;
    if (argc < 3) {
        fputs("usage: startup EMPTY PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
    char *nothing[] = {argv[1], NULL};
    for (int i = 0; i < ROUNDS; i++) {
        run(nothing, &empty, i);
        run(argv + 2, &program, i);
        more.wall[i] = program.wall[i] - empty.wall[i];
        more.cpu[i] = program.cpu[i] - empty.cpu[i];
    }
    print("empty", &empty);
    print("program", &program);
    print("difference", &more);
    return 0;
}
