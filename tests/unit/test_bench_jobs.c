/* Tests of the statistics of times, and of the stages of whole jobs. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/bench/jobs/end_to_end.h"
#include "app/bench/jobs/end_to_end_priv.h"
#include "app/bench/jobs/scratch.h"
#include "app/bench/jobs/side.h"
#include "app/bench/measure/timing.h"
#include "app/bench/measure/workload.h"
#include "app/cli/pipeline.h"
#include "app/term/interrupt.h"

static void expect_near(double got, double wanted, const char *what)
{
    cr_expect(fabs(got - wanted) < 1e-12, "%s: %.15g, not %.15g", what, got, wanted);
}

/* --- Timing ----------------------------------------------------------------------------------- */

/* Returns a timing whose samples are count, count - 1, ... 1. Each sample equals its own rank, so a
 * test can read ranks from the result. */
static BenchTiming timing_of_ranks(size_t count)
{
    double samples[2000];
    cr_assert(count <= sizeof samples / sizeof *samples);
    for (size_t i = 0; i < count; i++)
        samples[i] = (double)(count - i);
    return bench_timing(samples, count);
}

Test(timing, no_samples_give_zero)
{
    BenchTiming timing = bench_timing(NULL, 0);
    cr_expect_eq(timing.samples, 0);
    cr_expect_eq(timing.median, 0);
    cr_expect_eq(timing.noise, 0);
}

Test(timing, one_sample_has_no_noise)
{
    BenchTiming timing = bench_timing((double[]){0.25}, 1);
    cr_expect_eq(timing.samples, 1);
    expect_near(timing.median, 0.25, "median");
    expect_near(timing.minimum, 0.25, "minimum");
    expect_near(timing.low, 0.25, "low");
    expect_near(timing.high, 0.25, "high");
    cr_expect_eq(timing.noise, 0);
}

/* With fewer than 6 samples the confidence interval of the median extends from the smallest to the
 * largest sample. The noise is half the width of the interval, divided by the median. */
Test(timing, few_samples_use_the_extremes)
{
    BenchTiming timing = bench_timing((double[]){3, 1, 2}, 3);
    expect_near(timing.median, 2, "median");
    expect_near(timing.low, 1, "low");
    expect_near(timing.high, 3, "high");
    expect_near(timing.noise, 0.5, "noise");
    timing = bench_timing((double[]){4, 1, 2, 5}, 4);
    expect_near(timing.median, 3, "median of 4");
    expect_near(timing.low, 1, "low of 4");
    expect_near(timing.high, 5, "high of 4");
    expect_near(timing.noise, 4.0 / 2 / 3, "noise of 4");
}

/* The 95 % interval of a median starts at the largest rank k for which P(X < k) is at most 1/40. X
 * is the number of heads in n tosses.
 * n = 6: P(X <= 0) is 1/64. n = 8: P(X <= 0) is 1/256, and P(X <= 1) = 9/256 is too large. n = 9:
 * P(X <= 1) is 10/512. n = 15: P(X <= 3) is 576/32768, and P(X <= 4) = 1941/32768 is too large.
 * The ranks for 100 samples are from a table of the binomial distribution; those for 2000 were
 * computed with integers. */
Test(timing, interval_by_order_statistics)
{
    static const struct {
        size_t count, rank;
    } cases[] = {{5, 1},  {6, 1},  {8, 1},   {9, 2},    {12, 3},
                 {15, 4}, {20, 6}, {50, 18}, {100, 40}, {2000, 956}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = cases[i].count, rank = cases[i].rank;
        BenchTiming timing = timing_of_ranks(count);
        cr_expect_eq(timing.low, (double)rank, "%zu: from %g", count, timing.low);
        cr_expect_eq(timing.high, (double)(count + 1 - rank), "%zu: to %g", count, timing.high);
        expect_near(timing.median, (double)(count + 1) / 2, "median");
        expect_near(timing.minimum, 1, "minimum");
    }
}

