/* Enters the sandbox of the program in a new process for each trial, and tries one call there. The
 * sandbox must refuse forbidden calls, and allow those that a command needs. Each call is also
 * tried without the sandbox: a call that fails for another reason proves nothing. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/options.h"
#include "app/sandbox/sandbox.h"
#include "tests/sandbox/trials.h"

enum { SKIPPED = 77, NO_SANDBOX = 254, WORKS = 255, SECONDS_MOST = 20 };

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (file == NULL || fputs(text, file) == EOF || fclose(file) != 0) {
        perror(name);
        exit(1);
    }
}

static void make_ground(Ground *ground)
{
    (void)unlink("temporary.tmp");
    (void)unlink("backup.png");
    (void)unlink("copied.tmp");
    write_file("input.png", "input");
    write_file("table.cube", "table");
    write_file("other.txt", "other");
    write_file("target.png", "old");
    *ground = (Ground){.input = "input.png",
                       .table = "table.cube",
                       .temporary = "temporary.tmp",
                       .target = "target.png",
                       .backup = "backup.png",
                       .copied = "copied.tmp",
                       .scratch = sandbox_scratch(),
                       .other = open("other.txt", O_RDONLY | O_CLOEXEC)};
}

/* Enters the sandbox as a job with --backup and --preserve does, because such a job needs all
 * rules. */
static bool enter(Ground *ground)
{
    Settings settings;
    Sandbox sandbox = {.for_many = true};
    settings_init(&settings);
    settings.engine.preserve = 1;
    sandbox_name(&sandbox, IMG_NAME_READ, &ground->input);
    sandbox_name(&sandbox, IMG_NAME_READ, &ground->table);
    sandbox_name(&sandbox, IMG_NAME_TEMPORARY, &ground->temporary);
    sandbox_name(&sandbox, IMG_NAME_TARGET, &ground->target);
    sandbox_name(&sandbox, IMG_NAME_BACKUP, &ground->backup);
    sandbox_name(&sandbox, IMG_NAME_BACKUP, &ground->copied);
    sandbox_enter(&sandbox, &settings);
    ground->table = sandbox_find("table.cube");
    ground->scratch = sandbox_scratch();
    sandbox_free(&sandbox);
    const char *details;
    return strcmp(sandbox_state(&details), "on") == 0;
}

/* Runs the trial in a child process. Returns the child's exit code, which is the errno of the trial
 * or WORKS. */
static int run_trial(const Trial *trial, bool sandboxed)
{
    Ground ground;
    make_ground(&ground);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS_MOST);
        if (sandboxed && !enter(&ground)) {
            const char *why;
            (void)sandbox_state(&why);
            fprintf(stderr, "off: %s\n", why);
            _exit(NO_SANDBOX);
        }
        errno = 0;
        const long result = trial->call(&ground);
        _exit(result < 0 ? errno : WORKS);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    close(ground.other);
    if (WIFSIGNALED(status))
        return -WTERMSIG(status);
    return WEXITSTATUS(status);
}

static const char *say(int result)
{
    static char text[64];
    if (result == WORKS)
        return "works";
    if (result < 0)
        snprintf(text, sizeof text, "signal %d", -result);
    else
        snprintf(text, sizeof text, "%s", strerror(result));
    return text;
}

/* Returns true if the trial had the expected result in the sandbox. A call that must be allowed
 * must also work without the sandbox; a call that must be refused must have another result there.
 */
static bool judge(const Trial *trial)
{
    const int inside = run_trial(trial, true), outside = run_trial(trial, false);
    const int expected = trial->expected == 0 ? WORKS : trial->expected;
    bool good = inside == expected;
    if (!good)
        printf("FAIL %s: in the sandbox %s\n", trial->name, say(inside));
    if (trial->expected == 0 && outside != WORKS) {
        printf("FAIL %s: without the sandbox %s\n", trial->name, say(outside));
        good = false;
    }
    if (trial->expected != 0 && outside == expected && !trial->fails_anyway) {
        /* in a container, the container's own filter may refuse the call */
        const bool filtered = prctl(PR_GET_SECCOMP) != 0;
        printf("%s %s: without the sandbox the same, so that it proves nothing\n",
               filtered ? "note" : "FAIL", trial->name);
        good = good && filtered;
    }
    return good;
}

static void check_can_run(void)
{
    static const Trial nothing = {.name = "nothing", .call = NULL};
    Ground ground;
    make_ground(&ground);
    fflush(NULL);
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        const bool on = enter(&ground);
        const char *details, *is = sandbox_state(&details);
        printf("%s: the sandbox is %s: %s\n", nothing.name, is, details);
        fflush(NULL);
        _exit(on ? 0 : SKIPPED);
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        puts("skipped: there is no sandbox here");
        exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
}

int main(void)
{
    static const Trial *const lists[] = {trials_of_files,  trials_of_processes, trials_of_memory,
                                         trials_of_system, trials_allowed,      NULL};
    char directory[] = "/tmp/check_sandbox.XXXXXX";
    int forbidden = 0, allowed = 0, failed = 0;
    if (mkdtemp(directory) == NULL || chdir(directory) != 0) {
        perror(directory);
        return 1;
    }
    check_can_run();
    for (size_t i = 0; lists[i] != NULL; i++)
        for (const Trial *trial = lists[i]; trial->name != NULL; trial++) {
            failed += !judge(trial);
            forbidden += trial->expected != 0;
            allowed += trial->expected == 0;
        }
    printf("%d calls that are forbidden, %d that are allowed: %d not as they should be\n",
           forbidden, allowed, failed);
    static const char *const names[] = {"input.png",  "table.cube",    "other.txt", "new.txt",
                                        "target.png", "temporary.tmp", "backup.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(names[i]);
    (void)rmdir("new");
    if (chdir("/") == 0)
        (void)rmdir(directory);
    return failed > 0;
}
