/* Tests of --report: names of any bytes, unknown values, and full disks. Each report is parsed
 * again. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/batch/report/report_file.h"
#include "app/text/paths.h"

static ImgError err;
static char path[64];

static void enter(void)
{
    snprintf(path, sizeof path, "/tmp/imgtool-report-%d.json", (int)getpid());
}

static void leave(void)
{
    unlink(path);
}

TestSuite(batch_report, .init = enter, .fini = leave);

static BatchFile a_file = {.input = "in/a.png", .output = "out/a.png"};

static BatchResult a_result(void)
{
    BatchResult result = {.file = &a_file, .outcome = BATCH_DONE, .message = ""};
    JobReport *report = &result.report;
    report->before = (ImgShape){40, 30, {IMG_COLOR_RGB, 8}};
    report->after = (ImgShape){30, 40, {IMG_COLOR_RGB, 8}};
    report->load.bytes = 5000000000; /* a number that does not fit 32 bits */
    report->bytes_written = 1234;
    report->peak_bytes = 7200;
    report->load.read = 0.001;
    report->load.decode = 0.25;
    report->run.init = 0.5;
    report->run.upload = 0.0625;
    report->run.kernel = 0.125;
    report->run.download = 0.03125;
    report->encode = 1.0000004;
    report->write = 0.5;
    report->total = 2.5;
    report->run.backend = IMG_BACKEND_CUDA;
    snprintf(report->run.device, sizeof report->run.device, "a GPU");
    return result;
}

/* Returns the content of the report file as text. The caller frees it. */
static char *content(void)
{
    FILE *in = fopen(path, "rb");
    cr_assert(in != NULL);
    char *text = calloc(1, 1 << 20);
    size_t size = fread(text, 1, (1 << 20) - 1, in);
    fclose(in);
    cr_assert(size > 0 && text[size - 1] == '\n', "whole lines");
    return text;
}

static cJSON *report_of(const BatchResult *result)
{
    ReportFile *file;
    cr_assert_eq(report_file_open(path, &file, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(report_file_add(file, result, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(report_file_close(&file, &err), IMG_OK, "%s", err.message);
    cr_assert_null(file);
    char *text = content();
    cr_expect_eq(strchr(text, '\n'), text + strlen(text) - 1, "one line");
    cJSON *object = cJSON_Parse(text);
    cr_assert_not_null(object, "%s", text);
    free(text);
    return object;
}

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsString(item), "%s", name);
    return item->valuestring;
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsNumber(item), "%s", name);
    return item->valuedouble;
}

static bool is_null(const cJSON *object, const char *name)
{
    return cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, name));
}

Test(batch_report, a_finished_file_is_reported)
{
    BatchResult result = a_result();
    cJSON *object = report_of(&result);
    cr_expect_str_eq(string_of(object, "file"), "in/a.png");
    cr_expect_str_eq(string_of(object, "output"), "out/a.png");
    cr_expect_str_eq(string_of(object, "status"), "done");
    cr_expect(is_null(object, "message") && is_null(object, "error"));
    cr_expect(is_null(object, "file_hex") && is_null(object, "output_hex"));
    cr_expect_str_eq(string_of(object, "command"), "batch");
    cr_expect_str_eq(string_of(object, "type"), "file");
    cr_expect_str_eq(string_of(object, "color"), "RGB");
    cr_expect_eq(number_of(object, "bits"), 8);
    cr_expect_eq(number_of(object, "width"), 40);
    cr_expect_eq(number_of(object, "height"), 30);
    cr_expect_eq(number_of(object, "output_width"), 30);
    cr_expect_eq(number_of(object, "output_height"), 40);
    cr_expect_eq(number_of(object, "bytes_read"), 5e9);
    cr_expect_eq(number_of(object, "bytes_written"), 1234);
    cr_expect_eq(number_of(object, "peak_bytes"), 7200);
    cr_expect_str_eq(string_of(object, "backend"), "cuda");
    cr_expect_str_eq(string_of(object, "device"), "a GPU");
    const cJSON *seconds = cJSON_GetObjectItemCaseSensitive(object, "seconds");
    cr_expect_eq(number_of(seconds, "read"), 0.001);
    cr_expect_eq(number_of(seconds, "decode"), 0.25);
    cr_expect_eq(number_of(seconds, "run"), 0.71875);
    cr_expect_eq(number_of(seconds, "encode"), 1, "rounded to microseconds");
    cr_expect_eq(number_of(seconds, "write"), 0.5);
    cr_expect_eq(number_of(seconds, "total"), 2.5);
    cJSON_Delete(object);
}

