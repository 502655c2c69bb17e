/* Tests of the totals, speeds, progress line and summary of a batch, with numbers that can be
 * worked out by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/report/progress.h"
#include "io/size_text.h"

/* --- Totals ----------------------------------------------------------------------------------- */

static BatchResult a_result(BatchOutcome outcome)
{
    BatchResult result = {.outcome = outcome, .message = ""};
    result.report.load.bytes = 100;
    result.report.bytes_written = 70;
    result.report.load.read = 1;
    result.report.load.decode = 2;
    result.report.run.init = 4;
    result.report.run.upload = 8;
    result.report.run.kernel = 16;
    result.report.run.download = 32;
    result.report.encode = 64;
    result.report.write = 128;
    result.report.run.backend = IMG_BACKEND_CUDA;
    strcpy(result.report.run.device, "a GPU");
    return result;
}

Test(batch_totals, each_outcome_adds_to_its_own_counts)
{
    BatchTotals totals = {.files = 9};
    BatchResult done = a_result(BATCH_DONE), failed = a_result(BATCH_FAILED),
                skipped = a_result(BATCH_SKIPPED);
    batch_totals_add(&totals, &done);
    batch_totals_add(&totals, &failed);
    batch_totals_add(&totals, &skipped);
    batch_totals_add(&totals, &skipped);
    cr_expect(totals.files == 9 && totals.done == 1 && totals.failed == 1 && totals.skipped == 2);
    cr_expect_eq(batch_totals_settled(&totals), 4);
    cr_expect_eq(totals.bytes_read, 200);
    cr_expect_eq(totals.bytes_written, 70);
    cr_expect(totals.seconds[BATCH_READ] == 2 && totals.seconds[BATCH_DECODE] == 4 &&
              totals.seconds[BATCH_RUN] == 120);
    cr_expect(totals.seconds[BATCH_ENCODE] == 128 && totals.seconds[BATCH_WRITE] == 256);
    cr_expect_eq(totals.on_gpu, 1);
}

Test(batch_totals, gpu_counts_include_only_work_on_a_gpu)
{
    BatchTotals totals = {.files = 2};
    BatchResult on_cpu = a_result(BATCH_DONE), ran_not = a_result(BATCH_DONE);
    on_cpu.report.run.backend = IMG_BACKEND_CPU;
    ran_not.report.run.device[0] = '\0';
    batch_totals_add(&totals, &on_cpu);
    batch_totals_add(&totals, &ran_not);
    cr_expect_eq(totals.on_gpu, 0);
}

/* --- Speeds and the time left ----------------------------------------------------------------- */

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

Test(batch_pace, no_speed_is_known_at_first)
{
    Pace pace = PACE_NONE;
    PaceNow now = pace_now(&pace);
    cr_expect(now.images < 0 && now.read < 0 && now.written < 0 && now.left < 0);
    BatchTotals totals = {.files = 100};
    pace_note(&pace, 50, &totals);
    pace_note(&pace, 50.1, &totals);
    now = pace_now(&pace);
    cr_expect(now.images < 0 && now.left < 0);
}

Test(batch_pace, a_steady_pace_gives_its_rates)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 1000};
    /* In each of 40 seconds 10 images are done, with 20 input bytes and 30 output bytes each. */
    for (int tick = 0; tick <= 400; tick++) {
        totals.done = (size_t)tick;
        totals.bytes_read = 20 * (uint64_t)tick;
        totals.bytes_written = 30 * (uint64_t)tick;
        pace_note(&pace, 1000 + 0.1 * tick, &totals);
        PaceNow now = pace_now(&pace);
        if (tick < 6)
            continue;
        cr_expect(near(now.images, 10, 0.01), "%d: %f", tick, now.images);
        cr_expect(near(now.read, 200, 0.2), "%d: %f", tick, now.read);
        cr_expect(near(now.written, 300, 0.3), "%d: %f", tick, now.written);
        cr_expect(near(now.left, (1000 - tick) / 10.0, 0.2), "%d: %f", tick, now.left);
    }
}

Test(batch_pace, rates_follow_within_seconds)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 100000};
    /* The batch does 10 images per second for 20 seconds, and then 100 per second. */
    for (int tick = 0; tick <= 260; tick++) {
        totals.done += tick == 0 ? 0 : tick <= 200 ? 1 : 10;
        pace_note(&pace, 0.1 * tick, &totals);
    }
    cr_expect(near(pace_now(&pace).images, 100, 1), "%f", pace_now(&pace).images);
}

