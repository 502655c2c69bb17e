/* Tests of JSON output. If an allocation fails, a command reports an error and prints neither a
 * partial document nor plain text. Numbers are printed exactly. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/batch/report/report_file.h"
#include "app/cli/args.h"
#include "app/commands/shared.h"
#include "app/files/inputs.h"
#include "app/text/json.h"
#include "app/text/json_lines.h"
#include "app/text/text.h"

/* --- Numbers ---------------------------------------------------------------------------------- */

static void expect_number(double number, const char *digits)
{
    bool failed = false;
    cJSON *array = cJSON_CreateArray();
    json_number(array, NULL, number, &failed);
    char *text = cJSON_PrintUnformatted(array), wanted[64];
    snprintf(wanted, sizeof wanted, "[%s]", digits);
    cr_expect_not(failed);
    cr_expect_str_eq(text, wanted);
    cJSON_free(text);
    cJSON_Delete(array);
}

Test(app_json, numbers_have_only_the_digits_they_need)
{
    expect_number(0, "0");
    expect_number(-0.0, "0");
    expect_number(-7, "-7");
    expect_number(0.1, "0.1");
    expect_number(1.0 / 3, "0.3333333333333333");
    /* 2^53 - 1, which cJSON itself would round */
    expect_number(9007199254740991, "9007199254740991");
    expect_number(1e15 + 1, "1000000000000001");
    expect_number(0.1 + 0.2, "0.30000000000000004");
    expect_number(1e300, "1e+300");
    expect_number(INFINITY, "null");
    expect_number(NAN, "null");
}

Test(app_json, counts_keep_all_their_digits)
{
    bool failed = false;
    cJSON *array = cJSON_CreateArray();
    json_count(array, NULL, UINT64_MAX, &failed);
    char *text = cJSON_PrintUnformatted(array);
    cr_expect_str_eq(text, "[18446744073709551615]");
    cJSON_free(text);
    cJSON_Delete(array);
}