/* 15 samples: the quartiles have ranks 4 and 12, which are also the ends of the interval. 100
 * samples: the quartiles have ranks 26 and 75, and the interval from 40 to 61 is narrower. 8
 * samples: the quartiles have ranks 3 and 6, and the interval from 1 to 8 is wider. */
Test(timing, noise_is_the_larger_of_quartiles_and_interval)
{
    expect_near(timing_of_ranks(15).noise, 8.0 / 2 / 8, "15");
    expect_near(timing_of_ranks(100).noise, 49.0 / 2 / 50.5, "100");
    expect_near(timing_of_ranks(8).noise, 7.0 / 2 / 4.5, "8");
}

Test(timing, a_ratio_has_the_noise_of_both)
{
    double ratio, low, high;
    BenchTiming first = {.samples = 9, .median = 6, .low = 5, .high = 8};
    BenchTiming other = {.samples = 9, .median = 2, .low = 1, .high = 2.5};
    bench_ratio(&first, &other, &ratio, &low, &high);
    expect_near(ratio, 3, "ratio");
    expect_near(low, 2, "low");
    expect_near(high, 8, "high");
    bench_ratio(&first, &(BenchTiming){.samples = 0}, &ratio, &low, &high);
    cr_expect(ratio == 0 && low == 0 && high == 0);
    bench_ratio(&first, &(BenchTiming){.samples = 3}, &ratio, &low, &high);
    cr_expect(ratio == 0 && low == 0 && high == 0);
}

/* --- The generated picture -------------------------------------------------------------------- */

static void fill(ImgImage *image, ImgShape shape, uint64_t seed)
{
    cr_assert_eq(img_image_alloc(shape, image, NULL), IMG_OK);
    memset(image->view.data, 0xaa, image->size);
    bench_fill_photo(&image->view, seed);
}

static bool same_bytes(const ImgImage *a, const ImgImage *b)
{
    return a->size == b->size && memcmp(a->view.data, b->view.data, a->size) == 0;
}

Test(picture, equal_seeds_give_equal_pictures)
{
    ImgImage first, again, other;
    ImgShape shape = {331, 77, {IMG_COLOR_RGB, 8}};
    fill(&first, shape, 7);
    fill(&again, shape, 7);
    fill(&other, shape, 8);
    cr_expect(same_bytes(&first, &again));
    cr_expect_not(same_bytes(&first, &other));
    img_image_free(&first);
    img_image_free(&again);
    img_image_free(&other);
    fill(&first, shape, 0); /* The seed 0 must work like any other. */
    fill(&other, shape, 8);
    cr_expect_not(same_bytes(&first, &other));
    img_image_free(&first);
    img_image_free(&other);
}

/* Each sample is four times the number of its area (modulo 64), plus noise from 0 to 3. An area has
 * 16384 bytes. */
Test(picture, has_areas_with_noise)
{
    ImgImage image;
    unsigned seen = 0;
    fill(&image, (ImgShape){1001, 300, {IMG_COLOR_GRAY, 8}}, 1);
    for (size_t y = 0; y < 300; y++) {
        const uint8_t *row = image.view.data + y * image.view.stride;
        for (size_t x = 0; x < 1001; x++) {
            /* A test picture consists of areas of 16384 bytes. A word of 8 bytes belongs to the
             * area of its first byte. */
            size_t word = x / 8 * 8;
            cr_assert_eq(row[x] / 4, (y * 1001 + word) / 16384 % 64, "%zu, %zu", x, y);
            seen |= 1U << row[x] % 4;
        }
    }
    cr_expect_eq(seen, 15);
    img_image_free(&image);
}

Test(picture, pictures_of_16_bits_use_both_bytes)
{
    ImgImage image;
    uint16_t sample, all = 0;
    fill(&image, (ImgShape){9000, 3, {IMG_COLOR_GRAY, 16}}, 1);
    for (size_t x = 0; x < 9000; x++) {
        memcpy(&sample, image.view.data + 2 * image.view.stride + 2 * x, sizeof sample);
        cr_assert_eq(sample / 1024, (36000 + x * 2 / 8 * 8) / 16384);
        all |= sample;
    }
    cr_expect_eq(all & 1023, 1023);
    img_image_free(&image);
}

