/* Kills a batch at each moment and resumes it. Every file must be done exactly once, and no
 * temporary file may be left. */
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>

#include "app/batch/batch.h"
#include "app/batch/record/record.h"
#include "io/output/output.h"
#include "test_directory.h"

TestSuite(batch_kill, .init = enter_directory, .fini = leave_directory);

enum { FILES = 4, MOMENTS = 5 /* moments per file at which the batch may be killed */ };

static const char *const inputs[FILES] = {"pictures/a.png", "pictures/b.png", "pictures/c.png",
                                          "pictures/d.png"};
static const char *const outputs[FILES] = {"results/a.png", "results/b.png", "results/c.png",
                                           "results/d.png"};

/* Counts `moments` down by one, and kills the process if the count was 0. */
static void pass(int *moments)
{
    if ((*moments)-- == 0)
        (void)kill(getpid(), SIGKILL);
}

/* Processes one file as a batch does. The result is a copy of the file with one more byte. Returns
 * false if the file was already finished. */
static bool do_file(Record *record, const char *input, const char *output, int *moments)
{
    FileState before;
    ImgOutput *writing = NULL;
    const char *temporary = NULL;
    size_t size;
    bool has = false;
    cr_assert_eq(record_is_finished(record, input, output, &has, NULL), IMG_OK);
    if (has)
        return false;
    pass(moments);
    cr_assert(file_state(input, &before));
    char *data = read_bytes(input, &size);
    cr_assert_eq(img_output_open(output, NULL, &writing, NULL), IMG_OK);
    pass(moments);
    img_output_write(writing, data, size, NULL);
    img_output_write(writing, "+", 1, NULL);
    free(data);
    cr_assert_eq(img_output_finish(writing, &temporary, NULL), IMG_OK);
    pass(moments);
    cr_assert_eq(record_add(record, input, &before, temporary, output, NULL), IMG_OK);
    pass(moments);
    cr_assert_eq(img_output_commit(&writing, NULL), IMG_OK);
    pass(moments);
    return true;
}

/* Runs the batch, and kills the process after `moments` moments. Returns the number of files that
 * this run did. */
static int run(const char *directory, const char *const *to, int moments)
{
    BatchFile files[FILES];
    BatchPlan plan = {.files = files, .count = FILES};
    for (int i = 0; i < FILES; i++)
        files[i] = (BatchFile){.input = (char *)inputs[i], .output = (char *)to[i]};
    Record *record = NULL;
    int done = 0;
    cr_assert_eq(
        record_open_shard(directory, &(Shard){0, 0}, RECORD_WITH_OTHERS, "add 1", &record, NULL),
        IMG_OK);
    leftovers_remove(&plan);
    for (int i = 0; i < FILES; i++)
        done += do_file(record, inputs[i], to[i], &moments);
    (void)record_close(record, NULL);
    return done;
}

static int count_entries(const char *directory)
{
    int count = 0;
    DIR *dir = opendir(directory);
    cr_assert_not_null(dir);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count - 2;
}

/* Kills the first run after `first` moments and each resumed run after `step` moments, until a run
 * completes. A moment is a call of pass; skipped files have none. */
static void kill_and_resume(const char *directory, const char *const *to, int first, int step)
{
    for (int i = 0; i < FILES; i++) {
        write_text(inputs[i], "picture");
        if (to != inputs)
            (void)unlink(to[i]);
    }
    int how = 0, runs = 0, moments = first;
    do {
        pid_t child = fork();
        if (child == 0) {
            run(directory, to, moments);
            _exit(0);
        }
        cr_assert_eq(waitpid(child, &how, 0), child);
        cr_assert(WIFSIGNALED(how) || WEXITSTATUS(how) == 0);
        moments = step;
    } while (WIFSIGNALED(how) && ++runs < 100);
    cr_expect_lt(runs, 100);
    cr_expect_gt(runs, 0);
    cr_expect_eq(run(directory, to, -1), 0, "first %d, then %d: something was not known", first,
                 step);
    for (int i = 0; i < FILES; i++) {
        size_t size;
        char *data = read_bytes(to[i], &size);
        cr_expect_str_eq(data, "picture+", "first %d, then %d: %s", first, step, data);
        free(data);
    }
    cr_expect_eq(count_entries(directory), FILES + 1, "first %d, then %d: left over", first, step);
}

static void kill_at_each_moment(const char *directory, const char *const *to)
{
    cr_assert_eq(mkdir("pictures", 0755), 0);
    cr_assert_eq(mkdir("results", 0755), 0);
    for (int first = 0; first < FILES * MOMENTS; first++)
        for (int step = MOMENTS - 1; step <= MOMENTS + 2; step++)
            kill_and_resume(directory, to, first, step);
}

Test(batch_kill, a_run_into_another_directory_resumes)
{
    kill_at_each_moment("results", outputs);
}

Test(batch_kill, a_run_in_place_resumes)
{
    kill_at_each_moment("pictures", inputs);
}
