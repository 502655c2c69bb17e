/* Runs a fuzz target over files and directories of files, without a fuzzer: for ctest, and to look
 * into a find with a debugger. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"

static int files;

/* The target gets a buffer of exactly the size, so that reading beyond it shows. */
static bool replay_file(const char *path)
{
    FuzzBytes bytes = {0};
    if (!fuzz_put_file(&bytes, path))
        return false;
    uint8_t *exact = malloc(bytes.size > 0 ? bytes.size : 1);
    if (exact == NULL)
        abort();
    if (bytes.size > 0)
        memcpy(exact, bytes.data, bytes.size);
    printf("%s\n", path); /* the last line names the file */
    (void)fflush(stdout);
    (void)LLVMFuzzerTestOneInput(exact, bytes.size);
    free(exact);
    free(bytes.data);
    files++;
    return true;
}

static bool replay(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return replay_file(path);
    DIR *dir = opendir(path);
    const struct dirent *entry;
    bool ok = dir != NULL;
    while (ok && (entry = readdir(dir)) != NULL) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        ok = entry->d_name[0] == '.' || replay_file(name);
    }
    if (dir != NULL)
        closedir(dir);
    return ok;
}

int main(int argc, char **argv)
{
    bool ok = argc > 1;
    for (int i = 1; i < argc; i++)
        ok = replay(argv[i]) && ok;
    printf("%d inputs\n", files);
    return ok && files > 0 ? 0 : 1;
}
