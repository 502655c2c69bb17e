/* Tests of a job whose output is its input, while another program saves the same file. */
#include "app/job/job.h"
#include "test_directory.h"

TestSuite(job_replaces, .init = enter_directory, .fini = leave_directory);

/* Acts as another program: if `context` is not NULL, saves this text to a.png. The job calls the
 * function when the result is complete and before it gets its name. */
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

/* Runs a job that replaces its input a.png. If `saved` is not NULL, another program saves this text
 * to a.png meanwhile. */
static ImgStatus rewrite(const char *saved, ImgError *err)
{
    Settings settings;
    JobReport report;
    settings_init(&settings);
    settings.verbosity = VERBOSITY_QUIET;
    settings.backend = IMG_BACKEND_CPU;
    const Job job = {.input = "a.png",
                     .output = "a.png",
                     .settings = &settings,
                     .replaces_input = true,
                     .finished = save,
                     .finished_context = (void *)saved};
    return job_run(&job, &report, err);
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