Test(batch_pace, few_large_images_keep_the_estimate_steady)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 100};
    double least = 1e9, most = 0;
    /* The batch does one image every two seconds. */
    for (int tick = 0; tick <= 1200; tick++) {
        totals.done = (size_t)(tick / 20);
        pace_note(&pace, 0.1 * tick, &totals);
        if (tick < 400)
            continue;
        PaceNow now = pace_now(&pace);
        least = fmin(least, now.images);
        most = fmax(most, now.images);
    }
    cr_expect(least > 0.43 && most < 0.57, "%f to %f", least, most);
}

Test(batch_pace, files_in_progress_count_before_the_first_is_done)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 104};
    pace_note(&pace, 0, &totals);
    totals.under_way = 8;
    pace_note(&pace, 0.01, &totals);
    pace_note(&pace, 1, &totals);
    /* Each of the 8 files in progress counts as half done. In one second 4 files were done, and 100
     * of 104 are left. */
    cr_expect(near(pace_now(&pace).left, 25, 0.01), "%f", pace_now(&pace).left);
}

Test(batch_pace, skipped_files_take_no_time)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 1000};
    /* 800 files are skipped in two seconds. */
    for (int tick = 0; tick <= 20; tick++) {
        totals.skipped = 40 * (size_t)tick;
        pace_note(&pace, 0.1 * tick, &totals);
    }
    /* After these two seconds, one file per second is done. */
    for (int tick = 1; tick <= 100; tick++) {
        totals.done = (size_t)(tick / 10);
        totals.under_way = 1;
        pace_note(&pace, 2 + 0.1 * tick, &totals);
        double left = pace_now(&pace).left, truth = 200 - tick / 10.0;
        if (tick >= 10)
            cr_expect(left > 0.6 * truth && left < 1.6 * truth, "%d: %f", tick, left);
    }
}

Test(batch_pace, skipped_files_among_others_are_expected_to_continue)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 10000};
    /* In each second one file is processed and 99 are skipped. */
    for (int tick = 0; tick <= 300; tick++) {
        totals.done = (size_t)(tick / 10);
        totals.skipped = 99 * totals.done;
        pace_note(&pace, 0.1 * tick, &totals);
    }
    double left = pace_now(&pace).left;
    cr_expect(left > 63 && left < 77, "%f", left);
}

Test(batch_pace, new_files_before_many_skipped_ones_are_estimated_soon)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 10 + 300 + 190};
    double now = 0;
    for (int i = 0; i < 10; i++, totals.done++)
        pace_note(&pace, now += 1, &totals);
    totals.skipped = 300;
    for (int i = 0; i < 40; i++, totals.done++)
        pace_note(&pace, now += 1, &totals);
    double left = pace_now(&pace).left;
    cr_expect(left > 100 && left < 200, "%f", left); /* The exact number of seconds is 151. */
}

Test(batch_pace, no_time_is_left_at_the_end)
{
    Pace pace = PACE_NONE;
    BatchTotals totals = {.files = 4};
    pace_note(&pace, 0, &totals);
    totals.done = 3;
    totals.failed = 1;
    pace_note(&pace, 2, &totals);
    cr_expect_eq(pace_now(&pace).left, 0);
    cr_expect_eq(pace_now(&pace).images, 1.5);
}

/* --- The progress line ------------------------------------------------------------------------ */

static const PaceNow speeds = {12.34, 45.06e6, 40.16e6, 11.2};

Test(progress_text, a_wide_line_shows_everything)
{
    char text[PROGRESS_TEXT];
    BatchTotals totals = {.files = 500, .done = 400, .failed = 3, .skipped = 9, .under_way = 4};
    cr_expect_str_eq(progress_text(&totals, &speeds, false, SIZE_MAX, text),
                     "412 of 500 files, 12.3 images/s, 45.1 MB/s in, 40.2 MB/s out, 0:12 left, "
                     "3 failed");
    totals.failed = 0;
    cr_expect_str_eq(progress_text(&totals, &speeds, false, 79, text),
                     "409 of 500 files, 12.3 images/s, 45.1 MB/s in, 40.2 MB/s out, 0:12 left");
}