Test(batch_report, a_failed_file_is_reported)
{
    BatchResult result = a_result();
    result.outcome = BATCH_FAILED;
    result.status = IMG_E_FORMAT;
    result.message = "in/a.png: a \"bad\"\nline \xFF";
    result.report.run = (ImgRunReport){.count = 0};
    cJSON *object = report_of(&result);
    cr_expect_str_eq(string_of(object, "status"), "failed");
    cr_expect_str_eq(string_of(object, "error"), "format");
    cr_expect_str_eq(string_of(object, "message"), "in/a.png: a \"bad\"\nline \xEF\xBF\xBD");
    cr_expect_eq(number_of(object, "width"), 40, "it was read that far");
    cr_expect(is_null(object, "output_width") && is_null(object, "output_height"));
    cr_expect_eq(number_of(object, "bytes_written"), 0);
    cr_expect(is_null(object, "backend") && is_null(object, "device"));
    cJSON_Delete(object);
}

Test(batch_report, every_kind_of_failure_has_a_name)
{
    for (int status = IMG_E_USAGE; status <= IMG_E_MISMATCH; status++) {
        BatchResult result = a_result();
        result.outcome = BATCH_FAILED;
        result.status = (ImgStatus)status;
        cJSON *object = report_of(&result);
        cr_expect(strlen(string_of(object, "error")) > 1, "%d", status);
        cJSON_Delete(object);
    }
}

Test(batch_report, a_skipped_file_is_reported)
{
    BatchResult result = {.file = &a_file, .outcome = BATCH_SKIPPED, .message = "as it was"};
    cJSON *object = report_of(&result);
    cr_expect_str_eq(string_of(object, "status"), "skipped");
    cr_expect_str_eq(string_of(object, "message"), "as it was");
    cr_expect(is_null(object, "error") && is_null(object, "width") && is_null(object, "height"));
    cr_expect(is_null(object, "backend") && is_null(object, "device"));
    cJSON_Delete(object);
}

