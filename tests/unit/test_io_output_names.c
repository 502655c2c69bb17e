/* Tests of outputs in two steps. All names are known before a file is created or changed, and a
 * caller can replace them (io/names.h). The same applies to backups. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output/backup.h"
#include "io/output/output.h"
#include "test_directory.h"

enum { NAMES_MOST = 16 };

/* The names that the outputs passed to the name hook of a test (ImgNameFunction), and the copies
 * with which the hook replaced them. */
typedef struct Heard {
    size_t count;
    ImgNameUse uses[NAMES_MOST];
    const char *copies[NAMES_MOST];
} Heard;

TestSuite(io_output_names, .init = enter_directory, .fini = leave_directory);

static int count_files(void)
{
    int count = 0;
    FILE *list = popen("ls -A | wc -l", "r");
    cr_assert_eq(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

static void take_name(void *context, ImgNameUse use, const char **name)
{
    Heard *heard = context;
    cr_assert_lt(heard->count, NAMES_MOST);
    heard->uses[heard->count] = use;
    *name = heard->copies[heard->count++] = strdup(*name);
}

static bool is_copy(const Heard *heard, const char *name)
{
    for (size_t i = 0; i < heard->count; i++)
        if (heard->copies[i] == name)
            return true;
    return false;
}

static void free_names(Heard *heard)
{
    for (size_t i = 0; i < heard->count; i++)
        free((char *)heard->copies[i]);
}

static size_t count_uses(const Heard *heard, ImgNameUse use)
{
    size_t count = 0;
    for (size_t i = 0; i < heard->count; i++)
        count += heard->uses[i] == use;
    return count;
}

static ImgOutput *prepared(const char *path, const ImgOutputHooks *hooks)
{
    ImgOutput *output = NULL;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_output_prepare(path, hooks, &output, &err), IMG_OK, "%s", err.message);
    return output;
}

Test(io_output_names, prepared_outputs_touch_no_file)
{
    write_text("old.png", "old");
    ImgOutput *outputs[] = {prepared("new.png", NULL), prepared("old.png", NULL)};
    cr_expect_eq(count_files(), 1);
    for (size_t i = 0; i < 2; i++)
        img_output_discard(&outputs[i]);
    cr_expect_eq(count_files(), 1);
    expect_text("old.png", "old");
}

/* A pipe must be opened only when the output begins, because opening it blocks until a reader opens
 * it. */
Test(io_output_names, in_place_output_is_opened_when_it_begins)
{
    Heard heard = {0};
    cr_assert_eq(mkfifo("fifo", 0600), 0);
    ImgOutput *output = prepared("fifo", NULL);
    cr_assert_eq(img_output_names(output, take_name, &heard, NULL), IMG_OK);
    cr_expect(heard.count == 1 && heard.uses[0] == IMG_NAME_IN_PLACE);
    const int reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    cr_assert_eq(img_output_begin(output, NULL), IMG_OK);
    cr_assert_eq(img_output_write(output, "text", 4, NULL), IMG_OK);
    cr_assert_eq(img_output_commit(&output, NULL), IMG_OK);
    char text[8] = "";
    cr_expect_eq(read(reader, text, sizeof text), 4);
    close(reader);
    free_names(&heard);
}

/* Stores the name of the created file in *context. */
static void note_name(void *context, const char *path)
{
    *(const char **)context = path;
}

Test(io_output_names, replaced_names_are_used)
{
    const char *created = NULL;
    const ImgOutputHooks hooks = {.created = note_name, .context = (void *)&created};
    Heard heard = {0};
    struct stat info;
    cr_assert_eq(symlink("other.png", "link.png"), 0); /* the target does not exist */
    ImgOutput *output = prepared("link.png", &hooks);
    cr_assert_eq(img_output_names(output, take_name, &heard, NULL), IMG_OK);
    cr_expect_eq(count_uses(&heard, IMG_NAME_TARGET), 1);
    cr_expect_gt(count_uses(&heard, IMG_NAME_TEMPORARY), 1);
    cr_expect_str_eq(heard.copies[0], "other.png", "links are followed");

    /* The first replacement for the temporary name is taken. That file must not be overwritten, so
     * the second replacement is used. */
    write_text(heard.copies[1], "taken");
    cr_assert_eq(img_output_begin(output, NULL), IMG_OK);
    cr_expect(created != NULL && is_copy(&heard, created));
    cr_expect_str_eq(created, heard.copies[2]);
    cr_expect_eq(stat(created, &info), 0);
    cr_assert_eq(img_output_write(output, "new", 3, NULL), IMG_OK);
    cr_assert_eq(img_output_commit(&output, NULL), IMG_OK);
    expect_text("other.png", "new");
    expect_text(heard.copies[1], "taken");
    free_names(&heard);
}

Test(io_output_names, only_announced_names_are_used)
{
    Heard heard = {0};
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = prepared("a.png", NULL);
    cr_assert_eq(img_output_names(output, take_name, &heard, NULL), IMG_OK);
    for (size_t i = 0; i < heard.count; i++)
        if (heard.uses[i] == IMG_NAME_TEMPORARY)
            write_text(heard.copies[i], "taken");
    cr_expect_eq(img_output_begin(output, &err), IMG_E_IO);
    cr_expect_not_null(strstr(err.message, "no free name"), "%s", err.message);
    img_output_discard(&output);
    cr_expect_eq(count_files(), (int)count_uses(&heard, IMG_NAME_TEMPORARY));
    free_names(&heard);
}

Test(io_output_names, backups_use_the_given_names)
{
    static const char remedy[] = "choose another";
    Heard heard = {0};
    ImgBackup backup;
    ImgError err = {IMG_OK, ""};
    bool made = true;
    cr_assert_eq(img_backup_find("a.png", "~", NULL, &backup, NULL), IMG_OK);
    img_backup_names(&backup, take_name, &heard);
    cr_expect(heard.count == 3 && heard.uses[0] == IMG_NAME_TARGET &&
              heard.uses[1] == IMG_NAME_BACKUP && heard.uses[2] == IMG_NAME_BACKUP);
    cr_expect(backup.target == heard.copies[0] && backup.name == heard.copies[1] &&
              backup.temporary == heard.copies[2]);
    cr_expect_str_eq(backup.name, "a.png~");

    cr_expect_eq(img_backup_make(&backup, remedy, &made, NULL), IMG_OK);
    cr_expect_not(made, "there is nothing to keep");
    write_text("a.png", "old"); /* a.png did not exist when img_backup_names set the names */
    cr_expect_eq(img_backup_check(&backup, remedy, NULL), IMG_OK);
    cr_expect_eq(img_backup_make(&backup, remedy, &made, NULL), IMG_OK);
    cr_expect(made);
    expect_text("a.png~", "old");
    cr_expect_eq(img_backup_check(&backup, remedy, NULL), IMG_OK, "a link to the very same file");

    cr_assert_eq(unlink("a.png"), 0);
    write_text("a.png", "newer");
    cr_expect_eq(img_backup_check(&backup, remedy, &err), IMG_E_IO);
    cr_expect_not_null(strstr(err.message, remedy));
    cr_expect_eq(img_backup_make(&backup, remedy, &made, NULL), IMG_E_IO);
    cr_expect_not(made);
    expect_text("a.png~", "old");
    img_backup_free(&backup);
    img_backup_free(&backup);
    free_names(&heard);
}
