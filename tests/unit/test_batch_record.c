/* Tests of the record of a batch, the file that lists the finished files. An unfinished file must
 * never count as finished. */
#include <pthread.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "test_batch_record.h"

static const char head[] = "imgtool batch record, version 1\n";

TestSuite(batch_record, .init = make_directories, .fini = leave_directory);

Test(batch_record, a_finished_file_is_known)
{
    write_text("in/a.png", "picture");
    write_text("in/b.png", "picture");
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"));
    finish_in_run("rotate", "in/a.png", "out/a.png", "result");
    cr_expect(has("rotate", "in/a.png", "out/a.png"));
    cr_expect_not(has("rotate 90", "in/a.png", "out/a.png"), "other steps");
    cr_expect_not(has("rotate", "in/b.png", "out/a.png"), "another input");
    cr_expect_not(has("rotate", "in/a.png", "out/b.png"), "another output");
    cr_expect(has("rotate", "./in//a.png", "./out/a.png"), "spelled in another way");
}

Test(batch_record, a_changed_input_is_noticed)
{
    write_text("in/a.png", "picture");
    set_time("in/a.png", 1000, 7);
    finish_in_run("rotate", "in/a.png", "out/a.png", "result");
    set_time("in/a.png", 1000, 8);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"), "a nanosecond later");
    set_time("in/a.png", 1000, 7);
    cr_expect(has("rotate", "in/a.png", "out/a.png"));
    write_text("in/a.png", "picture!");
    set_time("in/a.png", 1000, 7);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"), "another size");
    cr_assert_eq(unlink("in/a.png"), 0);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"), "gone");
}

/* The record stores the state that the input had before it was read, not its state when the line is
 * written. A change in between is therefore noticed. */
Test(batch_record, an_input_that_changes_while_it_is_read_is_noticed)
{
    FileState before;
    write_text("in/a.png", "picture");
    set_time("in/a.png", 1000, 0);
    cr_assert(file_state("in/a.png", &before));
    set_time("in/a.png", 1001, 0);
    write_text("out/temporary", "result");
    Record *record = opened("out", "rotate");
    cr_assert_eq(record_add(record, "in/a.png", &before, "out/temporary", "out/a.png", NULL),
                 IMG_OK);
    (void)record_close(record, NULL);
    cr_assert_eq(rename("out/temporary", "out/a.png"), 0);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"));
}

