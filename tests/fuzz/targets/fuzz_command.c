/* Runs whole commands on tiny pictures in a private directory.
 * A command line must mean the same after it is written and parsed again. An operation must equal
 * `run` with the operation as a step. A finished batch must do nothing with --resume. Exit codes,
 * messages, JSON and files must be as documented.
 * Input: the arguments, one per line; after a form feed, the content of the file `s`. */
#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/commands/shared.h"
#include "kernels/pipeline/pipeline.h"
#include "kernels/pipeline/thumbnail.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text/text.h"

enum { WORDS_MOST = 48, MOST_PIXELS = 1 << 14, MOST_BYTES = 64 << 20, MOST_THREADS = 2 };

/* --- Words of the command line ---------------------------------------------------------------- */

/* Returns true if no path in the input can lead out of the directory. Users may give other paths,
 * so a change outside is a fault only for safe inputs (pictures_beside_unchanged). */
static bool is_safe(const uint8_t *data, size_t size)
{
    return memchr(data, '/', size) == NULL && memmem(data, size, "..", 2) == NULL;
}

/* Splits the zero-terminated text at newlines into `words`. Returns the number of words. */
static int cut_words(char *text, char *words[WORDS_MOST + 2])
{
    int count = 0;
    words[count++] = "imgtool";
    while (count <= WORDS_MOST) {
        char *end = text + strcspn(text, "\n");
        const bool last = *end == '\0';
        if (!last || end > text)
            words[count++] = text;
        *end = '\0';
        if (last)
            break;
        text = end + 1;
    }
    words[count] = NULL;
    return count;
}

/* --- Which commands run ----------------------------------------------------------------------- */

/* Returns false for commands that listen, start programs or wait for other processes. Such commands
 * are parsed but not run. */
static bool may_run(const Args *args)
{
    const Settings *settings = &args->settings;
    const Command *command = args->command;
    if (settings->help || settings->version)
        return true;
    return command != NULL && command->run != cmd_serve && command->run != cmd_bench &&
           settings->via == 0 && settings->socket == NULL && settings->plot == NULL &&
           settings->steal == NULL && settings->grace == NULL;
}

/* Limits size, memory and threads, because a slow command is no fault. Switches the sandbox off,
 * because a process cannot leave the sandbox again and must run further inputs. */
static void limit(Settings *settings)
{
    settings->no_sandbox = 1;
    if (settings->engine.max_pixels > MOST_PIXELS)
        settings->engine.max_pixels = MOST_PIXELS;
    if (settings->engine.max_memory == 0 || settings->engine.max_memory > MOST_BYTES)
        settings->engine.max_memory = MOST_BYTES;
    if (settings->engine.threads == 0 || settings->engine.threads > MOST_THREADS)
        settings->engine.threads = MOST_THREADS;
    if (settings->engine.jobs == 0 || settings->engine.jobs > MOST_THREADS)
        settings->engine.jobs = MOST_THREADS;
    if (settings->max_tiles > MOST_PIXELS)
        settings->max_tiles = MOST_PIXELS;
}

/* --- Checks after a run ----------------------------------------------------------------------- */

static void check_json(const char *text)
{
    while (text[strspn(text, " \n")] != '\0') {
        const char *end = NULL;
        cJSON *document = cJSON_ParseWithOpts(text, &end, 0);
        scratch_check(cJSON_IsObject(document), "--json prints something else than JSON objects");
        cJSON_Delete(document);
        text = end;
    }
}

static bool is_code(int code)
{
    const ExitCode *known = exit_codes;
    while (known->meaning != NULL && known->code != code)
        known++;
    return known->meaning != NULL && code != CLI_INTERRUPTED;
}

/* Returns true if a line of `err` is a message. It may be any line, because `stats --explain`
 * describes a file before the next file fails. */
static bool has_message(const char *err)
{
    return strncmp(err, "imgtool: ", 9) == 0 || strstr(err, "\nimgtool: ") != NULL ||
           strstr(err, "usage: ") != NULL;
}

static void check_output(const Args *args, int code, const Capture *output)
{
    const Settings *settings = &args->settings;
    const bool has_error = has_message(output->err);
    scratch_check(is_code(code), "the exit code is not documented");
    check_printable(output->err, output->err_size);
    scratch_check(output->err_size == 0 || output->err[output->err_size - 1] == '\n',
                  "a message without a newline at its end");
    scratch_check(code == CLI_OK || code == CLI_MISMATCH || has_error,
                  "it fails without a message");
    if (settings->help || settings->version)
        scratch_check(code == CLI_OK && output->out_size > 0, "help or version is not printed");
    if (args->command != NULL && args->command->run != cmd_completion && !settings->csv)
        check_printable(output->out, output->out_size);
    if (settings->json && !settings->help && !settings->version)
        check_json(output->out);
}

/* Returns true if the command has a single result, so that it must write all of it or nothing. */
static bool has_one_result(const Args *args)
{
    return args->command != NULL &&
           (args->command->run == cmd_image || args->command->run == cmd_montage ||
            args->command->run == cmd_info);
}

