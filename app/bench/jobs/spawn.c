#include "app/bench/jobs/side.h"
#include "io/metadata/metadata.h"

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/term/interrupt.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/select.h"

enum { WORDS = 20, WORD_SIZE = 48 };

/* The words of a command line. Options are formatted in `text`; file names and steps are
 * borrowed. */
typedef struct CommandLine {
    char text[WORDS][WORD_SIZE];
    char *words[WORDS + 1];
    size_t count;
} CommandLine;

static void add_option(CommandLine *line, const char *name, uint64_t number)
{
    char *text = line->text[line->count];
    snprintf(text, WORD_SIZE, "--%s=%" PRIu64, name, number);
    line->words[line->count++] = text;
}

static void add_word(CommandLine *line, const char *word)
{
    /* The cast is safe, because posix_spawn does not change the words. */
    line->words[line->count++] = (char *)word;
}

static void make_line(CommandLine *line, const Settings *settings)
{
    ImgBackend backend = (ImgBackend)settings->engine.backend;
    *line = (CommandLine){.count = 0};
    add_word(line, "imgtool");
    add_word(line, "run");
    add_word(line, "--backend");
    add_word(line, img_backend_name(backend));
    if (backend == IMG_BACKEND_CUDA)
        add_option(line, "device", (uint64_t)settings->engine.device);
    if (settings->engine.threads != 0)
        add_option(line, "threads", (uint64_t)settings->engine.threads);
    add_option(line, "level", (uint64_t)settings->engine.level);
    if (settings->engine.strip)
        add_word(line, settings->engine.strip == IMG_KEEP_SHOWN      ? "--strip=private"
                       : settings->engine.strip == IMG_KEEP_NO_PLACE ? "--strip=gps"
                                                                     : "--strip=all");
    add_option(line, "max-pixels", settings->engine.max_pixels);
    if (settings->engine.max_memory != 0)
        add_option(line, "max-memory", settings->engine.max_memory);
    add_word(line, "--quiet");
    add_word(line, "--");
}

/* Starts the program with /dev/null as its standard input, output and error. */
static int start(const char *program, char *const *words, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    for (int fd = 0; code == 0 && fd < 3; fd++)
        code = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null",
                                                fd == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    if (code == 0)
        code = posix_spawn(child, program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

ImgStatus bench_spawn(const char *program, const Settings *settings, const char *pipeline,
                      const char *input, const char *output, double *seconds, ImgError *err)
{
    CommandLine line;
    pid_t child;
    make_line(&line, settings);
    add_word(&line, pipeline);
    add_word(&line, input);
    add_word(&line, output);

    double begin = img_clock();
    int code = start(program, line.words, &child);
    if (code != 0)
        return img_fail(err, IMG_E_IO, "%s: cannot be started: %s", program, strerror(code));
    int result = child_wait(child);
    *seconds = img_clock() - begin;
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0)
        return IMG_OK;
    if (WIFSIGNALED(result))
        return img_fail(err, IMG_E_IO, "%s: the command was ended by signal %d", input,
                        WTERMSIG(result));
    return img_fail(err, IMG_E_IO, "%s: the command ended with exit code %d", input,
                    WEXITSTATUS(result));
}