Test(batch_record, a_changed_output_is_noticed)
{
    write_text("in/a.png", "picture");
    finish_in_run("rotate", "in/a.png", "out/a.png", "result");
    struct stat info;
    cr_assert_eq(stat("out/a.png", &info), 0);
    cr_assert_eq(truncate("out/a.png", 3), 0);
    set_time("out/a.png", info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"), "shorter");
    write_text("out/a.png", "RESULT");
    set_time("out/a.png", info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    cr_expect(has("rotate", "in/a.png", "out/a.png"), "by size and time");
    set_time("out/a.png", info.st_mtim.tv_sec + 1, info.st_mtim.tv_nsec);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"), "later");
    cr_assert_eq(unlink("out/a.png"), 0);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"), "gone");
}

/* If several lines are about one output, the line whose file state matches the output names the
 * steps that made it. */
Test(batch_record, the_line_that_matches_the_file_counts)
{
    write_text("in/a.png", "picture");
    finish_in_run("rotate", "in/a.png", "out/a.png", "first");
    finish_in_run("flip", "in/a.png", "out/a.png", "and second");
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"));
    cr_expect(has("flip", "in/a.png", "out/a.png"));
    /* The next run is killed after it wrote its line and before the rename. The output of the
     * earlier run is therefore still there. */
    Record *record = opened("out", "rotate");
    write_text("out/temporary", "the third");
    note(record, "in/a.png", "out/temporary", "out/a.png");
    (void)record_close(record, NULL);
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"));
    cr_expect(has("flip", "in/a.png", "out/a.png"));
}

/* Two lines can match the same file if the clock of the file system did not advance between
 * them. */
Test(batch_record, the_later_of_two_matching_lines_counts)
{
    write_text("in/a.png", "picture");
    write_text("out/temporary", "result");
    Record *record = opened("out", "rotate");
    note(record, "in/a.png", "out/temporary", "out/a.png");
    (void)record_close(record, NULL);
    record = opened("out", "flip");
    note(record, "in/a.png", "out/temporary", "out/a.png");
    (void)record_close(record, NULL);
    cr_assert_eq(rename("out/temporary", "out/a.png"), 0);
    cr_expect(has("flip", "in/a.png", "out/a.png"));
    cr_expect_not(has("rotate", "in/a.png", "out/a.png"));
}

Test(batch_record, in_place_a_file_is_done_once_wherever_the_run_is_killed)
{
    write_text("out/a.png", "picture");
    Record *record = opened("out", "rotate");
    write_text("out/temporary", "rotated");
    (void)record_close(record, NULL); /* the run is killed here */
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"), "before the line");

    record = opened("out", "rotate");
    note(record, "out/a.png", "out/temporary", "out/a.png");
    (void)record_close(record, NULL);
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"), "before the rename");

    cr_assert_eq(rename("out/temporary", "out/a.png"), 0);
    cr_expect(has("rotate", "out/a.png", "out/a.png"), "after the rename");
    cr_expect(has("rotate", "./out/a.png", "./out/a.png"));
    cr_expect_not(has("flip", "out/a.png", "out/a.png"));
    write_text("out/b.png", "picture");
    cr_expect_not(has("rotate", "out/b.png", "out/a.png"), "not from another file");

    write_text("out/a.png", "edited by its owner");
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"), "edited");
    finish_in_run("rotate", "out/a.png", "out/a.png", "rotated again");
    cr_expect(has("rotate", "out/a.png", "out/a.png"));
}

/* Old and new file have the same size, and the clock of the file system has not advanced between
 * them. So their states would be equal. */
Test(batch_record, in_place_an_indistinguishable_result_gets_a_later_time)
{
    FileState old, new;
    write_text("out/a.png", "picture");
    write_text("out/temporary", "rotated");
    set_time("out/a.png", 1000, 0);
    set_time("out/temporary", 1000, 0);
    Record *record = opened("out", "rotate");
    note(record, "out/a.png", "out/temporary", "out/a.png");
    (void)record_close(record, NULL);
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"), "killed before the rename");
    cr_assert(file_state("out/a.png", &old) && file_state("out/temporary", &new));
    cr_expect_eq(old.seconds, 1000);
    cr_expect_eq(new.seconds, 1002);
    cr_assert_eq(rename("out/temporary", "out/a.png"), 0);
    cr_expect(has("rotate", "out/a.png", "out/a.png"));
}

Test(batch_record, the_directory_may_be_moved)
{
    cr_assert_eq(mkdir("out/sub", 0755), 0);
    write_text("in/a.png", "picture");
    finish_in_run("rotate", "in/a.png", "out/sub/a.png", "result");
    write_text("out/b.png", "picture");
    finish_in_run("rotate", "out/b.png", "out/b.png", "rotated");
    cr_assert_eq(rename("out", "moved"), 0);
    Record *record = opened("moved/", "rotate");
    cr_expect(recorded(record, "in/a.png", "moved/sub/a.png"));
    cr_expect(recorded(record, "moved/b.png", "moved/b.png"));
    (void)record_close(record, NULL);
}

Test(batch_record, unusual_names_survive)
{
    static const char *const names[] = {
        " ", "a b.png", "new\nline.png", "\xFF\xFE.png", "%41", "tab\t.png", "=", "r\xC3\xA4t.png"};
    enum { COUNT = sizeof names / sizeof names[0] };
    char input[64], output[64];
    Record *record = opened("out", "rotate");
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(input, sizeof input, "in/%s", names[i]);
        snprintf(output, sizeof output, "out/%s", names[i]);
        write_text(input, "picture");
        finish(record, input, output, "result");
    }
    (void)record_close(record, NULL);
    record = opened("out", "rotate");
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(input, sizeof input, "in/%s", names[i]);
        snprintf(output, sizeof output, "out/%s", names[i]);
        cr_expect(recorded(record, input, output), "%s", names[i]);
    }
    cr_expect_not(recorded(record, "in/A", "out/%41"));
    (void)record_close(record, NULL);
}

