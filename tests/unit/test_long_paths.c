/* Tests of whole commands with paths as long as the system allows, and longer. Each message must
 * keep its reason. Sanitizers check that no byte is written past the end of a message. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/core/status.h"

enum { WORDS = 8, COMPONENT = 240, TOO_LONG = 3 * PATH_MAX };

typedef struct Said {
    int code;
    char text[4 * TOO_LONG]; /* text that the command wrote to stdout and stderr */
} Said;

static const Said *run(const char *const words[WORDS])
{
    static Said said;
    FILE *file = tmpfile();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(file), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(file), STDERR_FILENO);
    pid_t child;
    int status;
    cr_assert_eq(posix_spawn(&child, PROGRAM, &actions, NULL, (char *const *)words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status), "ended by signal %d", WTERMSIG(status));
    said.code = WEXITSTATUS(status);
    rewind(file);
    said.text[fread(said.text, 1, sizeof said.text - 1, file)] = '\0';
    fclose(file);
    return &said;
}

/* Writes a path of `length` bytes to `path`: `top`, components "xxx..." of a valid length, and
 * `end`. */
static void make_path(char *path, const char *top, size_t length, const char *end)
{
    size_t used = (size_t)(stpcpy(path, top) - path), end_length = strlen(end);
    for (size_t in_name = 0; used + end_length < length; in_name++, used++) {
        bool slash = in_name % COMPONENT == 0 && used + end_length + 1 < length;
        path[used] = slash ? '/' : 'x';
    }
    strcpy(path + used, end);
}

static void expect_reason(const char *const words[WORDS], const char *reason)
{
    const Said *said = run(words);
    cr_expect_neq(said->code, 0, "%s", words[1]);
    bool found = false;
    for (const char *line = said->text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        cr_expect_lt(length, sizeof "imgtool: " + IMG_MESSAGE_SIZE, "%s: %zu", words[1], length);
        found |= memmem(line, length, reason, strlen(reason)) != NULL;
        line += length + (line[length] == '\n');
    }
    cr_expect(found, "%s: no '%s' in: %s", words[1], reason, said->text);
}

/* --- Existing directories of the maximum depth ------------------------------------------------ */

static char top[PATH_MAX], deep[PATH_MAX];

/* Creates the directories of a path, down to the deepest one that mkdir accepts. */
static void make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
    cr_assert(mkdir(path, 0777) == 0 || errno == EEXIST, "%s", strerror(errno));
}

static void set_up(void)
{
    snprintf(top, sizeof top, "/tmp/long_paths.XXXXXX");
    cr_assert_not_null(mkdtemp(top));
    make_path(deep, top, PATH_MAX - 20, "y");
    make_directories(deep);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info, (void)type, (void)ftw;
    return remove(path);
}

static void tear_down(void)
{
    cr_assert_eq(nftw(top, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* Runs all commands that read a file on `path`, and expects `reason` in each message. */
static void expect_reason_everywhere(const char *path, const char *reason)
{
    char file[PATH_MAX + 8], directory[PATH_MAX + 8];
    snprintf(file, sizeof file, "%s/out.png", top);
    snprintf(directory, sizeof directory, "%s/out", top);
    const char *const commands[][WORDS] = {
        {"imgtool", "rotate", path, file},
        {"imgtool", "run", "flip", path, file},
        {"imgtool", "stats", path},
        {"imgtool", "info", path},
        {"imgtool", "histogram", path},
        {"imgtool", "compare", path, SAMPLES "/rgb-8.png"},
        {"imgtool", "batch", "flip", path, directory},
        {"imgtool", "batch", "stats", path},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        expect_reason(commands[i], reason);
}

TestSuite(long_paths, .init = set_up, .fini = tear_down);

Test(long_paths, missing_long_paths_are_reported_with_a_reason)
{
    char path[TOO_LONG + 1];
    static const size_t lengths[] = {900, 1000, 1014, 1023, 1024, 1025, 1100, 2047, PATH_MAX - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        make_path(path, top, lengths[i], "/in.png");
        cr_assert_eq(strlen(path), lengths[i]);
        expect_reason_everywhere(path, strerror(ENOENT));
    }
}

Test(long_paths, paths_that_are_too_long_are_reported_with_a_reason)
{
    char path[TOO_LONG + 1];
    static const size_t lengths[] = {PATH_MAX, PATH_MAX + 1, TOO_LONG};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        make_path(path, top, lengths[i], "/in.png");
        expect_reason_everywhere(path, strerror(ENAMETOOLONG));
    }
}

static void put_file(char *path, const char *name, const char *text)
{
    cr_assert_lt(snprintf(path, PATH_MAX, "%s/%s", deep, name), PATH_MAX);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", strerror(errno));
    fputs(text, file);
    fclose(file);
}

Test(long_paths, errors_in_a_deep_file_are_reported_with_a_reason)
{
    char path[PATH_MAX];
    put_file(path, "in.png", "this is not a picture");
    expect_reason_everywhere(path, "is not a PNG file");
}

Test(long_paths, a_path_too_long_for_its_temporary_file_is_reported)
{
    char out[PATH_MAX];
    static const char input[] = SAMPLES "/rgb-8.png";
    put_file(out, "out.png", "");
    cr_assert_eq(remove(out), 0);
    expect_reason((const char *const[WORDS]){"imgtool", "rotate", input, out},
                  strerror(ENAMETOOLONG));
    expect_reason((const char *const[WORDS]){"imgtool", "batch", "rotate", input, deep},
                  strerror(ENAMETOOLONG));
    expect_reason((const char *const[WORDS]){"imgtool", "histogram", "--plot", out, input},
                  strerror(ENAMETOOLONG));
    cr_expect_neq(access(out, F_OK), 0);
}