Test(picture, few_bits_are_kept_and_padding_is_cleared)
{
    for (int bits = 1; bits <= 4; bits *= 2) {
        uint8_t data[5][16];
        memset(data, 0xaa, sizeof data);
        ImgView view = img_view_make(data, 16, (ImgShape){11, 5, {IMG_COLOR_GRAY, bits}});
        bench_fill_photo(&view, 3);
        for (size_t y = 0; y < 5; y++)
            for (size_t x = 0; x < 16; x++)
                cr_expect(x < 11 ? data[y][x] < 1 << bits : data[y][x] == 0, "%zu, %zu", x, y);
    }
    /* A picture of 80 areas, one per row. Areas 64 to 79 have the same values as areas 0 to 15. */
    ImgImage image;
    unsigned seen = 0;
    fill(&image, (ImgShape){16384, 80, {IMG_COLOR_GRAY, 2}}, 3);
    for (size_t y = 0; y < 80; y++)
        seen |= 1U << image.view.data[y * image.view.stride];
    cr_expect_eq(seen, 15);
    img_image_free(&image);
}

/* --- Files and directories -------------------------------------------------------------------- */

static char home[] = "/tmp/imgtool-bench-test.XXXXXX";

/* Creates and enters a temporary directory with in/ for inputs and tmp/ for scratch directories. */
static void enter_directory(void)
{
    cr_assert_not_null(mkdtemp(home));
    cr_assert_eq(chdir(home), 0);
    cr_assert_eq(mkdir("in", 0700), 0);
    cr_assert_eq(mkdir("tmp", 0700), 0);
    cr_assert_eq(setenv("TMPDIR", "tmp", 1), 0);
}

static void leave_directory(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", home);
    cr_assert_eq(system(command), 0);
}