/* After a power failure or on a full disk, the record may end anywhere in its last line. */
Test(batch_record, a_torn_line_is_ignored_and_later_lines_are_read)
{
    size_t one, two;
    write_text("in/a.png", "picture");
    finish_in_run("rotate", "in/a.png", "out/a.png", "first");
    free(read_bytes(record_path, &one));
    finish_in_run("rotate", "in/a.png", "out/b.png", "second");
    char *whole = read_bytes(record_path, &two);
    for (size_t size = one; size <= two; size++) {
        write_bytes(record_path, whole, size);
        cr_expect(has("rotate", "in/a.png", "out/a.png"), "%zu bytes", size);
        cr_expect_eq(has("rotate", "in/a.png", "out/b.png"), size >= two - 1, "%zu bytes", size);
        finish_in_run("rotate", "in/a.png", "out/c.png", "third");
        cr_expect(has("rotate", "in/a.png", "out/a.png"), "%zu bytes", size);
        cr_expect(has("rotate", "in/a.png", "out/c.png"), "%zu bytes", size);
        cr_assert_eq(unlink("out/c.png"), 0);
    }
    free(whole);
}

Test(batch_record, a_torn_first_line_is_repaired)
{
    write_text("in/a.png", "picture");
    for (size_t size = 0; size <= strlen(head); size++) {
        write_bytes(record_path, head, size);
        finish_in_run("rotate", "in/a.png", "out/a.png", "first");
        cr_expect(has("rotate", "in/a.png", "out/a.png"), "%zu bytes", size);
        size_t all;
        char *text = read_bytes(record_path, &all);
        cr_expect_eq(strncmp(text, head, strlen(head)), 0, "%zu bytes: %s", size, text);
        free(text);
    }
}

Test(batch_record, damage_spares_the_readable_lines)
{
    size_t size;
    write_text("in/a.png", "picture");
    for (int i = 0; i < 3; i++) {
        char output[24];
        snprintf(output, sizeof output, "out/%d.png", i);
        finish_in_run("rotate", "in/a.png", output, "result");
    }
    char *text = read_bytes(record_path, &size);
    char *second = strchr(text + strlen(head), '\n') + 1;
    memset(text, '\0', 5);
    memset(second, '\0', 20);
    write_bytes(record_path, text, size);
    free(text);
    for (int again = 0; again < 2; again++) {
        cr_expect(has("rotate", "in/a.png", "out/0.png"));
        cr_expect_not(has("rotate", "in/a.png", "out/1.png"));
        cr_expect(has("rotate", "in/a.png", "out/2.png"));
        text = read_bytes(record_path, &size);
        cr_expect_eq(strncmp(text, head, strlen(head)), 0, "rewritten");
        free(text);
    }
}

Test(batch_record, a_file_that_is_not_a_record_is_not_changed)
{
    static const char later_head[] = "x\nimgtool batch record, version 1\n";
    static const char *const texts[] = {"somebody's notes", "imgtool batch record, version 2\n",
                                        "\n", later_head};
    size_t size;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_text(record_path, texts[i]);
        expect_failure("out", "out/.imgtool-batch: is not a record of this version");
        char *text = read_bytes(record_path, &size);
        cr_expect_str_eq(text, texts[i]);
        free(text);
    }
    cr_assert_eq(unlink(record_path), 0);
    cr_assert_eq(symlink("notes", record_path), 0);
    expect_failure("out", "is a link");
    cr_expect_not(is_there("out/notes"));
    cr_assert_eq(unlink(record_path), 0);
    cr_assert_eq(mkdir(record_path, 0755), 0);
    expect_failure("out", "is a directory");
    cr_assert_eq(rmdir(record_path), 0);
    cr_assert_eq(mkfifo(record_path, 0600), 0);
    expect_failure("out", "is not a file");
    expect_failure("missing", "No such file");
}

