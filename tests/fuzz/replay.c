/* replay_NAME [OPTION...] FILE|DIRECTORY...: runs the fuzz target NAME on files, without a fuzzer,
 * for ctest and for debuggers.
 *     --every N        runs only every N-th file of a directory
 *     --mutate TIMES   then mutates each file TIMES times, one change after another, and runs each
 *                      result; this is unguided fuzzing, with any compiler
 *     --seed SEED      seed for --mutate */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate/png_mutate.h"

enum { LONGEST = 4096 }; /* longest mutated input, in bytes */

static int files;
static unsigned long times, every = 1;
static Random choices;

#pragma weak LLVMFuzzerCustomMutator

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    const size_t at = size > 0 ? random_below(&choices, (uint32_t)size) : 0;
    switch (random_below(&choices, 4)) {
    case 0:
        if (size == most)
            return size;
        memmove(data + at + 1, data + at, size - at);
        data[at] = (uint8_t)random_below(&choices, 256);
        return size + 1;
    case 1:
        if (size > 1)
            memmove(data + at, data + at + 1, size - at - 1);
        return size > 1 ? size - 1 : size;
    default:
        if (size > 0)
            data[at] ^= (uint8_t)(1U << random_below(&choices, 8));
        return size;
    }
}

/* Runs the target on a copy of the input that has its exact size, so that sanitizers detect reads
 * past the end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (exact == NULL)
        abort();
    if (size > 0)
        memcpy(exact, data, size);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void run_mutated(const FuzzBytes *bytes)
{
    uint8_t changed[LONGEST];
    size_t size = bytes->size;
    if (size > sizeof changed)
        return;
    memcpy(changed, bytes->data, size);
    for (unsigned long i = 0; i < times; i++) {
        const unsigned seed = random_below(&choices, 1U << 30);
        size = LLVMFuzzerCustomMutator != NULL
                   ? LLVMFuzzerCustomMutator(changed, size, sizeof changed, seed)
                   : LLVMFuzzerMutate(changed, size, sizeof changed);
        run(changed, size);
    }
}

static bool replay_file(const char *path)
{
    FuzzBytes bytes = {0};
    if (!fuzz_put_file(&bytes, path))
        return false;
    printf("%s\n", path); /* printed before the run, so that the last line names the failing file */
    (void)fflush(stdout);
    run(bytes.data, bytes.size);
    if (bytes.size > 0)
        run_mutated(&bytes);
    free(bytes.data);
    files++;
    return true;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool replay(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return replay_file(path);
    struct dirent **entries;
    const int count = scandir(path, &entries, is_shown, alphasort);
    bool ok = count >= 0;
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        ok = ok && ((unsigned)i % every != 0 || replay_file(name));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return ok;
}

int main(int argc, char **argv)
{
    bool ok = argc > 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mutate") == 0 && i + 1 < argc)
            times = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--every") == 0 && i + 1 < argc)
            every = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            choices.state = strtoul(argv[++i], NULL, 10);
        else
            ok = replay(argv[i]) && ok;
    }
    printf("%d inputs\n", files);
    return ok && files > 0 ? 0 : 1;
}