static size_t entries(const char *path)
{
    size_t count = 0;
    DIR *directory = opendir(path);
    cr_assert_not_null(directory, "%s", path);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static off_t size_of(const char *path)
{
    struct stat info;
    cr_assert_eq(stat(path, &info), 0, "%s", path);
    return info.st_size;
}

static const char *const three[] = {"in/rgb-8.png", "in/gray-16.png", "in/palette-4.png"};

static void copy_samples(void)
{
    for (size_t i = 0; i < 3; i++) {
        char command[512];
        snprintf(command, sizeof command, "cp %s/%s %s", SAMPLES, three[i] + 3, three[i]);
        cr_assert_eq(system(command), 0);
    }
}

TestSuite(scratch, .init = enter_directory, .fini = leave_directory);

Test(scratch, a_scratch_directory_is_private_and_is_removed_with_its_content)
{
    Scratch scratch;
    ImgError err = {IMG_OK, ""};
    const char *path;
    struct stat info;
    cr_assert_eq(scratch_open(&scratch, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(stat(scratch.directory, &info), 0);
    cr_expect_eq(info.st_mode & 07777, 0700);
    cr_expect_eq(entries("tmp"), 1);
    cr_assert_eq(scratch_path(&scratch, "a.png", &path, &err), IMG_OK);
    cr_assert_eq(close(creat(path, 0600)), 0);
    cr_assert_eq(scratch_path(&scratch, "never.png", &path, &err), IMG_OK);

    /* Removing the directory also removes files that other programs put there. It removes links,
     * but not their targets. */
    char link[256];
    cr_assert_eq(close(creat("in/kept", 0600)), 0);
    snprintf(link, sizeof link, "%s/directory", scratch.directory);
    cr_assert_eq(symlink("../../in", link), 0);
    snprintf(link, sizeof link, "%s/.file", scratch.directory);
    cr_assert_eq(symlink("../../in/kept", link), 0);
    scratch_close(&scratch);
    cr_expect_eq(entries("tmp"), 0);
    cr_expect_eq(entries("in"), 1);
    scratch_close(&scratch);
}

Test(scratch, a_scratch_directory_needs_a_parent)
{
    Scratch scratch;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(setenv("TMPDIR", "nowhere", 1), 0);
    cr_assert_eq(scratch_open(&scratch, &err), IMG_E_IO);
    cr_expect_not_null(strstr(err.message, "nowhere: "), "%s", err.message);
    cr_expect_not_null(strstr(err.message, "TMPDIR"), "%s", err.message);
    scratch_close(&scratch);
}

Test(scratch, a_scratch_directory_holds_a_picture)
{
    Scratch scratch;
    ImgError err = {IMG_OK, ""};
    const char *path;
    uint8_t start[26];
    ImgShape shape = {300, 200, {IMG_COLOR_RGB, 16}};
    cr_assert_eq(scratch_open(&scratch, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(bench_scratch_picture(&scratch, shape, &path, &err), IMG_OK, "%s", err.message);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    cr_assert_eq(fread(start, 1, sizeof start, file), sizeof start);
    fclose(file);
    /* IHDR: width 300, height 200, 16 bits, RGB. */
    cr_expect_eq(memcmp(start + 16, (uint8_t[]){0, 0, 1, 44, 0, 0, 0, 200, 16, 2}, 10), 0);
    scratch_close(&scratch);
    cr_expect_eq(entries("tmp"), 0);
}

/* --- Whole jobs ------------------------------------------------------------------------------- */

typedef struct Outcome {
    ImgStatus status;
    ImgError err;
    BenchReport report;
} Outcome;

static Outcome measure(EndToEnd what, ImgBackend backend)
{
    Settings settings;
    Outcome outcome = {.err = {IMG_OK, ""}, .report = BENCH_REPORT_NONE};
    settings_init(&settings);
    settings.engine.backend = (int32_t)backend;
    what.settings = &settings;
    what.seconds = 1e-6; /* so short that only the minimum of 3 rounds runs */
    if (what.subject == NULL)
        what.subject = "3 files";
    if (what.pipeline == NULL)
        what.pipeline = "rotate angle=90";
    outcome.status = bench_end_to_end(&what, &outcome.report, &outcome.err);
    cr_expect_eq(entries("tmp"), 0, "the scratch directory is still there");
    return outcome;
}

static void enter_with_samples(void)
{
    enter_directory();
    copy_samples();
}

TestSuite(whole_jobs, .init = enter_with_samples, .fini = leave_directory);

/* Returns the number of bytes that one run on `input` writes, computed independently of the
 * measurement. */
static uint64_t written(const char *input)
{
    Settings settings;
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    JobReport report;
    settings_init(&settings);
    settings.engine.verbosity = VERBOSITY_QUIET;
    Job job = {.input = input, .output = "out.png", .steps = steps, .options = &settings.engine};
    cr_assert_eq(pipeline_parse("rotate angle=90", steps, &job.count, &err), IMG_OK);
    cr_assert_eq(img_job_run(&job, &report, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(size_of("out.png"), (off_t)report.bytes_written);
    unlink("out.png");
    return report.bytes_written;
}

Test(whole_jobs, files_and_stages_are_reported)
{
    uint64_t in = 0, out = 0;
    for (size_t i = 0; i < 3; i++) {
        in += (uint64_t)size_of(three[i]);
        out += written(three[i]);
    }
    Outcome got = measure((EndToEnd){.files = three, .count = 3}, IMG_BACKEND_CPU);
    cr_assert_eq(got.status, IMG_OK, "%s", got.err.message);
    cr_assert_eq(got.report.job_count, 1);
    const BenchJob *job = &got.report.jobs[0];
    cr_expect_eq(job->verdict, BENCH_VERIFIED, "%s", job->message);
    cr_expect_str_eq(job->title, "rotate angle=90");
    cr_expect_str_eq(job->subject, "3 files");
    cr_expect_eq(strncmp(job->device, "CPU, ", 5), 0, "%s", job->device);
    cr_expect_eq(job->images, 3);
    cr_expect_eq(job->bytes_in, in);
    cr_expect_eq(job->bytes_out, out);
    static const BenchStage happened[] = {STAGE_READ,   STAGE_DECODE, STAGE_KERNEL,
                                          STAGE_ENCODE, STAGE_WRITE,  STAGE_JOB};
    double parts = 0;
    for (size_t i = 0; i < sizeof happened / sizeof *happened; i++) {
        const BenchTiming *timing = &job->stages[happened[i]];
        const char *name = bench_stage_name(happened[i]);
        cr_expect_eq(timing->samples, 3, "%s has %zu samples", name, timing->samples);
        cr_expect(timing->minimum > 0 && timing->low <= timing->median, "%s", name);
        parts += happened[i] != STAGE_JOB ? timing->minimum : 0;
    }
    cr_expect(parts <= job->stages[STAGE_JOB].high);
    static const BenchStage left_out[] = {STAGE_CONTEXT, STAGE_UPLOAD, STAGE_DOWNLOAD,
                                          STAGE_COMMAND};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        cr_expect_eq(job->stages[left_out[i]].samples, 0, "%s", bench_stage_name(left_out[i]));
    cr_expect_eq(entries("in"), 3, "something was written beside the inputs");
    cr_expect_eq(entries("."), 2);
    bench_report_free(&got.report);
}

/* The picture has 4 x 3 pixels of 6 bytes each. */
Test(whole_jobs, the_bytes_of_pixels_are_counted)
{
    Scratch scratch;
    const char *path;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(setenv("TMPDIR", ".", 1), 0);
    cr_assert_eq(scratch_open(&scratch, &err), IMG_OK);
    cr_assert_eq(
        bench_scratch_picture(&scratch, (ImgShape){4, 3, {IMG_COLOR_RGB, 16}}, &path, &err),
        IMG_OK);
    cr_assert_eq(setenv("TMPDIR", "tmp", 1), 0);
    Outcome got = measure((EndToEnd){.files = &path, .count = 1}, IMG_BACKEND_CPU);
    cr_assert_eq(got.report.job_count, 1);
    cr_expect_eq(got.report.jobs[0].pixel_bytes, 72);
    cr_expect_eq(got.report.jobs[0].images, 1);
    bench_report_free(&got.report);
    scratch_close(&scratch);
}

Test(whole_jobs, a_file_that_fails_does_not_end_the_measurement)
{
    static const char *const files[] = {"in/gone.png", "in/rgb-8.png", "in/bad.png", "-"};
    FILE *bad = fopen("in/bad.png", "w");
    cr_assert_not_null(bad);
    fputs("no picture", bad);
    fclose(bad);
    Outcome got = measure((EndToEnd){.files = files, .count = 4}, IMG_BACKEND_CPU);
    cr_assert_eq(got.status, IMG_OK, "%s", got.err.message);
    cr_assert_eq(got.report.job_count, 1);
    const BenchJob *job = &got.report.jobs[0];
    cr_expect_eq(job->verdict, BENCH_FAILED);
    cr_expect_eq(strncmp(job->message, "in/gone.png: ", 13), 0, "%s", job->message);
    cr_expect_not_null(strstr(job->message, "; and 2 others"), "%s", job->message);
    cr_expect_eq(job->images, 1);
    cr_expect_eq(job->bytes_in, (uint64_t)size_of("in/rgb-8.png"));
    cr_expect_eq(job->stages[STAGE_JOB].samples, 3);
    cr_expect(bench_report_failed(&got.report));
    bench_report_free(&got.report);
}

/* A step that does not fit one file, for example because the picture is too small, is an error of
 * that file and not of the pipeline. */
Test(whole_jobs, a_step_that_does_not_fit_a_file_is_an_error_of_the_file)
{
    Outcome got = measure(
        (EndToEnd){.files = three, .count = 3, .pipeline = "crop x=100000 width=1 height=1"},
        IMG_BACKEND_CPU);
    cr_assert_eq(got.status, IMG_OK, "%s", got.err.message);
    cr_assert_eq(got.report.job_count, 1);
    const BenchJob *job = &got.report.jobs[0];
    cr_expect_eq(job->verdict, BENCH_FAILED);
    cr_expect_eq(strncmp(job->message, "in/rgb-8.png: ", 14), 0, "%s", job->message);
    cr_expect_eq(job->images, 0);
    cr_expect_eq(job->stages[STAGE_JOB].samples, 0);
    bench_report_free(&got.report);
}

Test(whole_jobs, an_invalid_pipeline_is_reported)
{
    Outcome got =
        measure((EndToEnd){.files = three, .count = 3, .pipeline = "rotat"}, IMG_BACKEND_CPU);
    cr_expect_eq(got.status, IMG_E_USAGE);
    cr_expect_eq(got.report.job_count, 0);
}

Test(whole_jobs, long_messages_keep_their_end)
{
    char path[600];
    memset(path, 'a', sizeof path);
    for (size_t i = 100; i < sizeof path; i += 100)
        path[i] = '/';
    memcpy(path + 590, "last.png", 9);
    Outcome got =
        measure((EndToEnd){.files = (const char *const[]){path}, .count = 1}, IMG_BACKEND_CPU);
    cr_assert_eq(got.report.job_count, 1);
    const BenchJob *job = &got.report.jobs[0];
    cr_expect_eq(strncmp(job->message, "...", 3), 0, "%s", job->message);
    cr_expect_not_null(strstr(job->message, "last.png: "), "%s", job->message);
    cr_expect_eq(strlen(job->message), BENCH_MESSAGE - 1);
    bench_report_free(&got.report);
}

/* If there is a device, both backends run and must write the same bytes. Otherwise only the CPU
 * runs. */
Test(whole_jobs, available_backends_are_measured)
{
    int devices = 0;
    bool has_cuda = img_cuda_devices(NULL, 0, &devices, NULL) == IMG_OK && devices > 0;
    Outcome got = measure((EndToEnd){.files = three, .count = 3}, IMG_BACKEND_AUTO);
    cr_assert_eq(got.status, IMG_OK, "%s", got.err.message);
    cr_assert_eq(got.report.job_count, has_cuda ? 2 : 1);
    for (size_t i = 0; i < got.report.job_count; i++)
        cr_expect_eq(got.report.jobs[i].verdict, BENCH_VERIFIED, "%s", got.report.jobs[i].message);
    if (has_cuda) {
        cr_expect_eq(got.report.jobs[1].stages[STAGE_CONTEXT].samples, 1);
        cr_expect_eq(got.report.jobs[1].stages[STAGE_UPLOAD].samples, 3);
    }
    bench_report_free(&got.report);
    if (!has_cuda) {
        double seconds;
        got = measure((EndToEnd){.files = three, .count = 3}, IMG_BACKEND_CUDA);
        cr_expect_eq(got.status, IMG_E_UNAVAILABLE, "%s", got.err.message);
        cr_expect_eq(got.report.job_count, 0);
        cr_expect_eq(bench_create_context(&(Settings){.engine = {.threads = 1}}, &seconds, NULL),
                     IMG_E_UNAVAILABLE);
    }
}

/* The two sides of the comparison run different steps. This simulates a backend that gives wrong
 * results. */
Test(whole_jobs, differing_results_are_found_and_not_timed)
{
    static const char *const names[] = {"first.png", "other.png"};
    static const char *const square[] = {"in/rgb-8.png"};
    Settings settings;
    Steps steps[2];
    ImgError err = {IMG_OK, ""};
    const char *good[1];
    settings_init(&settings);
    EndToEnd what = {.settings = &settings, .files = square, .count = 1};
    WholeJobs jobs = {.what = &what, .good = good, .side_count = 2};
    cr_assert_eq(scratch_open(&jobs.scratch, &err), IMG_OK);
    cr_assert_eq(pipeline_parse("rotate angle=90", steps[0].at, &steps[0].count, &err), IMG_OK);
    cr_assert_eq(pipeline_parse("rotate angle=270", steps[1].at, &steps[1].count, &err), IMG_OK);
    for (size_t s = 0; s < 2; s++) {
        cr_assert_eq(side_open(&jobs.sides[s], &settings, IMG_BACKEND_CPU, &steps[s], &err),
                     IMG_OK);
        cr_assert_eq(scratch_path(&jobs.scratch, names[s], &jobs.sides[s].output, &err), IMG_OK);
    }
    cr_assert_eq(whole_jobs_check(&jobs, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(jobs.difference.status, IMG_E_MISMATCH);
    cr_expect_eq(jobs.good_count, 0);
    cr_expect_eq(jobs.sides[0].job.verdict, BENCH_VERIFIED);
    cr_expect_eq(jobs.sides[1].job.verdict, BENCH_FAILED);
    cr_expect_not_null(strstr(jobs.sides[1].job.message, "in/rgb-8.png"));
    for (size_t s = 0; s < 2; s++)
        side_close(&jobs.sides[s]);
    scratch_close(&jobs.scratch);
}

static int questions;

static bool stop_at_once(void)
{
    return true;
}

/* Returns true from its eleventh call on. The measurement calls it before each of the three files:
 * three times in the check, and three times in each timed round. The eleventh call is before the
 * second file of the third round. */
static bool stop_in_third_round(void)
{
    return ++questions > 3 + 3 + 3 + 1;
}

Test(whole_jobs, an_interrupted_measurement_stops)
{
    Outcome got =
        measure((EndToEnd){.files = three, .count = 3, .stopped = stop_at_once}, IMG_BACKEND_CPU);
    cr_expect_eq(got.status, IMG_OK, "%s", got.err.message);
    cr_expect(got.report.interrupted);
    cr_expect_eq(got.report.job_count, 0);
    bench_report_free(&got.report);

    got = measure((EndToEnd){.files = three, .count = 3, .stopped = stop_in_third_round},
                  IMG_BACKEND_CPU);
    cr_expect_eq(got.status, IMG_OK, "%s", got.err.message);
    cr_expect(got.report.interrupted);
    cr_assert_eq(got.report.job_count, 1);
    cr_expect_eq(got.report.jobs[0].stages[STAGE_JOB].samples, 2);
    bench_report_free(&got.report);
}

static void note_progress(void *context, const char *what, double share)
{
    double *last = context;
    size_t phase = strcmp(what, "check") == 0 ? 0 : strcmp(what, "cpu") == 0 ? 1 : 2;
    cr_expect(share >= last[phase] && share <= 1, "%s: %g after %g", what, share, last[phase]);
    last[phase] = share;
}

Test(whole_jobs, progress_is_reported)
{
    double last[3] = {0};
    Outcome got = measure((EndToEnd){.files = three,
                                     .count = 3,
                                     .progress = note_progress,
                                     .progress_context = last,
                                     .program = PROGRAM},
                          IMG_BACKEND_CPU);
    cr_expect(last[0] > 0.6 && last[1] > 0.8 && last[2] >= 0, "%g %g %g", last[0], last[1],
              last[2]);
    bench_report_free(&got.report);
}

Test(whole_jobs, processes_are_measured)
{
    Outcome got =
        measure((EndToEnd){.files = three, .count = 3, .program = PROGRAM}, IMG_BACKEND_CPU);
    cr_assert_eq(got.report.job_count, 1);
    const BenchJob *job = &got.report.jobs[0];
    cr_expect_eq(job->verdict, BENCH_VERIFIED, "%s", job->message);
    cr_expect(job->stages[STAGE_COMMAND].samples >= 1 && job->stages[STAGE_COMMAND].samples <= 3);
    cr_expect(job->stages[STAGE_COMMAND].minimum > job->stages[STAGE_KERNEL].minimum);
    bench_report_free(&got.report);

    got = measure((EndToEnd){.files = three, .count = 3, .program = "/bin/false"}, IMG_BACKEND_CPU);
    cr_assert_eq(got.report.job_count, 1);
    job = &got.report.jobs[0];
    cr_expect_eq(job->verdict, BENCH_FAILED);
    cr_expect_not_null(strstr(job->message, "exit code 1"), "%s", job->message);
    cr_expect_eq(job->stages[STAGE_COMMAND].samples, 0);
    cr_expect_eq(job->stages[STAGE_JOB].samples, 3);
    bench_report_free(&got.report);
}

/* bench_spawn must pass the settings to the command, which writes its result to the given path. */
Test(whole_jobs, a_command_gets_the_settings)
{
    Settings settings;
    ImgError err = {IMG_OK, ""};
    double seconds = 0;
    off_t sizes[2];
    settings_init(&settings);
    settings.engine.backend = IMG_BACKEND_CPU;
    for (int i = 0; i < 2; i++) {
        settings.engine.level = i == 0 ? 0 : 9;
        settings.engine.strip = 1;
        settings.engine.threads = 1;
        settings.engine.max_memory = UINT64_C(1) << 30;
        cr_assert_eq(bench_spawn(PROGRAM, &settings, "rotate angle=90", three[0], "tmp/out.png",
                                 &seconds, &err),
                     IMG_OK, "%s", err.message);
        cr_expect(seconds > 0);
        sizes[i] = size_of("tmp/out.png");
    }
    cr_expect_gt(sizes[0], sizes[1]);
    settings.engine.max_pixels = 1;
    cr_expect_eq(
        bench_spawn(PROGRAM, &settings, "rotate angle=90", three[0], "tmp/out.png", &seconds, &err),
        IMG_E_IO);
}

Test(whole_jobs, a_missing_command_is_named)
{
    Settings settings;
    ImgError missing = {IMG_OK, ""};
    double seconds = 0;
    settings_init(&settings);
    cr_expect_eq(
        bench_spawn("in/nothing", &settings, "flip", three[0], "tmp/out.png", &seconds, &missing),
        IMG_E_IO);
    cr_expect_not_null(strstr(missing.message, "in/nothing"), "%s", missing.message);
}

/* --- Signals ---------------------------------------------------------------------------------- */

static void end_in_a_round(void *context, const char *what, double share)
{
    (void)context;
    if (strcmp(what, "cpu") == 0 && share > 0.5)
        raise(SIGTERM);
}

/* Runs the measurement in a child process, because a signal ends it. Returns the wait status of the
 * child. */
static int measure_apart(const EndToEnd *what)
{
    int status = 0;
    pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        signal(SIGTERM, SIG_DFL);
        interrupt_install();
        (void)measure(*what, IMG_BACKEND_CPU);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

static void expect_ended_cleanly(int status)
{
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "status %x", (unsigned)status);
    cr_expect_eq(entries("tmp"), 0);
    cr_expect_eq(entries("in"), 3);
}

Test(whole_jobs, a_signal_leaves_no_files_behind)
{
    expect_ended_cleanly(
        measure_apart(&(EndToEnd){.files = three, .count = 3, .progress = end_in_a_round}));
}

/* A signal that ends the program also ends its command. The program waits for the command, which
 * here takes half a second to remove its file. */
Test(whole_jobs, a_signal_ends_the_command)
{
    static const char script[] = "#!/bin/sh\n"
                                 "for out; do :; done\n"
                                 "trap 'sleep 0.5; rm \"$out.part\"; exit 1' TERM\n"
                                 ": > \"$out.part\"\n"
                                 "sleep 0.3\n"
                                 "kill -TERM $PPID\n"
                                 "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; done\n";
    FILE *file = fopen("program", "w");
    cr_assert_not_null(file);
    fputs(script, file);
    fclose(file);
    cr_assert_eq(chmod("program", 0700), 0);
    expect_ended_cleanly(
        measure_apart(&(EndToEnd){.files = three, .count = 3, .program = "./program"}));
}
