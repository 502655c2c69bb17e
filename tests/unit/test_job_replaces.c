/* Tests of files that an output must not replace. One is the input of the job, if another program
 * saves it meanwhile. The others are files that the same run has made. */
#include "app/cli/options.h"
#include "app/engine/job.h"
#include "app/files/made_files.h"
#include "test_directory.h"

TestSuite(job_replaces, .init = enter_directory, .fini = leave_directory);

/* Acts as another program: saves the text `context` to a.png, unless `context` is NULL. The job
 * calls the function after the result is complete, and before the result gets its name. */
static ImgStatus save(void *context, const char *temporary, ImgError *err)
{
    (void)temporary;
    (void)err;
    if (context != NULL) {
        write_text("other", context);
        cr_assert_eq(rename("other", "a.png"), 0);
    }
    return IMG_OK;
}

/* Runs a job that replaces its input a.png. Unless `saved` is NULL, another program saves the text
 * `saved` to a.png meanwhile. */
static ImgStatus rewrite(const char *saved, ImgError *err)
{
    Settings settings;
    JobReport report;
    settings_init(&settings);
    settings.engine.verbosity = VERBOSITY_QUIET;
    settings.engine.backend = IMG_BACKEND_CPU;
    const Job job = {.input = "a.png",
                     .output = "a.png",
                     .options = &settings.engine,
                     .replaces_input = true,
                     .finished = save,
                     .finished_context = (void *)saved};
    return img_job_run(&job, &report, err);
}

static void copy_sample(void)
{
    size_t size;
    char *bytes = read_bytes(SAMPLES "/rgb-8.png", &size);
    write_bytes("a.png", bytes, size);
    free(bytes);
}

Test(job_replaces, a_file_saved_meanwhile_stays)
{
    ImgError err = {IMG_OK, ""};
    copy_sample();
    cr_expect_eq(rewrite("saved", &err), IMG_E_TEMPORARY);
    cr_expect_str_eq(err.message, "a.png: was changed by another program meanwhile, and not "
                                  "replaced; try again");
    expect_text("a.png", "saved");
}

Test(job_replaces, an_unchanged_file_is_replaced)
{
    ImgError err = {IMG_OK, ""};
    struct stat before, after;
    copy_sample();
    cr_assert_eq(stat("a.png", &before), 0);
    cr_expect_eq(rewrite(NULL, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(stat("a.png", &after), 0);
    cr_expect_neq(before.st_ino, after.st_ino);
}

/* --- An output of a run beside other outputs of the same run ---------------------------------- */

/* An output does not replace a file that the same run has created. Two names can lead to
 * one file, for example on a file system that ignores case. The tests use the same name twice. */

TestSuite(made_files, .init = enter_directory, .fini = leave_directory);

static ImgStatus make(const MadeFiles *files, const char *name, const char *text, ImgError *err)
{
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open(name, NULL, &output, err), IMG_OK, "%s", err->message);
    img_output_set_guard(output, made_files_guard(files));
    cr_assert_eq(img_output_write(output, text, strlen(text), err), IMG_OK);
    return img_output_commit(&output, err);
}

Test(made_files, an_output_does_not_replace_another_of_the_run)
{
    ImgError err = {IMG_OK, ""};
    MadeFiles *files = made_files_create();
    cr_assert_not_null(files);
    write_text("old.png", "of an earlier run");
    cr_expect_eq(make(files, "a.png", "one", &err), IMG_OK, "%s", err.message);
    cr_expect_eq(make(files, "old.png", "two", &err), IMG_OK, "%s", err.message);
    for (int i = 0; i < 2; i++) {
        ImgError failure = {IMG_OK, ""};
        cr_expect_eq(make(files, i == 0 ? "a.png" : "old.png", "three", &failure), IMG_E_USAGE);
        cr_expect_not_null(strstr(failure.message, "would replace another output of this run"));
    }
    expect_text("a.png", "one");
    expect_text("old.png", "two");
    made_files_free(files);
}

/* Both outputs, named a.png, are opened before a.png exists. So only the commit of the second one
 * can notice that it would replace a file of the same run. */
Test(made_files, the_second_of_two_concurrent_outputs_is_rejected)
{
    ImgError err = {IMG_OK, ""};
    MadeFiles *files = made_files_create();
    ImgOutput *outputs[2];
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(img_output_open("a.png", NULL, &outputs[i], &err), IMG_OK);
        img_output_set_guard(outputs[i], made_files_guard(files));
        cr_assert_eq(img_output_write(outputs[i], i == 0 ? "one" : "two", 3, &err), IMG_OK);
    }
    cr_expect_eq(img_output_commit(&outputs[0], &err), IMG_OK, "%s", err.message);
    cr_expect_eq(img_output_commit(&outputs[1], &err), IMG_E_USAGE);
    expect_text("a.png", "one");
    made_files_free(files);
}

Test(made_files, many_created_files_are_remembered)
{
    enum { MANY = 5000 };
    MadeFiles *files = made_files_create();
    const ImgReplaceGuard *guard = made_files_guard(files);
    for (ino_t i = 1; i <= MANY; i++) {
        const struct stat made = {.st_dev = i % 3, .st_ino = i};
        const struct stat other = {.st_dev = i % 3 + 1, .st_ino = i};
        cr_assert_eq(guard->may_replace(guard->context, &made, &other, NULL), IMG_OK, "%d", (int)i);
    }
    for (ino_t i = 1; i <= MANY; i++) {
        const struct stat made = {.st_dev = 7, .st_ino = MANY + i};
        const struct stat old = {.st_dev = i % 3, .st_ino = i};
        cr_assert_eq(guard->may_replace(guard->context, &made, &old, NULL), IMG_E_USAGE, "%d",
                     (int)i);
    }
    made_files_free(files);
}
