/* interrupt SIGNAL COMMAND...: starts the command and sends it the signal (INT, TERM, HUP, KILL) as
 * soon as a new file has appeared in the current folder. Prints "signal N" or "exit N", how it
 * ended; "too late" where it ended by itself, "no new file" where none came within 20 seconds. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int count_files(void)
{
    DIR *folder = opendir(".");
    int count = 0;
    while (folder != NULL && readdir(folder) != NULL) {
        count++;
    }
    if (folder != NULL) {
        closedir(folder);
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

int main(int argc, char **argv)
{
    int number = argc > 2 ? signal_number(argv[1]) : 0;
    if (number == 0) {
        fprintf(stderr, "usage: interrupt INT|TERM|HUP|KILL COMMAND...\n");
        return 2;
    }
    /* A shell starts background jobs with SIGINT ignored, which children would inherit. */
    signal(number, SIG_DFL);
    int before = count_files();
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status = 0;
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 20000 && count_files() <= before; i++) {
        if (waitpid(child, &status, WNOHANG) == child) {
            puts("too late");
            return 1;
        }
        nanosleep(&pause, NULL);
    }
    if (count_files() <= before) {
        puts("no new file");
        number = SIGKILL;
    }
    kill(child, number);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        printf("signal %d\n", WTERMSIG(status));
    } else {
        printf("exit %d\n", WEXITSTATUS(status));
    }
    return 0;
}