/* A count in JSON from another program is accepted only if a double represents it exactly. */
Test(app_json, counts_are_read_only_if_exact)
{
    static const struct {
        const char *text;
        bool is_count;
        uint64_t count;
    } cases[] = {{"0", true, 0},
                 {"9007199254740992", true, UINT64_C(1) << 53},
                 {"1e3", true, 1000},
                 {"9007199254740994", false, 0},
                 {"18446744073709551616", false, 0},
                 {"1e999", false, 0},
                 {"-1", false, 0},
                 {"0.5", false, 0},
                 {"\"7\"", false, 0},
                 {"null", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t count = 7;
        cJSON *item = cJSON_Parse(cases[i].text);
        cr_expect_eq(json_count_of(item, &count), cases[i].is_count, "%s", cases[i].text);
        cr_expect_eq(count, cases[i].count, "%s", cases[i].text);
        cJSON_Delete(item);
    }
    cJSON *line = cJSON_Parse("{\"inf\":1e999,\"less\":-2,\"half\":0.5}");
    cr_expect_eq(json_line_number(line, "inf"), 0);
    cr_expect_eq(json_line_number(line, "less"), 0);
    cr_expect_eq(json_line_number(line, "half"), 0.5);
    cr_expect_eq(json_line_count(line, "half"), 0);
    cJSON_Delete(line);
}

/* --- JSON that other programs wrote ----------------------------------------------------------- */

/* cJSON accepts control characters in strings and between values, so text from other programs must
 * be cleaned. */
Test(app_json, foreign_text_is_made_safe_for_a_terminal)
{
    static const struct {
        const char *json, *escaped;
    } cases[] = {
        {"{\"a\":\"x\x1b[2Jy\"}", "{\"a\":\"x\\u001b[2Jy\"}"},
        {"{\x1b\"a\"\r:\t1\n}", "{ \"a\" :\t1\n}"},
        {"\"tab\there\"", "\"tab\\u0009here\""},
        {"[\"\\\"\x01\\\\\",\x02\"\"]", "[\"\\\"\\u0001\\\\\", \"\"]"},
        {"\"\xe2\x80\xa8\x7f\xc2\x9b\"", "\"\\u2028\\u007f\\u009b\""},
        {"\"\x9b\xff\xc3\"", "\"\\ufffd\\ufffd\\ufffd\""},
        {"\"\xc3\xa4\"", "\"\xc3\xa4\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *escaped = text_escape_json(cases[i].json);
        char *again = text_escape_json(escaped);
        cr_expect_str_eq(escaped, cases[i].escaped);
        cr_expect_str_eq(again, escaped);
        free(again);
        free(escaped);
    }
}

/* --- Failing allocations ---------------------------------------------------------------------- */

static long left; /* number of cJSON allocations that still succeed */

static void *fail_in_time(size_t size)
{
    return left-- > 0 ? malloc(size) : NULL;
}

/* Returns all text that a command has printed to the file `path`. The text is static. */
static char *take_stdout(const char *path)
{
    static char text[1 << 20];
    fflush(stdout);
    FILE *in = fopen(path, "rb");
    cr_assert_not_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* Runs a command without its sandbox. The sandbox would last until the process ends, so the test
 * framework could not report results. */
static int run_without_sandbox(const Args *args)
{
    Args unconfined = *args;
    unconfined.settings.no_sandbox = 1;
    return cli_run(&unconfined);
}

static int run_command(int argc, char **argv, const char *path)
{
    fflush(stdout);
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int before = dup(STDOUT_FILENO);
    cr_assert(out >= 0 && before >= 0 && dup2(out, STDOUT_FILENO) >= 0);
    int code = cli_main(argc, argv, run_without_sandbox);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(out);
    return code;
}

static bool is_json(const char *text)
{
    const char *end;
    cJSON_InitHooks(NULL);
    while (*text != '\0') {
        cJSON *root = cJSON_ParseWithOpts(text, &end, 0);
        if (!cJSON_IsObject(root))
            return false;
        cJSON_Delete(root);
        text = end + strspn(end, " \n");
    }
    return true;
}

/* Runs a command repeatedly until it succeeds. In the first round every cJSON allocation fails;
 * later rounds allow more and more of them. Each failed round must print JSON or nothing. */
static void expect_error_without_memory(int argc, char **argv)
{
    char path[64];
    cJSON_Hooks hooks = {fail_in_time, free};
    snprintf(path, sizeof path, "/tmp/imgtool-json-%d", (int)getpid());
    for (long count = 0;; count += 1 + count / 8) {
        left = count;
        cJSON_InitHooks(&hooks);
        int code = run_command(argc, argv, path);
        bool failed = left < 0;
        const char *text = take_stdout(path);
        cr_expect_eq(code, failed ? 3 : 0, "%s %s: code %d after %ld allocations", argv[1], argv[2],
                     code, count);
        cr_expect(is_json(text), "%s %s: printed after %ld allocations: %.300s", argv[1], argv[2],
                  count, text);
        if (!failed)
            break;
    }
    unlink(path);
}

#define EXPECT_ERROR(...)                                                                          \
    do {                                                                                           \
        char *argv[] = {"imgtool", __VA_ARGS__, NULL};                                             \
        expect_error_without_memory((int)(sizeof argv / sizeof *argv) - 1, argv);                  \
    } while (false)

/* NOLINTBEGIN(bugprone-suspicious-missing-comma): SAMPLES "/name" is one path */
Test(app_json, stats_reports_failed_allocations)
{
    EXPECT_ERROR("stats", "--json", SAMPLES "/rgba-8.png");
}

Test(app_json, stats_lines_report_failed_allocations)
{
    EXPECT_ERROR("batch", "stats", "--json", SAMPLES "/gray-8.png");
}

Test(app_json, histogram_reports_failed_allocations)
{
    EXPECT_ERROR("histogram", "--json", "--bins", "4", SAMPLES "/gray-8.png");
}

Test(app_json, info_reports_failed_allocations)
{
    EXPECT_ERROR("info", "--json", SAMPLES "/metadata.png");
}

Test(app_json, compare_reports_failed_allocations)
{
    EXPECT_ERROR("compare", "--json", SAMPLES "/gray-8.png", SAMPLES "/gray-8.png");
}

Test(app_json, a_failed_input_that_cannot_be_recorded_is_an_error)
{
    FailedInputs inputs = FAILED_INPUTS_NONE;
    const ImgError failure = {IMG_E_USAGE, "there is no file 'a'"};
    ImgError err = {IMG_OK, ""};
    failed_inputs_add(&inputs, "a", &failure);
    cr_expect_eq(failed_inputs_check(&inputs, &err), IMG_OK);
    inputs.incomplete = true;
    cr_expect_eq(failed_inputs_check(&inputs, &err), IMG_E_MEMORY);
    bool failed = false;
    cJSON *root = cJSON_CreateObject();
    failed_inputs_add_json(root, &inputs, &failed);
    cr_expect(failed);
    cJSON_Delete(root);
    failed_inputs_free(&inputs);
}

Test(app_json, ops_reports_failed_allocations)
{
    EXPECT_ERROR("ops", "--json");
    EXPECT_ERROR("devices", "--json");
}

Test(app_json, report_lines_report_failed_allocations)
{
    cJSON_Hooks hooks = {fail_in_time, free};
    BatchFile file = {.input = "a\xFF.png", .output = "b.png"};
    BatchResult result = {.file = &file, .outcome = BATCH_FAILED, .message = "no"};
    BatchTotals totals = {.files = 1};
    BatchEnd end = {.totals = &totals};
    for (long count = 0; count < 200; count++) {
        cJSON_InitHooks(&hooks);
        for (int summary = 0; summary < 2; summary++) {
            left = count;
            char *line = summary ? report_json_summary(&end) : report_json_file(&result);
            cr_expect_eq(line == NULL, left < 0, "after %ld allocations", count);
            free(line);
        }
    }
    cJSON_InitHooks(NULL);
}
/* NOLINTEND(bugprone-suspicious-missing-comma) */
