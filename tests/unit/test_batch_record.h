/* Helpers for the tests of the record of a batch, which lists the finished files. */
#ifndef IMGTOOL_TESTS_UNIT_TEST_BATCH_RECORD_H
#define IMGTOOL_TESTS_UNIT_TEST_BATCH_RECORD_H

#include "app/batch/record/record.h"
#include "test_directory.h"

static const char record_path[] = "out/.imgtool-batch";

static inline void make_directories(void)
{
    enter_directory();
    cr_assert_eq(mkdir("out", 0755), 0);
    cr_assert_eq(mkdir("in", 0755), 0);
}

static inline Record *opened(const char *directory, const char *steps)
{
    ImgError err = {IMG_OK, ""};
    Record *record = NULL;
    cr_assert_eq(
        record_open_shard(directory, &(Shard){0, 0}, RECORD_WITH_OTHERS, steps, &record, &err),
        IMG_OK, "%s", err.message);
    return record;
}

static inline void note(Record *record, const char *input, const char *temporary,
                        const char *output)
{
    ImgError err = {IMG_OK, ""};
    FileState before;
    cr_assert(file_state(input, &before));
    cr_assert_eq(record_add(record, input, &before, temporary, output, &err), IMG_OK, "%s",
                 err.message);
}

/* Processes one file as a batch does. Writes `result` to a temporary file, adds a line to the
 * record, and renames the file to `output`. */
static inline void finish(Record *record, const char *input, const char *output, const char *result)
{
    write_text("out/temporary", result);
    note(record, input, "out/temporary", output);
    cr_assert_eq(rename("out/temporary", output), 0);
}

static inline void finish_in_run(const char *steps, const char *input, const char *output,
                                 const char *result)
{
    Record *record = opened("out", steps);
    finish(record, input, output, result);
    (void)record_close(record, NULL);
}

/* Returns true if the record lists the output as finished. The test fails if record_is_finished
 * fails. */
static inline bool recorded(Record *record, const char *input, const char *output)
{
    ImgError err = {IMG_OK, ""};
    bool has = false;
    cr_assert_eq(record_is_finished(record, input, output, &has, &err), IMG_OK, "%s", err.message);
    return has;
}

static inline bool has(const char *steps, const char *input, const char *output)
{
    Record *record = opened("out", steps);
    bool known = recorded(record, input, output);
    (void)record_close(record, NULL);
    return known;
}

static inline int count_lines(void)
{
    size_t size;
    int lines = 0;
    char *text = read_bytes(record_path, &size);
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    free(text);
    return lines;
}

static inline void expect_failure(const char *directory, const char *words)
{
    ImgError err = {IMG_OK, ""};
    Record *record = NULL;
    ImgStatus wanted = strstr(words, "another") != NULL ? IMG_E_TEMPORARY : IMG_E_IO;
    cr_expect_eq(
        record_open_shard(directory, &(Shard){0, 0}, RECORD_WITH_OTHERS, "rotate", &record, &err),
        wanted, "%s", err.message);
    cr_expect_null(record);
    cr_expect_not_null(strstr(err.message, words), "\"%s\" lacks \"%s\"", err.message, words);
}

#endif