Test(batch_report, the_summary_is_the_last_line)
{
    BatchTotals totals = {.files = 7, .done = 3, .failed = 2, .skipped = 1, .on_gpu = 2};
    totals.bytes_read = (UINT64_C(1) << 53) + 1;
    totals.seconds[BATCH_DECODE] = 0.25;
    totals.seconds[BATCH_EXPAND] = 0.125;
    BatchEnd end = {.totals = &totals, .inputs_failed = 4, .interrupted = true, .seconds = 1.5};
    ReportFile *file;
    cr_assert_eq(report_file_open(path, &file, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(report_file_end(file, &end, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(report_file_close(&file, &err), IMG_OK, "%s", err.message);
    char *text = content();
    cr_expect_not_null(strstr(text, "\"bytes_read\":9007199254740993,"), "every digit: %s", text);
    cJSON *object = cJSON_Parse(text);
    cr_expect_str_eq(string_of(object, "type"), "summary");
    cr_expect_eq(number_of(object, "file_count"), 7);
    cr_expect_eq(number_of(object, "done"), 3);
    cr_expect_eq(number_of(object, "failed"), 2);
    cr_expect_eq(number_of(object, "skipped"), 1);
    cr_expect_eq(number_of(object, "inputs_failed"), 4);
    cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "interrupted")));
    const cJSON *seconds = cJSON_GetObjectItemCaseSensitive(object, "seconds");
    cr_expect_eq(number_of(seconds, "decode"), 0.25);
    cr_expect_eq(number_of(seconds, "expand"), 0.125);
    cr_expect_eq(number_of(seconds, "total"), 1.5);
    cJSON_Delete(object);
    free(text);
}

Test(batch_report, names_with_any_bytes_are_reported)
{
    BatchFile odd = {.input = "a\n\"\\ \xFF.png", .output = "\xC3\xA9/\x80"};
    BatchResult result = {.file = &odd, .outcome = BATCH_SKIPPED, .message = ""};
    cJSON *object = report_of(&result);
    cr_expect_str_eq(string_of(object, "file"), "a\n\"\\ \xEF\xBF\xBD.png");
    cr_expect_str_eq(string_of(object, "file_hex"), "610a225c20ff2e706e67");
    cr_expect_str_eq(string_of(object, "output"), "\xC3\xA9/\xEF\xBF\xBD");
    cr_expect_str_eq(string_of(object, "output_hex"), "c3a92f80");
    cJSON_Delete(object);
}

Test(batch_report, measured_files_have_no_output)
{
    BatchFile measured = {.input = "a.png"};
    BatchResult result = {.file = &measured, .outcome = BATCH_SKIPPED, .message = ""};
    cJSON *object = report_of(&result);
    cr_expect(is_null(object, "output") && is_null(object, "output_hex"));
    cJSON_Delete(object);
}

Test(batch_report, an_older_report_is_replaced)
{
    BatchResult result = a_result();
    for (int i = 0; i < 2; i++)
        cJSON_Delete(report_of(&result)); /* fails unless the report has exactly one line */
}

/* The line of a file must reach the disk even if the program is killed immediately afterwards. */
Test(batch_report, lines_are_written_at_once)
{
    ReportFile *file;
    BatchResult result = a_result();
    cr_assert_eq(report_file_open(path, &file, &err), IMG_OK, "%s", err.message);
    struct stat before, after;
    cr_assert_eq(report_file_add(file, &result, &err), IMG_OK);
    cr_assert_eq(stat(path, &before), 0);
    cr_assert_gt(before.st_size, 100);
    cr_assert_eq(report_file_add(file, &result, &err), IMG_OK);
    cr_assert_eq(stat(path, &after), 0);
    cr_expect_eq(after.st_size, 2 * before.st_size);
    cr_expect_eq(report_file_close(&file, &err), IMG_OK);
}

enum { THREADS = 4, LINES = 200 };

static void *add_many(void *file)
{
    BatchResult result = a_result();
    for (int i = 0; i < LINES; i++)
        report_file_add(file, &result, NULL);
    return NULL;
}

Test(batch_report, lines_of_several_threads_stay_whole)
{
    ReportFile *file;
    pthread_t threads[THREADS];
    cr_assert_eq(report_file_open(path, &file, &err), IMG_OK, "%s", err.message);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, add_many, file), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(report_file_close(&file, &err), IMG_OK);
    char *text = content();
    int lines = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1, lines++) {
        *end = '\0';
        cJSON *object = cJSON_Parse(line);
        cr_expect(cJSON_IsObject(object), "%s", line);
        cJSON_Delete(object);
    }
    cr_expect_eq(lines, THREADS * LINES);
    free(text);
}

Test(batch_report, a_report_that_cannot_be_opened_is_an_error)
{
    ReportFile *file;
    cr_expect_eq(report_file_open("/nonexistent/r.json", &file, &err), IMG_E_IO);
    cr_expect_null(file);
    cr_expect(strstr(err.message, "/nonexistent/r.json") != NULL, "%s", err.message);
    cr_expect_eq(report_file_close(&file, &err), IMG_OK);
}

