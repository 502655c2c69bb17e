/* Whole commands on tiny pictures, in a private directory (text/README.md): parsed, parsed again
 * from what was understood, run, and held to what commands promise; operations also as steps of
 * `run`, batches once more with --resume. Input: the arguments, one a line; after a form feed, the
 * content of the file `s`, which may be steps, a list or whatever else a file is given for. */
#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/commands/program.h"
#include "kernels/pipeline/pipeline.h"
#include "kernels/pipeline/thumbnail.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text/again.h"
#include "tests/fuzz/text/parts.h"
#include "tests/fuzz/text/pictures.h"
#include "tests/fuzz/text/said.h"
#include "tests/fuzz/text/scratch.h"

enum { WORDS_MOST = 48, MOST_PIXELS = 1 << 14, MOST_BYTES = 64 << 20, MOST_THREADS = 2 };

/* --- Words ------------------------------------------------------------------------------------ */

/* False for what may lead out of the directory, as a user may ask for that; whatever else does is a
 * find (pictures_beside_unchanged). */
static bool is_safe(const uint8_t *data, size_t size)
{
    return memchr(data, '/', size) == NULL && memmem(data, size, "..", 2) == NULL;
}

/* Cuts the text, which ends with a zero, into words; a zero within it ends it. */
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

/* --- What is run ------------------------------------------------------------------------------ */

/* Not what listens, starts programs or waits for other processes: those are only parsed. */
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

/* What takes long is no find; and a sandbox is for the rest of a process. */
static void limit(Settings *settings)
{
    settings->no_sandbox = 1;
    if (settings->max_pixels > MOST_PIXELS)
        settings->max_pixels = MOST_PIXELS;
    if (settings->max_memory == 0 || settings->max_memory > MOST_BYTES)
        settings->max_memory = MOST_BYTES;
    if (settings->threads == 0 || settings->threads > MOST_THREADS)
        settings->threads = MOST_THREADS;
    if (settings->jobs == 0 || settings->jobs > MOST_THREADS)
        settings->jobs = MOST_THREADS;
    if (settings->max_tiles > MOST_PIXELS)
        settings->max_tiles = MOST_PIXELS;
}

/* --- What must hold --------------------------------------------------------------------------- */

static void check_json(const char *text)
{
    while (text[strspn(text, " \n")] != '\0') {
        const char *end = NULL;
        cJSON *document = cJSON_ParseWithOpts(text, &end, 0);
        scratch_check(cJSON_IsObject(document), "what is no JSON");
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

/* Not only at its start: `stats --explain` tells of a file before the next one fails. */
static bool has_message(const char *err)
{
    return strncmp(err, "imgtool: ", 9) == 0 || strstr(err, "\nimgtool: ") != NULL ||
           strstr(err, "usage: ") != NULL;
}

static void check_said(const Args *args, int code, const Said *said)
{
    const Settings *settings = &args->settings;
    const bool says = has_message(said->err);
    scratch_check(is_code(code), "an exit code that is not documented");
    said_check_clean(said->err, said->err_size);
    scratch_check(said->err_size == 0 || said->err[said->err_size - 1] == '\n',
                  "a message without an end");
    scratch_check(code == CLI_OK || code == CLI_MISMATCH || says, "fails without a message");
    if (settings->help || settings->version)
        scratch_check(code == CLI_OK && said->out_size > 0, "no help");
    if (args->command != NULL && args->command->run != cmd_completion && !settings->csv)
        said_check_clean(said->out, said->out_size);
    if (settings->json && !settings->help && !settings->version)
        check_json(said->out);
}

/* Commands whose one result is there as a whole or not at all. */
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
    scratch_check(pictures_beside_unchanged(), "changed what is beside its directory");
    scratch_check(!pictures_have_temporary(), "a temporary file is left");
    if (failed && has_one_result(args))
        scratch_check(pictures_unchanged(), "a failure left something, or took it");
    if (code == CLI_OK && args->command != NULL && args->command->run == cmd_image &&
        !settings->help && !settings->version)
        scratch_check(pictures_readable(args->operands[args->operand_count - 1]),
                      "what was written cannot be read");
}

static int run(const Args *args)
{
    Said said;
    said_begin(&said);
    const int code = cli_run(args);
    said_end(&said);
    check_said(args, code, &said);
    check_files(args, code);
    said_free(&said);
    return code;
}

/* --- As steps --------------------------------------------------------------------------------- */

/* Is it one operation, from one file of ours to another? */
static bool is_operation(const Args *args)
{
    return args->command == &operation_command && args->op != NULL && !args->settings.help &&
           !args->settings.version && args->operand_count == 2 &&
           strcmp(args->operands[0], "-") != 0 && strcmp(args->operands[0], args->operands[1]) != 0;
}

/* The same as `run` of its steps as text: the same bytes. */
static void check_as_steps(const Args *args)
{
    static char text[1 << 14];
    const char *output = args->operands[1];
    char other[NAME_MAX + 1];
    ImgStep steps[IMG_THUMBNAIL_STEPS];
    Said said;
    if (snprintf(other, sizeof other, "2%s", output) >= NAME_MAX || !pictures_is_file(output))
        return;
    img_pipeline_print(steps, args_steps(args, steps), text, sizeof text);
    const char *operands[] = {text, args->operands[0], other, NULL};
    Args as_steps = *args;
    as_steps.command = command_find("run");
    as_steps.op = NULL;
    as_steps.is_thumbnail = false;
    as_steps.operands = operands;
    as_steps.operand_count = 3;
    said_begin(&said);
    const int code = cli_run(&as_steps);
    said_end(&said);
    scratch_check(code == CLI_OK, "the same as steps fails");
    scratch_check(pictures_equal(output, other), "the same as steps gives other bytes");
    said_free(&said);
}

/* --- Once more -------------------------------------------------------------------------------- */

/* Is it a batch of which all is recorded, and nothing else is written? */
static bool is_recorded_batch(const Args *args)
{
    const Settings *settings = &args->settings;
    return args->command != NULL && args->command->run == cmd_batch && args->operand_count > 0 &&
           strcmp(args->operands[0], "stats") != 0 &&
           strcmp(args->operands[0], "merge-report") != 0 && !settings->help &&
           !settings->version && !settings->dry_run && !settings->no_record && !settings->newer &&
           settings->report_file == NULL;
}

/* What is done is not done again. */
static void check_resumed(const Args *args)
{
    Args again = *args;
    Said said;
    again.settings.resume = 1;
    const uint64_t before = pictures_state();
    said_begin(&said);
    const int code = cli_run(&again);
    said_end(&said);
    scratch_check(code == CLI_OK, "what was done cannot be resumed");
    scratch_check(pictures_state() == before, "what was done is done again");
    said_free(&said);
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
                      "refused without a message");
    } else {
        if (args.command != NULL && !args.settings.help && !args.settings.version)
            again_check(&args);
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
    (void)setenv("SOURCE_DATE_EPOCH", "0", 1); /* tIME is the same in two runs */
    pictures_put(parts[1].text, parts[1].size);
    fuzz(text);
    pictures_clean();
    scratch_leave();
    free(text);
    return 0;
}
