/* Files in memory, a private directory and captured output: see text.h. */
#include "tests/fuzz/text/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static Capture *active; /* the capture of output that runs now; NULL: none */
static char directory[PATH_MAX];
/* descriptors of the private directory, and of the working directory before scratch_enter */
static int inside = -1, outside = -1;

static void remove_directory(void)
{
    if (inside < 0)
        return;
    scratch_empty();
    (void)rmdir(directory);
}

/* Leaves the private directory first, because libFuzzer writes the failing input to the working
 * directory. */
void scratch_fail(const char *what)
{
    if (active != NULL) /* so that the message goes to the real stderr */
        capture_end(active);
    if (outside >= 0)
        (void)!fchdir(outside);
    remove_directory();
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool write_all(int fd, const void *data, size_t size)
{
    return ftruncate(fd, 0) == 0 && (size == 0 || pwrite(fd, data, size, 0) == (ssize_t)size);
}

const char *scratch_file(int number, const void *data, size_t size)
{
    static int fds[SCRATCH_FILES];
    static char paths[SCRATCH_FILES][32];
    if (fds[number] == 0) {
        fds[number] = memfd_create("fuzz", MFD_CLOEXEC);
        scratch_check(fds[number] > 0, "no file in memory");
        snprintf(paths[number], sizeof paths[number], "/proc/self/fd/%d", fds[number]);
    }
    scratch_check(write_all(fds[number], data, size), "no file in memory");
    return paths[number];
}

/* --- The private directory -------------------------------------------------------------------- */

static bool make_directory_in(const char *place)
{
    int length = snprintf(directory, sizeof directory, "%s/imgtool-fuzz-XXXXXX", place);
    return length > 0 && (size_t)length < sizeof directory && mkdtemp(directory) != NULL;
}

static void make_directory(void)
{
    const char *place = getenv("IMGTOOL_FUZZ_SCRATCH");
    if (place != NULL)
        scratch_check(make_directory_in(place), "no directory in IMGTOOL_FUZZ_SCRATCH");
    else
        scratch_check(make_directory_in("/dev/shm") || make_directory_in("/tmp"), "no directory");
    inside = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    scratch_check(inside >= 0, "no directory");
    (void)atexit(remove_directory);
}

void scratch_enter(void)
{
    if (inside < 0)
        make_directory();
    outside = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    scratch_check(outside >= 0 && fchdir(inside) == 0, "the directory cannot be entered");
}

void scratch_leave(void)
{
    if (fchdir(outside) != 0)
        abort();
    close(outside);
    outside = -1;
}

void scratch_put(const char *name, const void *data, size_t size)
{
    static const struct timespec times[2] = {{1000000000, 1}, {1000000000, 1}};
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    scratch_check(fd >= 0 && write_all(fd, data, size) && futimens(fd, times) == 0, "no file");
    close(fd);
}

size_t scratch_count(const char *name)
{
    size_t count = 0;
    DIR *dir = opendir(name);
    while (dir != NULL && readdir(dir) != NULL)
        count++;
    if (dir != NULL)
        closedir(dir);
    return count > 2 ? count - 2 : 0; /* minus the entries "." and ".." */
}

/* Removes everything in the directory `fd`, and closes `fd`. */
static void empty(int fd)
{
    DIR *dir = fdopendir(fd);
    if (dir == NULL) { /* not checked by scratch_check, which would call this function again */
        close(fd);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(fd, name, 0) == 0)
            continue;
        int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0)
            empty(below);
        (void)unlinkat(fd, name, AT_REMOVEDIR);
    }
    closedir(dir);
}

void scratch_empty(void)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        empty(fd);
}

/* --- Captured output -------------------------------------------------------------------------- */

void capture_begin(Capture *output)
{
    *output = (Capture){.real_out = stdout, .real_err = stderr};
    output->out_file = open_memstream(&output->out, &output->out_size);
    output->err_file = open_memstream(&output->err, &output->err_size);
    scratch_check(output->out_file != NULL && output->err_file != NULL, "no memory");
    stdout = output->out_file;
    stderr = output->err_file;
    active = output;
}

void capture_end(Capture *output)
{
    active = NULL;
    stdout = output->real_out;
    stderr = output->real_err;
    (void)fclose(output->out_file);
    (void)fclose(output->err_file);
}

void capture_free(Capture *output)
{
    free(output->out);
    free(output->err);
}

void check_printable(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        scratch_check(((unsigned char)text[i] >= ' ' && text[i] != 0x7f) || text[i] == '\n' ||
                          text[i] == '\t',
                      "a control character");
}
