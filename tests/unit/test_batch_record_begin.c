/* Tests of the record of a batch: in-place runs that start over, kept modification times, and
 * batches with another number of shares. */
#include "test_batch_record.h"

TestSuite(batch_record_begin, .init = make_directories, .fini = leave_directory);

/* With --preserve the result gets the modification time of the file that it replaces. Here both
 * files also have the same size. The record must still distinguish them at each moment. */
Test(batch_record_begin, kept_times_are_not_changed)
{
    FileState old, new;
    for (int run = 0; run < 3; run++) {
        if (run == 0)
            write_text("out/a.png", "picture");
        write_text("out/temporary", "rotated");
        set_time("out/a.png", 1000, 7);
        set_time("out/temporary", 1000, 7);
        Record *record = opened("out", "rotate");
        record_keep_times(record);
        cr_assert_eq(record_forget(record, "out/a.png", NULL), IMG_OK);
        if (record_has_to_begin(record))
            cr_assert_eq(record_begin(record, false, NULL), IMG_OK);
        note(record, "out/a.png", "out/temporary", "out/a.png");
        (void)record_close(record, NULL);
        cr_expect_not(has("rotate", "out/a.png", "out/a.png"), "killed before the rename");
        cr_assert(file_state("out/a.png", &old) && file_state("out/temporary", &new));
        cr_expect(file_state_equal(&old, &new));
        cr_assert_eq(rename("out/temporary", "out/a.png"), 0);
        cr_expect(has("rotate", "out/a.png", "out/a.png"));
    }
}

static void begin(Record *record, const char *output, bool of_several)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(record_forget(record, output, &err), IMG_OK, "%s", err.message);
    cr_assert(record_has_to_begin(record));
    cr_assert_eq(record_begin(record, of_several, &err), IMG_OK, "%s", err.message);
}

static bool is_half_begun(const char *directory, const char *steps)
{
    Record *record = opened(directory, steps);
    bool half_begun = record_is_half_begun(record);
    (void)record_close(record, NULL);
    return half_begun;
}

Test(batch_record_begin, files_that_a_run_starts_with_do_not_count_as_finished)
{
    static const char *const names[] = {"out/a.png", "out/b.png", "out/c.png"};
    for (int i = 0; i < 3; i++) {
        write_text(names[i], "picture");
        finish_in_run("rotate", names[i], names[i], "rotated");
    }
    write_text("in/d.png", "picture");
    finish_in_run("rotate", "in/d.png", "out/d.png", "rotated");
    Record *record = opened("out", "rotate");
    cr_assert_eq(record_forget(record, "out/a.png", NULL), IMG_OK);
    cr_assert_eq(record_forget(record, "out/d.png", NULL), IMG_OK);
    begin(record, "out/b.png", false);
    expect_failure("out", "another imgtool batch");
    finish(record, "out/a.png", "out/a.png", "rotated twice");
    (void)record_close(record, NULL); /* the run is killed here */
    cr_expect(has("rotate", "out/a.png", "out/a.png"));
    cr_expect_not(has("rotate", "out/b.png", "out/b.png"));
    cr_expect(has("rotate", "out/c.png", "out/c.png"), "not of this run");
    cr_expect(has("rotate", "in/d.png", "out/d.png"), "not in place");
}

static bool is_of_others(const char *steps, const char *output)
{
    bool other;
    Record *record = opened("out", steps);
    cr_assert_eq(record_is_of_other_steps(record, output, &other, NULL), IMG_OK);
    (void)record_close(record, NULL);
    return other;
}

/* A run with other steps takes the results of the first run as its inputs. Each of the two runs can
 * be resumed where it stopped. */
Test(batch_record_begin, a_run_with_other_steps_starts_from_finished_files)
{
    write_text("out/a.png", "picture");
    finish_in_run("rotate", "out/a.png", "out/a.png", "rotated");
    cr_expect(is_of_others("flip", "out/a.png"), "it would be done twice");
    cr_expect_not(is_of_others("rotate", "out/a.png"));
    Record *record = opened("out", "flip");
    begin(record, "out/a.png", false);
    (void)record_close(record, NULL); /* the run is killed here */
    cr_expect_not(is_of_others("flip", "out/a.png"));
    cr_expect_not(has("flip", "out/a.png", "out/a.png"));
    cr_expect(has("rotate", "out/a.png", "out/a.png"), "nothing has happened to it");
    int lines = count_lines();
    record = opened("out", "flip");
    cr_assert_eq(record_forget(record, "out/a.png", NULL), IMG_OK);
    cr_expect_not(record_has_to_begin(record), "the start is recorded once");
    finish(record, "out/a.png", "out/a.png", "rotated and flipped");
    (void)record_close(record, NULL);
    cr_expect_eq(count_lines(), lines + 1);
    cr_expect(has("flip", "out/a.png", "out/a.png"));
    cr_expect(is_of_others("rotate", "out/a.png"));
    cr_expect_not(is_of_others("rotate", "out/b.png"), "there is none");
}

