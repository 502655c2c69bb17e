/* roundtrip [--every N SEED] IMGTOOL [JOBS [OPTIONS...]]: runs every operation on every kind of PNG
 * with the program IMGTOOL. Decodes the result with libspng and compares every sample, the palette,
 * tRNS, depth, colour type and interlacing.
 * JOBS processes run the checks in parallel. --every makes one of N checks; SEED chooses which.
 * OPTIONS, such as --backend cuda, are passed to the program. With OPTIONS, the file must also
 * equal the one of --backend cpu byte by byte.
 * Exit code 0: all are equal; 1: there is a difference; 77: the backend in OPTIONS is
 * unavailable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/roundtrip/matrix.h"
#include "tests/roundtrip/spawn.h"
#include "tests/tools/png_read.h"

enum { EXIT_UNAVAILABLE = 4, EXIT_SKIPPED = 77 };

static const char *imgtool;
/* one of every `every` checks is made, beginning with number `first` */
static size_t every = 1, first;
static char **options; /* options for the program, NULL-terminated; may be empty */
static const char *directory;

static bool same(const char *name, const Picture *got, const Picture *wanted)
{
    if (got->width != wanted->width || got->height != wanted->height ||
        got->color != wanted->color || got->depth != wanted->depth ||
        got->interlaced != wanted->interlaced) {
        printf(
            "%s: %u x %u, colour type %d, depth %d, interlaced %d; expected %u x %u, %d, %d, %d\n",
            name, got->width, got->height, got->color, got->depth, got->interlaced, wanted->width,
            wanted->height, wanted->color, wanted->depth, wanted->interlaced);
        return false;
    }
    if (got->palette_size != wanted->palette_size || got->trns_size != wanted->trns_size ||
        memcmp(got->palette, wanted->palette, sizeof got->palette) != 0 ||
        memcmp(got->trns, wanted->trns, sizeof got->trns) != 0) {
        printf("%s: PLTE or tRNS is not what it was\n", name);
        return false;
    }
    size_t channels = (size_t)png_channels(got->color);
    size_t count = (size_t)got->width * got->height * channels;
    for (size_t i = 0; i < count; i++) {
        if (got->samples[i] != wanted->samples[i]) {
            printf("%s: pixel (%zu, %zu) channel %zu is %u, expected %u\n", name,
                   i / channels % got->width, i / channels / got->width, i % channels,
                   got->samples[i], wanted->samples[i]);
            return false;
        }
    }
    return true;
}

static int run_imgtool(const Operation *operation, const char *const *extra, const char *input,
                       const char *output)
{
    Command command = {{NULL}, 0};
    command_add(&command, imgtool);
    command_add_all(&command, operation->arguments);
    command_add_all(&command, extra);
    command_add(&command, input);
    command_add(&command, output);
    return command_run(&command, NULL, NULL);
}

static bool same_bytes(const char *name, const char *path_a, const char *path_b)
{
    Bytes a = bytes_read(path_a);
    Bytes b = bytes_read(path_b);
    bool equal =
        a.data != NULL && b.data != NULL && a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
    if (!equal) {
        printf("%s: not the same file as with --backend cpu\n", name);
    }
    free(a.data);
    free(b.data);
    return equal;
}

/* Checks one operation on one picture. Returns 0 if the result is right, 1 if not, and 77 if the
 * backend is unavailable. */
static int check(const char *input_path, const Picture *source, const Operation *operation,
                 const char *name)
{
    static const char *const on_cpu[] = {"--backend", "cpu", NULL};
    char output[4200];
    char reference[4200];
    snprintf(output, sizeof output, "%s/%d-out.png", directory, (int)getpid());
    snprintf(reference, sizeof reference, "%s/%d-cpu.png", directory, (int)getpid());
    int code = run_imgtool(operation, (const char *const *)options, input_path, output);
    if (code == EXIT_UNAVAILABLE && options[0] != NULL) {
        return EXIT_SKIPPED;
    }
    if (code != 0) {
        printf("%s: exit code %d\n", name, code);
        return 1;
    }
    Picture got = {0};
    Bytes png = bytes_read(output);
    Picture wanted = operation_expect(operation, source);
    bool equal = png.data != NULL && png_decode(png, name, &got) && same(name, &got, &wanted);
    if (equal && options[0] != NULL) {
        equal = run_imgtool(operation, on_cpu, input_path, reference) == 0 &&
                same_bytes(name, output, reference);
    }
    free(png.data);
    free(got.samples);
    free(wanted.samples);
    return equal ? 0 : 1;
}

/* Checks every `jobs`-th input, starting with number `job`. Returns an exit code of this
 * program. */
static int check_share(const Input *inputs, size_t count, int job, int jobs)
{
    int failures = 0;
    int checks = 0;
    for (size_t i = (size_t)job; i < count; i += (size_t)jobs) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s.png", directory, inputs[i].name);
        Picture source = matrix_draw(&inputs[i]);
        png_file_write(path, &source, NULL, 0);
        for (size_t k = 0; k < operation_count; k++) {
            bool is_drawn = (i * operation_count + k) % every == first;
            if (!is_drawn || !operation_applies(&operations[k], &inputs[i])) {
                continue;
            }
            char name[128];
            snprintf(name, sizeof name, "%s %s", operations[k].name, inputs[i].name);
            int result = check(path, &source, &operations[k], name);
            if (result == EXIT_SKIPPED) {
                free(source.samples);
                return result;
            }
            failures += result;
            checks++;
        }
        free(source.samples);
    }
    printf("%d of %d equal\n", checks - failures, checks);
    return failures == 0 && checks > 0 ? 0 : 1;
}

static int check_all(const Input *inputs, size_t count, int jobs)
{
    int worst = 0;
    for (int job = 0; job < jobs; job++) {
        (void)fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            exit(check_share(inputs, count, job, jobs));
        }
        worst = child < 0 ? 1 : worst;
    }
    int status;
    while (wait(&status) > 0) {
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        if (code != 0 && worst != 1) {
            worst = code == EXIT_SKIPPED ? EXIT_SKIPPED : 1;
        }
    }
    return worst;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--every") == 0) {
        every = strtoul(argv[2], NULL, 10);
        first = every > 0 ? strtoul(argv[3], NULL, 10) % every : 0;
        argv += 3;
        argc -= 3;
    }
    if (argc < 2 || every == 0) {
        fprintf(stderr, "usage: roundtrip [--every N SEED] IMGTOOL [JOBS [OPTIONS...]]\n");
        return 2;
    }
    imgtool = argv[1];
    int jobs = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
    options = argv + (argc > 3 ? 3 : argc);
    directory = directory_make();

    static Input inputs[2 * INPUTS_MAX];
    size_t count = matrix_inputs(67, 43, inputs);
    count += matrix_inputs(5, 1, inputs + count);
    int result = check_all(inputs, count, jobs > 0 ? jobs : 1);
    if (result == EXIT_SKIPPED) {
        puts("skipped: the backend is not available here");
    }
    directory_remove();
    return result;
}