Test(batch_record, write_errors_are_reported)
{
    cr_assert_eq(record_close(opened("out", "rotate"), NULL), IMG_OK);
    cr_assert_eq(chmod(".", 0755), 0);
    cr_assert_eq(chmod(record_path, 0444), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        cr_skip_test("root may write everywhere");
    expect_failure("out", "out/.imgtool-batch: cannot be written");
    if (geteuid() == 65534)
        cr_assert(seteuid(0) == 0 || getuid() != 0);
    cr_assert_eq(unlink(record_path), 0);
    cr_assert_eq(chmod("out", 0555), 0);
    if (geteuid() == 0)
        cr_assert_eq(seteuid(65534), 0);
    expect_failure("out", "out/.imgtool-batch: cannot be written");
    cr_assert(seteuid(0) == 0 || getuid() != 0);
    cr_assert_eq(chmod("out", 0755), 0);
}

Test(batch_record, a_second_batch_is_locked_out)
{
    Record *record = opened("out", "rotate");
    expect_failure("out", "out: another imgtool batch is running");
    expect_failure("./out/", "another imgtool batch");
    (void)record_close(opened("in", "rotate"), NULL);
    (void)record_close(record, NULL);
    cr_assert_eq(record_close(opened("out", "rotate"), NULL), IMG_OK);
}

Test(batch_record, the_lock_ends_with_the_process)
{
    pid_t child = fork();
    if (child == 0) {
        (void)opened("out", "rotate");
        (void)kill(getpid(), SIGKILL);
    }
    int how;
    cr_assert_eq(waitpid(child, &how, 0), child);
    cr_expect(WIFSIGNALED(how));
    cr_assert_eq(record_close(opened("out", "rotate"), NULL), IMG_OK);
}

/* Writes `count` lines about ten outputs. Then acts like a run that stops while it replaces the
 * first output: the new line is in the record, but the file is not renamed yet. */
static void grow(int count)
{
    char output[24];
    write_text("in/a.png", "picture");
    Record *record = opened("out", "rotate");
    for (int i = 0; i < count; i++) {
        snprintf(output, sizeof output, "out/%d.png", i % 10);
        finish(record, "in/a.png", output, "result");
    }
    write_text("out/temporary", "another");
    note(record, "in/a.png", "out/temporary", "out/0.png");
    (void)record_close(record, NULL);
}

Test(batch_record, a_long_record_is_compacted)
{
    char output[24];
    grow(998);
    cr_assert_eq(chmod(record_path, 0640), 0);
    write_text("out/.imgtool-batch.new", "of a run that was killed");
    cr_expect(has("rotate", "in/a.png", "out/0.png"));
    cr_expect_eq(count_lines(), 1 + 999, "few enough: %d", count_lines());
    finish_in_run("rotate", "in/a.png", "out/1.png", "result");
    finish_in_run("rotate", "in/a.png", "out/1.png", "result");
    for (int again = 0; again < 2; again++) {
        Record *record = opened("out", "rotate");
        /* After its first line, the record keeps the last line of each of the ten outputs. For the
         * first output it also keeps the line before, which matches the file on the disk. */
        cr_expect_eq(count_lines(), 1 + 11, "%d", count_lines());
        expect_failure("out", "another imgtool batch");
        for (int i = 0; i < 10; i++) {
            snprintf(output, sizeof output, "out/%d.png", i);
            cr_expect(recorded(record, "in/a.png", output), "%s", output);
        }
        (void)record_close(record, NULL);
    }
    cr_expect_not(is_there("out/.imgtool-batch.new"));
    struct stat info;
    cr_assert_eq(stat(record_path, &info), 0);
    cr_expect_eq(info.st_mode & 07777, 0640);
    finish_in_run("rotate", "in/a.png", "out/new.png", "result");
    cr_expect(has("rotate", "in/a.png", "out/new.png"), "continues in the new file");
}

static ImgStatus open_scope(RecordScope scope, ImgError *err)
{
    Record *record = NULL;
    *err = (ImgError){IMG_OK, ""};
    ImgStatus status = record_open_shard("out", &(Shard){0, 0}, scope, "rotate", &record, err);
    (void)record_close(record, NULL);
    return status;
}

/* An unreadable record is an error. Otherwise a batch could process files again that already
 * contain their results. */
Test(batch_record, an_unreadable_record_is_an_error)
{
    ImgError err;
    cr_assert_eq(mkdir("out/.imgtool-batch.1-of-3", 0755),
                 0); /* a directory in the place of the record */
    cr_expect_eq(open_scope(RECORD_WITH_ALL_OTHERS, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(symlink(".imgtool-batch.2-of-3", "out/.imgtool-batch.2-of-3"), 0);
    cr_expect_eq(open_scope(RECORD_WITH_OTHERS, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(open_scope(RECORD_ALONE, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(open_scope(RECORD_WITH_ALL_OTHERS, &err), IMG_E_IO);
    cr_expect(strstr(err.message, "out/.imgtool-batch.2-of-3: cannot be read: ") != NULL, "%s",
              err.message);
}

Test(batch_record, a_file_that_cannot_be_examined_is_an_error)
{
    ImgError err = {IMG_OK, ""};
    bool has;
    write_text("out/a.png", "picture");
    finish_in_run("rotate", "out/a.png", "out/a.png", "rotated");
    cr_assert_eq(symlink("b.png", "out/b.png"), 0); /* a symbolic link to itself */
    Record *record = opened("out", "rotate");
    cr_expect(recorded(record, "out/a.png", "out/a.png"));
    cr_expect_not(recorded(record, "out/none.png", "out/none.png"));
    cr_expect_eq(record_is_finished(record, "out/b.png", "out/b.png", &has, &err), IMG_E_IO);
    cr_expect(strstr(err.message, "out/b.png: cannot be examined: ") != NULL, "%s", err.message);
    (void)record_close(record, NULL);
}

/* Opens and unlinks the record `rounds` times, while other processes do the same. Two processes
 * must never hold the record at the same time. */
static void open_often(int rounds, int witness)
{
    for (int i = 0; i < rounds; i++) {
        Record *record = NULL;
        if (record_open_shard("out", &(Shard){0, 0}, RECORD_WITH_OTHERS, "rotate", &record, NULL) !=
            IMG_OK)
            continue;
        /* Each process locks `witness`, a separate file, only while it holds the record. So this
         * lock fails only if another process holds the record, too. */
        if (flock(witness, LOCK_EX | LOCK_NB) != 0)
            _exit(1);
        (void)flock(witness, LOCK_UN);
        (void)unlink(record_path);
        (void)record_close(record, NULL);
    }
    _exit(0);
}

Test(batch_record, a_record_that_was_replaced_is_opened_again)
{
    pid_t children[3];
    cr_assert_eq(record_close(opened("out", "rotate"), NULL), IMG_OK);
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] == 0)
            open_often(1000, open("witness", O_RDWR | O_CREAT, 0600));
    }
    for (int i = 0; i < 3; i++) {
        int how;
        cr_assert_eq(waitpid(children[i], &how, 0), children[i]);
        cr_expect(WIFEXITED(how) && WEXITSTATUS(how) == 0, "two held the record at a time");
    }
}

typedef struct Adder {
    Record *record;
    int number;
} Adder;

static void *add_many(void *context)
{
    Adder *adder = context;
    char temporary[32], output[32];
    snprintf(temporary, sizeof temporary, "out/temporary-%d", adder->number);
    for (int i = 0; i < 50; i++) {
        snprintf(output, sizeof output, "out/%d-%d.png", adder->number, i);
        write_text(temporary, "result");
        note(adder->record, "in/a.png", temporary, output);
        cr_assert_eq(rename(temporary, output), 0);
    }
    return NULL;
}

Test(batch_record, threads_append_concurrently)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    Adder adders[THREADS];
    char output[32];
    write_text("in/a.png", "picture");
    Record *record = opened("out", "rotate");
    for (int i = 0; i < THREADS; i++) {
        adders[i] = (Adder){record, i};
        cr_assert_eq(pthread_create(&threads[i], NULL, add_many, &adders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    (void)record_close(record, NULL);
    record = opened("out", "rotate");
    for (int i = 0; i < THREADS * 50; i++) {
        snprintf(output, sizeof output, "out/%d-%d.png", i / 50, i % 50);
        cr_expect(recorded(record, "in/a.png", output), "%s", output);
    }
    (void)record_close(record, NULL);
}

/* When the disk becomes full, only the start of a line of the record fits. The next line that is
 * written must still be valid. */
Test(batch_record, a_full_disk_is_reported)
{
    if (mount("tmpfs", "out", "tmpfs", 0, "size=16k") != 0)
        cr_skip_test("mounting a small tmpfs is not permitted here");
    ImgError err = {IMG_OK, ""};
    FileState before;
    char output[64];
    int count = 0;
    write_text("in/a.png", "picture");
    cr_assert(file_state("in/a.png", &before));
    Record *record = opened("out", "rotate");
    ImgStatus status = IMG_OK;
    for (; status == IMG_OK && count < 1000; count++) {
        snprintf(output, sizeof output, "out/%d.png", count);
        status = record_add(record, "in/a.png", &before, "in/a.png", output, &err);
    }
    cr_expect_eq(status, IMG_E_TEMPORARY);
    cr_expect_not_null(strstr(err.message, "No space left"), "%s", err.message);
    (void)record_close(record, NULL);
    cr_expect_gt(count, 50);
    cr_assert_eq(record_close(opened("out", "rotate"), NULL), IMG_OK);
    umount("out");
}

Test(batch_record, closing_null_is_allowed)
{
    cr_expect_eq(record_close(NULL, NULL), IMG_OK);
}