static Record *opened_part(uint32_t index, uint32_t count)
{
    Record *record = NULL;
    const Shard shard = {index, count};
    cr_assert_eq(record_open_shard("out", &shard, RECORD_WITH_ALL_OTHERS, "rotate", &record, NULL),
                 IMG_OK);
    return record;
}

/* A run does not change the records of other shares. It writes a later line to its own record, and
 * the later line counts. */
Test(batch_record_begin, a_run_starts_from_files_that_shares_have_finished)
{
    Record *record = opened_part(1, 2);
    write_text("out/a.png", "picture");
    finish(record, "out/a.png", "out/a.png", "rotated");
    write_text("out/b.png", "picture");
    finish(record, "out/b.png", "out/b.png", "rotated");
    (void)record_close(record, NULL);
    record = opened("out", "rotate");
    begin(record, "out/a.png", false);
    (void)record_close(record, NULL);
    int lines = count_lines();
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"));
    cr_expect(has("rotate", "out/b.png", "out/b.png"));
    record = opened("out", "rotate");
    cr_assert_eq(record_forget(record, "out/a.png", NULL), IMG_OK);
    cr_expect_not(record_has_to_begin(record), "the start is recorded once");
    (void)record_close(record, NULL);
    cr_expect_eq(count_lines(), lines);
    record = opened_part(1, 2);
    cr_expect_not(recorded(record, "out/a.png", "out/a.png"));
    finish(record, "out/a.png", "out/a.png", "rotated twice");
    (void)record_close(record, NULL);
    cr_expect(has("rotate", "out/a.png", "out/a.png"));
    record = opened_part(2, 3);
    cr_expect(recorded(record, "out/a.png", "out/a.png"));
    begin(record, "out/b.png", false);
    (void)record_close(record, NULL);
    cr_expect_not(has("rotate", "out/b.png", "out/b.png"));
}

/* With --preserve the steps can change the content of a file without changing its size and time. A
 * new run must process the file that it finds. Until the new run has replaced this file, the record
 * must count it as unfinished. */
Test(batch_record_begin, a_run_that_keeps_times_starts_from_the_file_as_it_is)
{
    Record *record = opened_part(1, 2);
    write_text("out/a.png", "picture");
    write_text("out/temporary", "rotated");
    set_time("out/a.png", 1000, 7);
    set_time("out/temporary", 1000, 7);
    record_keep_times(record);
    note(record, "out/a.png", "out/temporary", "out/a.png");
    cr_assert_eq(rename("out/temporary", "out/a.png"), 0);
    (void)record_close(record, NULL);
    record = opened("out", "rotate");
    record_keep_times(record);
    begin(record, "out/a.png", false);
    (void)record_close(record, NULL);
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"));
    record = opened_part(1, 2);
    record_keep_times(record);
    write_text("out/temporary", "rotated");
    set_time("out/temporary", 1000, 7);
    note(record, "out/a.png", "out/temporary", "out/a.png");
    (void)record_close(record, NULL);
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"), "killed before the rename");
    cr_assert_eq(rename("out/temporary", "out/a.png"), 0);
    cr_expect(has("rotate", "out/a.png", "out/a.png"));
}

Test(batch_record_begin, a_start_in_only_some_directories_is_detected)
{
    write_text("out/a.png", "picture");
    finish_in_run("rotate", "out/a.png", "out/a.png", "rotated");
    cr_expect_not(is_half_begun("out", "rotate"));
    Record *record = opened("out", "rotate");
    begin(record, "out/a.png", true);
    cr_expect(record_is_half_begun(record));
    (void)record_close(record, NULL); /* the run is killed here */
    cr_expect(is_half_begun("out", "rotate"));
    cr_expect_not(is_half_begun("out", "flip"));
    record = opened("out", "rotate");
    cr_assert_eq(record_forget(record, "out/a.png", NULL), IMG_OK);
    cr_expect_not(record_has_to_begin(record));
    cr_assert_eq(record_note_begun(record, NULL), IMG_OK);
    cr_expect_not(record_is_half_begun(record));
    (void)record_close(record, NULL);
    cr_expect_not(is_half_begun("out", "rotate"));
    cr_expect_not(has("rotate", "out/a.png", "out/a.png"));
}

/* Two batches with different numbers of shares cannot run at once. Each takes its own lock before
 * it looks for the lock of the other. */
Test(batch_record_begin, a_batch_with_another_number_of_shares_is_locked_out)
{
    static const Shard shards[] = {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {1, 3}};
    enum { COUNT = sizeof shards / sizeof *shards };
    for (int i = 0; i < COUNT; i++) {
        Record *first = opened_part(shards[i].index, shards[i].count), *second = NULL;
        for (int k = 0; k < COUNT; k++) {
            ImgError err = {IMG_OK, ""};
            ImgStatus status =
                record_open_shard("out", &shards[k], RECORD_ALONE, "rotate", &second, &err);
            bool same = shards[i].count == shards[k].count && i != k;
            cr_expect_eq(status, same ? IMG_OK : IMG_E_TEMPORARY, "%d beside %d: %s", k, i,
                         err.message);
            (void)record_close(second, NULL);
        }
        (void)record_close(first, NULL);
    }
}