Test(progress_text, a_narrow_line_leaves_fields_out)
{
    char text[PROGRESS_TEXT];
    BatchTotals totals = {.files = 500, .done = 400, .failed = 3, .skipped = 9};
    const char *const shorter[] = {
        "412 of 500 files, 12.3 images/s, 45.1 MB/s in, 40.2 MB/s out, 0:12 left, 3 failed",
        "412 of 500 files, 12.3 images/s, 0:12 left, 3 failed",
        "412 of 500 files, 0:12 left, 3 failed", "412 of 500 files, 3 failed"};
    for (size_t i = 0; i < 4; i++)
        cr_expect_str_eq(progress_text(&totals, &speeds, false, strlen(shorter[i]), text),
                         shorter[i]);
    for (size_t i = 0; i < 3; i++)
        cr_expect_str_eq(progress_text(&totals, &speeds, false, strlen(shorter[i]) - 1, text),
                         shorter[i + 1]);
    cr_expect_str_eq(progress_text(&totals, &speeds, false, 5, text), shorter[3]);
}

Test(progress_text, unknown_values_are_left_out)
{
    char text[PROGRESS_TEXT];
    BatchTotals totals = {.files = 1};
    PaceNow unknown = {-1, -1, -1, -1}, no_output = {2, 3e6, 0, 5};
    cr_expect_str_eq(progress_text(&totals, &unknown, false, 79, text), "0 of 1 file");
    cr_expect_str_eq(progress_text(&totals, &no_output, false, 79, text),
                     "0 of 1 file, 2.00 images/s, 3.00 MB/s in, 0:05 left");
}

Test(progress_text, the_line_says_how_to_stop_at_once)
{
    char text[PROGRESS_TEXT];
    BatchTotals totals = {.files = 500, .done = 400, .failed = 3, .under_way = 4};
    const char *const shorter[] = {
        "403 of 500 files, 3 failed, finishing 4 files under way, interrupt again to stop",
        "403 of 500 files, 3 failed, finishing 4 files, interrupt again to stop",
        "403 of 500 files, 3 failed, finishing 4, interrupt again to stop",
        "finishing 4, interrupt again to stop"};
    for (size_t i = 0; i < 4; i++)
        cr_expect_str_eq(progress_text(&totals, &speeds, true, strlen(shorter[i]), text),
                         shorter[i]);
    for (size_t i = 0; i < 3; i++)
        cr_expect_str_eq(progress_text(&totals, &speeds, true, strlen(shorter[i]) - 1, text),
                         shorter[i + 1]);
    totals.under_way = 1;
    totals.failed = 0;
    cr_expect_str_eq(progress_text(&totals, &speeds, true, 79, text),
                     "400 of 500 files, finishing 1 file under way, interrupt again to stop");
}

Test(progress_text, huge_numbers_fit)
{
    char text[PROGRESS_TEXT];
    BatchTotals totals = {.files = SIZE_MAX, .done = SIZE_MAX, .under_way = SIZE_MAX};
    PaceNow huge = {1e20, 1e24, 1e24, 1e300};
    progress_text(&totals, &huge, false, SIZE_MAX, text);
    cr_expect(strlen(text) < PROGRESS_TEXT);
    cr_expect(strstr(text, "18446744073709551615 of 18446744073709551615 files, 1") == text);
}

Test(progress_text, durations_round_up)
{
    char text[DURATION_TEXT];
    cr_expect_str_eq(duration_text(0, text), "0:00");
    cr_expect_str_eq(duration_text(0.01, text), "0:01");
    cr_expect_str_eq(duration_text(59.5, text), "1:00");
    cr_expect_str_eq(duration_text(754, text), "12:34");
    cr_expect_str_eq(duration_text(3599.5, text), "1:00:00");
    cr_expect_str_eq(duration_text(11225, text), "3:07:05");
}

