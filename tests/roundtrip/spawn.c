/* Runs other programs, and makes the directory in which they work. */
#include "tests/roundtrip/spawn.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void command_add(Command *command, const char *argument)
{
    if (command->count == ARGUMENTS_MAX) {
        fprintf(stderr, "too many arguments for one command\n");
        exit(EXIT_FAILURE);
    }
    command->arguments[command->count++] = argument;
    command->arguments[command->count] = NULL;
}

void command_add_all(Command *command, const char *const *arguments)
{
    for (; *arguments != NULL; arguments++) {
        command_add(command, *arguments);
    }
}

static void redirect(const char *path, int flags, int target)
{
    int fd = path != NULL ? open(path, flags | O_CLOEXEC, 0666) : -1;
    if (path != NULL && dup2(fd, target) < 0) {
        perror(path);
        _exit(126);
    }
}

int command_run(const Command *command, const char *input, const char *output)
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        redirect(input, O_RDONLY, STDIN_FILENO);
        redirect(output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        execvp(command->arguments[0], (char *const *)command->arguments);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("spawn");
        return 126;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static char directory[4096];

const char *directory_make(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/imgtool-roundtrip.XXXXXX",
             base != NULL ? base : "/tmp");
    if (mkdtemp(directory) == NULL) {
        perror(directory);
        exit(EXIT_FAILURE);
    }
    return directory;
}

void directory_remove(void)
{
    DIR *dir = opendir(directory);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    (void)rmdir(directory);
}