static void check_files(const Args *args, int code)
{
    const Settings *settings = &args->settings;
    const bool failed = code != CLI_OK && code != CLI_SOME_FAILED && code != CLI_MISMATCH;
    scratch_check(pictures_beside_unchanged(), "a file outside the directory has changed");
    scratch_check(!pictures_have_temporary(), "a temporary file was not removed");
    if (failed && has_one_result(args))
        scratch_check(pictures_unchanged(), "files have changed although it failed");
    if (code == CLI_OK && args->command != NULL && args->command->run == cmd_image &&
        !settings->help && !settings->version)
        scratch_check(pictures_readable(args->operands[args->operand_count - 1]),
                      "the result cannot be read");
}

static int run(const Args *args)
{
    Capture output;
    capture_begin(&output);
    const int code = cli_run(args);
    capture_end(&output);
    check_output(args, code, &output);
    check_files(args, code);
    capture_free(&output);
    return code;
}

/* --- The same operation as a pipeline --------------------------------------------------------- */

/* Returns true if the command applies one operation to a file and writes another file. */
static bool is_operation(const Args *args)
{
    return args->command == &operation_command && args->op != NULL && !args->settings.help &&
           !args->settings.version && args->operand_count == 2 &&
           strcmp(args->operands[0], "-") != 0 && strcmp(args->operands[0], args->operands[1]) != 0;
}

/* Runs the operation again as a step of `run`, which must write the same bytes. */
static void check_as_steps(const Args *args)
{
    static char text[1 << 14];
    const char *result = args->operands[1];
    char other[NAME_MAX + 1];
    ImgStep steps[IMG_THUMBNAIL_STEPS];
    Capture output;
    if (snprintf(other, sizeof other, "2%s", result) >= NAME_MAX || !pictures_is_file(result))
        return;
    img_pipeline_print(steps, args_steps(args, steps), text, sizeof text);
    const char *operands[] = {text, args->operands[0], other, NULL};
    Args as_steps = *args;
    as_steps.command = command_find("run");
    as_steps.op = NULL;
    as_steps.is_thumbnail = false;
    as_steps.operands = operands;
    as_steps.operand_count = 3;
    capture_begin(&output);
    const int code = cli_run(&as_steps);
    capture_end(&output);
    scratch_check(code == CLI_OK, "the same as a pipeline fails");
    scratch_check(pictures_equal(result, other), "the same as a pipeline gives different bytes");
    capture_free(&output);
}

/* --- Resumed batches -------------------------------------------------------------------------- */

/* Returns true if the command is a batch that records every file and has no other output. */
static bool is_recorded_batch(const Args *args)
{
    const Settings *settings = &args->settings;
    return args->command != NULL && args->command->run == cmd_batch && args->operand_count > 0 &&
           strcmp(args->operands[0], "stats") != 0 &&
           strcmp(args->operands[0], "merge-report") != 0 && !settings->help &&
           !settings->version && !settings->dry_run && !settings->no_record && !settings->newer &&
           settings->report_file == NULL;
}

/* Runs the batch again with --resume, which must not change any file. */
static void check_resumed(const Args *args)
{
    Args again = *args;
    Capture output;
    again.settings.resume = 1;
    const uint64_t before = pictures_state();
    capture_begin(&output);
    const int code = cli_run(&again);
    capture_end(&output);
    scratch_check(code == CLI_OK, "a finished batch cannot be resumed");
    scratch_check(pictures_state() == before, "a finished batch is not finished");
    capture_free(&output);
}

static void run_all(const Args *args)
{
    if (!may_run(args) || run(args) != CLI_OK)
        return;
    if (is_operation(args))
        check_as_steps(args);
    if (is_recorded_batch(args))
        check_resumed(args);
}

static void fuzz(char *text)
{
    char *words[WORDS_MOST + 2];
    Args args;
    ImgError err = {IMG_OK, ""};
    const int count = cut_words(text, words);
    if (args_parse(count, words, &args, &err) != IMG_OK) {
        scratch_check(err.status == IMG_E_USAGE && err.message[0] != '\0',
                      "rejected without a message");
    } else {
        if (args.command != NULL && !args.settings.help && !args.settings.version)
            check_reparsed(&args);
        limit(&args.settings);
        pictures_close_streams();
        run_all(&args);
        pictures_open_streams();
    }
    args_free(&args);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Part parts[2] = {{"", 0}, {"", 0}};
    if (!is_safe(data, size))
        return 0;
    (void)parts_cut(data, size, parts, 2);
    char *text = strndup(parts[0].text, parts[0].size);
    scratch_check(text != NULL, "no memory");
    scratch_enter();
    (void)setenv("SOURCE_DATE_EPOCH", "0", 1); /* makes tIME the same in every run */
    pictures_put(parts[1].text, parts[1].size);
    fuzz(text);
    pictures_clean();
    scratch_leave();
    free(text);
    return 0;
}
