/* interrupt [--when CONDITION] [--twice] SIGNAL COMMAND...: starts the command and sends it the
 * signal (INT, TERM, HUP, KILL) as soon as a new file appears in the current directory. With --when
 * it does so as soon as the shell command CONDITION succeeds. --twice sends the signal twice.
 * Prints "signal N" or "exit N" for the way in which the command ended, or "too late" if it ended
 * before the signal. Prints "waited in vain" if nothing happened within 60 seconds. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int count_files(void)
{
    DIR *directory = opendir(".");
    int count = 0;
    while (directory != NULL && readdir(directory) != NULL) {
        count++;
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}

static int signal_number(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}, {"KILL", SIGKILL}};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        if (strcmp(signals[i].name, name) == 0) {
            return signals[i].number;
        }
    }
    return 0;
}

/* The event after which the signal is sent: a shell command succeeds, or a new file appears. */
typedef struct Moment {
    const char *condition;
    int files_before;
} Moment;

static bool has_come(const Moment *moment)
{
    if (moment->condition == NULL)
        return count_files() > moment->files_before;
    /* NOLINT(cert-env33-c): the command comes from the test */
    return system(moment->condition) == 0;
}

static int print_end(int status)
{
    if (WIFSIGNALED(status))
        printf("signal %d\n", WTERMSIG(status));
    else
        printf("exit %d\n", WEXITSTATUS(status));
    return 0;
}

int main(int argc, char **argv)
{
    enum { TRIES = 60000 };
    Moment moment = {NULL, count_files()};
    bool twice = false;
    char **words = argv + 1;
    for (; words[0] != NULL && words[0][0] == '-'; words++) {
        if (strcmp(words[0], "--when") == 0 && words[1] != NULL)
            moment.condition = *++words;
        else if (strcmp(words[0], "--twice") == 0)
            twice = true;
    }
    int number = words[0] != NULL && words[1] != NULL ? signal_number(words[0]) : 0;
    if (number == 0) {
        fprintf(stderr, "usage: %s [--when CONDITION] [--twice] INT|TERM|HUP|KILL COMMAND...\n",
                argc > 0 ? argv[0] : "interrupt");
        return 2;
    }
    /* A shell starts background jobs with SIGINT ignored, and the command would inherit that. So
     * the default action is restored. */
    signal(number, SIG_DFL);
    pid_t child = fork();
    if (child == 0) {
        execvp(words[1], words + 1);
        perror(words[1]);
        _exit(127);
    }
    int status = 0;
    const struct timespec pause = {0, 1000000};
    bool come = false;
    for (int i = 0; i < TRIES && !(come = has_come(&moment)); i++) {
        if (waitpid(child, &status, WNOHANG) == child) {
            puts("too late");
            return 1;
        }
        nanosleep(&pause, NULL);
    }
    if (!come) {
        puts("waited in vain");
        number = SIGKILL;
    }
    kill(child, number);
    if (twice)
        kill(child, number);
    waitpid(child, &status, 0);
    return print_end(status);
}
