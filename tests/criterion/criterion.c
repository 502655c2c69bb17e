/* The runner of the stand-in for Criterion. Every test runs in its own process, one after another,
 * so that a crash or a hang affects one test only. A test that passes ends with exit(), so that
 * LeakSanitizer fails it if it leaks memory.
 * Options: [--verbose] [--list] [--filter PATTERN]; the pattern matches SUITE/NAME. The last line
 * of the output has the form of Criterion's. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EXIT_SKIPPED = 77,
    SLOWER = 30, /* factor for timeouts, because emulated processors and sanitizers are slower */
};

static CrTest *first, **last = &first;
static bool test_failed;

void cr_add(CrTest *test)
{
    *last = test;
    last = &test->next;
}

void cr_said(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("[----]   ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

_Noreturn static void end_test(int code)
{
    fflush(NULL);
    _exit(code);
}

void cr_failed(const char *file, int line, const char *what, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "[----]   %s:%d: %s does not hold%s", file, line, what, *format ? ": " : "");
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    test_failed = true;
}

void cr_end_test(void)
{
    end_test(EXIT_FAILURE);
}

void cr_skipped(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("[----]   ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    end_test(EXIT_SKIPPED);
}

/* Returns the options of the test. Options that it lacks are those of its suite. */
static CrOptions options_of(const CrTest *test)
{
    CrOptions options = test->options;
    for (const CrTest *suite = first; suite != NULL; suite = suite->next) {
        if (suite->name != NULL || strcmp(suite->suite, test->suite) != 0)
            continue;
        if (options.init == NULL)
            options.init = suite->options.init;
        if (options.fini == NULL)
            options.fini = suite->options.fini;
        if (options.timeout <= 0)
            options.timeout = suite->options.timeout;
    }
    return options;
}

static void run_here(const CrTest *test)
{
    CrOptions options = options_of(test);
    if (options.timeout > 0)
        alarm((unsigned)(options.timeout * SLOWER));
    if (options.init != NULL)
        options.init();
    test->run();
    if (options.fini != NULL)
        options.fini();
    if (test_failed)
        end_test(EXIT_FAILURE);
    exit(EXIT_SUCCESS);
}

/* Returns true if the environment variable IMGTOOL_LEFT_OUT lists the test. The list has the form
 * "suite/name suite/name". */
static bool is_left_out(const char *name)
{
    const char *list = getenv("IMGTOOL_LEFT_OUT");
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Runs the test in a child process. Returns the status that waitpid reports. */
static int run_apart(const CrTest *test)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_here(test);
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

int main(int argc, char **argv)
{
    const char *pattern = "*";
    bool list = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc)
            pattern = argv[++i];
        list |= strcmp(argv[i], "--list") == 0;
    }
    int tested = 0, passing = 0, failing = 0, crashing = 0;
    for (const CrTest *test = first; test != NULL; test = test->next) {
        char name[256];
        if (test->name == NULL)
            continue;
        snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
        if (test->options.disabled || fnmatch(pattern, name, 0) != 0)
            continue;
        if (list) {
            puts(name);
            continue;
        }
        if (is_left_out(name)) {
            fprintf(stderr, "[SKIP] %s: left out\n", name);
            continue;
        }
        int status = run_apart(test);
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (code == EXIT_SKIPPED) {
            fprintf(stderr, "[SKIP] %s\n", name);
            continue;
        }
        tested++;
        passing += code == 0;
        failing += code > 0;
        crashing += code < 0;
        fprintf(stderr, "[%s] %s\n", code == 0 ? "PASS" : "FAIL", name);
        if (code < 0)
            fprintf(stderr, "[----]   ended by signal %d\n",
                    WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    if (list)
        return 0;
    fprintf(stderr, "[====] Synthesis: Tested: %d | Passing: %d | Failing: %d | Crashing: %d\n",
            tested, passing, failing, crashing);
    return failing + crashing == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
