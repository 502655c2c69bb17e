/* A temporary directory for each test, and helpers for the files in it. */
#ifndef IMGTOOL_TESTS_UNIT_TEST_DIRECTORY_H
#define IMGTOOL_TESTS_UNIT_TEST_DIRECTORY_H

#include <criterion/criterion.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char test_directory[PATH_MAX];

static inline void enter_directory(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(test_directory, sizeof test_directory, "%s/imgtool-test-XXXXXX",
             base != NULL && base[0] != '\0' ? base : "/tmp");
    cr_assert_not_null(mkdtemp(test_directory));
    cr_assert_eq(chdir(test_directory), 0);
    umask(022);
}

static inline int remove_entry(const char *path, const struct stat *info, int kind,
                               struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void leave_directory(void)
{
    cr_assert_eq(chdir("/"), 0);
    (void)nftw(test_directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void write_bytes(const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(data, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

/* Returns the content of a file, with a zero byte after it. The caller frees it. */
static inline char *read_bytes(const char *path, size_t *size)
{
    struct stat info;
    cr_assert_eq(stat(path, &info), 0, "%s", path);
    *size = (size_t)info.st_size;
    char *data = malloc(*size + 1);
    FILE *file = fopen(path, "rb");
    cr_assert(data != NULL && file != NULL);
    cr_assert_eq(fread(data, 1, *size, file), *size);
    fclose(file);
    data[*size] = '\0';
    return data;
}

static inline void expect_text(const char *path, const char *text)
{
    size_t size;
    char *found = read_bytes(path, &size);
    cr_expect_str_eq(found, text);
    free(found);
}

/* Sets the modification time of a file, so that a test need not wait for the clock. */
static inline void set_time(const char *path, time_t seconds, long nanoseconds)
{
    const struct timespec times[2] = {{0, UTIME_OMIT}, {seconds, nanoseconds}};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0, "%s", path);
}

static inline bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

#endif