Test(batch_report, a_full_disk_is_reported)
{
    ReportFile *file;
    BatchResult result = a_result();
    cr_assert_eq(report_file_open("/dev/full", &file, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(report_file_add(file, &result, &err), IMG_E_TEMPORARY);
    cr_expect(strstr(err.message, "/dev/full: the report cannot be written: No space") != NULL,
              "%s", err.message);
    ImgError again = {IMG_OK, ""}, last = {IMG_OK, ""};
    cr_expect_eq(report_file_add(file, &result, &again), IMG_E_TEMPORARY);
    cr_expect_str_eq(again.message, err.message);
    cr_expect_eq(report_file_close(&file, &last), IMG_E_TEMPORARY);
    cr_expect_str_eq(last.message, err.message);
}

/* The disk becomes full in the middle of a line. A limit on the file size has the same effect, so
 * the test uses one. */
Test(batch_report, a_partial_line_is_removed)
{
    ReportFile *file;
    BatchResult result = a_result();
    cr_assert_eq(report_file_open(path, &file, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(report_file_add(file, &result, &err), IMG_OK);
    struct stat one;
    cr_assert_eq(stat(path, &one), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {(rlim_t)one.st_size + 10, (rlim_t)one.st_size + 10};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(report_file_add(file, &result, &err), IMG_E_IO);
    cr_expect_eq(report_file_close(&file, NULL), IMG_E_IO);
    struct stat two;
    cr_assert_eq(stat(path, &two), 0);
    cr_expect_eq(two.st_size, one.st_size);
}

Test(batch_report, a_report_goes_to_standard_output_or_a_descriptor)
{
    BatchResult result = a_result();
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    cr_assert(fd >= 0);
    int saved = dup(STDOUT_FILENO);
    fflush(stdout);
    cr_assert(dup2(fd, STDOUT_FILENO) >= 0);
    char by_number[32];
    snprintf(by_number, sizeof by_number, "/dev/fd/%d", fd);
    const char *const names[] = {"-", by_number, "/dev/stdout"};
    /* Each name opens the same file. Each report must be appended, and none may be overwritten. */
    for (size_t i = 0; i < 3; i++) {
        ReportFile *file;
        cr_assert_eq(report_file_open(names[i], &file, &err), IMG_OK, "%s", err.message);
        cr_expect_eq(report_file_add(file, &result, &err), IMG_OK, "%s", err.message);
        cr_expect_eq(report_file_close(&file, &err), IMG_OK);
    }
    dup2(saved, STDOUT_FILENO);
    close(saved);
    char *text = content();
    int lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    cr_expect_eq(lines, 3);
    free(text);
    close(fd);
}

/* --- Names that a report may have ------------------------------------------------------------- */

static void touch(const char *name)
{
    FILE *file = fopen(name, "w");
    cr_assert(file != NULL);
    fclose(file);
}

static void expect_check(const char *name, const BatchPlan *plan, const char *refused_for)
{
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = report_file_check(name, plan, "~", &failure);
    cr_expect_eq(status, refused_for != NULL ? IMG_E_USAGE : IMG_OK, "%s: %s", name,
                 failure.message);
    cr_expect(refused_for == NULL || strstr(failure.message, refused_for) != NULL, "%s: %s", name,
              failure.message);
}

Test(batch_report, a_report_never_replaces_a_picture)
{
    char directory[] = "/tmp/imgtool-report-XXXXXX";
    cr_assert(mkdtemp(directory) != NULL && chdir(directory) == 0);
    cr_assert(mkdir("in", 0700) == 0 && mkdir("out", 0700) == 0);
    touch("in/a.png");
    touch("out/old.png");
    touch("out/report.json");
    cr_assert(link("in/a.png", "hard") == 0 && symlink("in/a.png", "soft") == 0);
    BatchFile files[] = {{.input = "in/a.png", .output = "out/a.png"},
                         {.input = "in/b.png", .output = "out/old.png"},
                         {.input = "in/c.png", .output = NULL}};
    BatchPlan plan = {.files = files, .count = 3};
    expect_check("in/a.png", &plan, "'in/a.png', which is an input");
    expect_check("./out/../in//a.png", &plan, "an input");
    expect_check("hard", &plan, "an input");
    expect_check("soft", &plan, "an input");
    expect_check("out/old.png", &plan, "'out/old.png', which is an output");
    expect_check("in/../out/a.png", &plan, "'out/a.png', which is an output");
    expect_check("out/report.json", &plan, NULL);
    expect_check("out/new.json", &plan, NULL);
    expect_check("out/../out/a.png~", &plan, "'out/../out/a.png~', which is a backup");
    expect_check("in/a.png~", &plan, NULL);
    expect_check("a.png", &plan, NULL); /* the same name as an output, in another directory */
    expect_check("-", &plan, NULL);
    expect_check("/dev/null", &plan, NULL);
    expect_check("/dev/stdout", &plan, NULL);
    expect_check("nowhere/a.png", &plan, NULL);
    cr_expect(path_will_be_same("new/x/a.png", "./new//x/./a.png"));
    cr_expect(path_will_be_same("out/x/a.png", "in/../out/x/a.png"));
    cr_expect(path_will_be_same("a.png", "./a.png") && path_will_be_same("/a.png", "//a.png"));
    cr_expect_not(path_will_be_same("new/x/a.png", "new/y/a.png"));
    cr_expect_not(path_will_be_same("new/a.png", "out/a.png"));
    cr_expect_not(path_will_be_same("in/x/a.png", "out/x/a.png"));
    cr_expect_not(path_will_be_same("a.png", "") || path_will_be_same("new/a.png", "a.png"));
    const char *const files_made[] = {"in/a.png", "out/old.png", "out/report.json", "hard", "soft"};
    for (size_t i = 0; i < sizeof files_made / sizeof *files_made; i++)
        unlink(files_made[i]);
    cr_expect(rmdir("in") == 0 && rmdir("out") == 0 && rmdir(directory) == 0);
}