Test(progress_text, rates_have_three_digits)
{
    static const struct {
        double rate;
        const char *text;
    } cases[] = {{0, "0.00"},     {0.0123, "0.012"}, {0.123, "0.12"}, {9.994, "9.99"},
                 {9.996, "10.0"}, {99.94, "99.9"},   {99.96, "100"},  {1234.4, "1234"}};
    char text[DURATION_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(rate_text(cases[i].rate, text), cases[i].text);
}

Test(progress_text, thousands_are_separated)
{
    char text[IMG_SIZE_TEXT];
    cr_expect_str_eq(img_thousands_text(999, text), "999 bytes");
    cr_expect_str_eq(img_thousands_text(1000, text), "1.0 kB");
    cr_expect_str_eq(img_thousands_text(999949, text), "999.9 kB");
    cr_expect_str_eq(img_thousands_text(999951, text), "1.0 MB");
    cr_expect_str_eq(img_thousands_text(1234567890, text), "1.2 GB");
    cr_expect_str_eq(img_size_text(1048524, text), "1023.9 KiB");
    cr_expect_str_eq(img_size_text(1048575, text), "1.0 MiB");
}

/* --- The summary ------------------------------------------------------------------------------ */

static void expect_summary(const BatchEnd *summary, const char *expected)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    summary_write(out, summary);
    cr_assert_eq(fclose(out), 0);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(batch_summary, the_summary_has_every_count)
{
    BatchTotals totals = {.files = 500,
                          .done = 480,
                          .failed = 2,
                          .skipped = 8,
                          .bytes_read = 1234567890,
                          .bytes_written = 987654321,
                          .seconds = {[BATCH_READ] = 1,
                                      [BATCH_DECODE] = 40,
                                      [BATCH_RUN] = 5,
                                      [BATCH_ENCODE] = 50,
                                      [BATCH_WRITE] = 4},
                          .on_gpu = 300};
    BatchEnd summary = {.totals = &totals,
                        .seconds = 12.34,
                        .memory_limit = 12884901888,
                        .memory_most = 851443712,
                        .recorded = true};
    expect_summary(&summary,
                   "imgtool: 480 files done, 2 failed, 8 skipped, 10 not started in 12.3 s, "
                   "38.9 images/s\n"
                   "  read     1.2 GB, 100 MB/s\n"
                   "  written  987.7 MB, 80.0 MB/s\n"
                   "  time     reading 1 %, decoding 40 %, operation 5 %, encoding 50 %, "
                   "writing 4 %\n"
                   "  GPU      300 of 480 files\n"
                   "  memory   planned peak 812.0 MiB, limit 12.0 GiB\n"
                   "imgtool: 2 of 500 inputs failed, as reported above\n");
    summary.interrupted = true;
    summary.totals = &(BatchTotals){.files = 5, .done = 2};
    summary.memory_most = 0;
    expect_summary(&summary, "imgtool: 2 files done, 3 not started in 12.3 s, 0.16 images/s\n"
                             "imgtool: interrupted with 3 files left; the same command with "
                             "--resume continues\n");
    summary.recorded = false;
    expect_summary(&summary, "imgtool: 2 files done, 3 not started in 12.3 s, 0.16 images/s\n"
                             "imgtool: interrupted with 3 files left\n");
}

Test(batch_summary, the_summary_leaves_out_zero_counts)
{
    BatchTotals totals = {.files = 3, .skipped = 3};
    BatchEnd summary = {.totals = &totals, .seconds = 0.05, .memory_limit = 1000, .recorded = true};
    expect_summary(&summary, "imgtool: 0 files done, 3 skipped in 0.050 s\n");
}

Test(batch_summary, inputs_that_could_not_be_listed_count)
{
    BatchTotals totals = {.files = 1, .failed = 1};
    BatchEnd summary = {.totals = &totals, .seconds = 0.5, .memory_limit = 1000, .recorded = true};
    expect_summary(&summary, "imgtool: 0 files done, 1 failed in 0.50 s\n");
    summary.inputs_failed = 1;
    expect_summary(&summary, "imgtool: 0 files done, 1 failed in 0.50 s\n"
                             "imgtool: 2 of 2 inputs failed, as reported above\n");
}

Test(batch_summary, unsearched_directories_and_other_pictures_are_mentioned)
{
    BatchTotals totals = {.files = 1, .done = 1};
    BatchEnd summary = {.totals = &totals, .seconds = 0.5, .unsearched = 1};
    expect_summary(&summary, "imgtool: 1 file done in 0.50 s, 2.00 images/s\n"
                             "  left out 1 subdirectory (-r searches them)\n");
    summary.other_pictures = 1;
    expect_summary(&summary,
                   "imgtool: 1 file done in 0.50 s, 2.00 images/s\n"
                   "  left out 1 subdirectory (-r searches them), 1 picture of another format\n");
    summary.unsearched = 0;
    expect_summary(&summary, "imgtool: 1 file done in 0.50 s, 2.00 images/s\n"
                             "  left out 1 picture of another format\n");
}

/* --- Quiet mode ------------------------------------------------------------------------------- */

Test(progress, quiet_shows_nothing)
{
    Settings settings;
    settings_init(&settings);
    settings.engine.verbosity = VERBOSITY_QUIET;
    BatchTotals totals = {.files = 1};
    Progress *progress = progress_start(&settings);
    cr_expect_null(progress);
    progress_show(progress, &totals, true);
    progress_end(progress);
}
