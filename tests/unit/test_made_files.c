/* Tests that an output does not replace a file that the same run has created. Two names can lead to
 * one file, for example on a file system that ignores case. The tests use the same name twice. */
#include "app/files/made_files.h"
#include "test_directory.h"

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

/* Both outputs are opened before a file with this name exists. */
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
