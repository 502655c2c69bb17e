/* Runs `imgtool info FILE...`. Continues after a file that fails; the exit code then reports the
 * failure. */
#include "app/info/info.h"
#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/commands/shared.h"
#include "app/engine/share/resources.h"
#include "app/files/gather.h"
#include "app/term/messages.h"
#include "app/text/streams.h"

typedef struct Output {
    /* With --json: the document and its array of files, or NULL if memory was short. */
    cJSON *root, *files;
    bool json, json_failed;
    bool text, any; /* `text`: files are printed as text. `any`: at least one file was printed. */
} Output;

/* Prints one file, or adds it to the JSON document. `err` is the reason if reading the file
 * failed. */
static void show(Output *output, const Info *info, const ImgError *err)
{
    if (output->json) {
        info_add_json(output->files, info, err, &output->json_failed);
    } else if (output->text && err->status == IMG_OK) {
        if (output->any)
            putchar('\n');
        info_print(stdout, info);
        output->any = true;
    }
}

static int show_all(const Settings *settings, Output *output, const Inputs *inputs)
{
    const uint64_t memory = img_resources_limits(&settings->engine).max_memory;
    int code = inputs->failures > 0 ? inputs->failure_code : CLI_OK;
    for (size_t i = 0; i < inputs->count; i++) {
        ImgError err = {IMG_OK, ""};
        Info info;
        if (info_read(inputs->paths[i], memory, &info, &err) != IMG_OK)
            code = report_failure(&err);
        else if (info.damage[0] != '\0')
            img_engine_note(&settings->engine, "%s: %s", img_streams_input_name(info.path),
                            info.damage);
        show(output, &info, &err);
        info_free(&info);
    }
    return code != CLI_OK && inputs->count + inputs->failures > 1 ? CLI_SOME_FAILED : code;
}

static int run(const Args *args, const Inputs *inputs, void *context)
{
    (void)context;
    const Settings *settings = &args->settings;
    ImgError err = {IMG_OK, ""};
    Output output = {.json = settings->json != 0,
                     .text = settings->engine.verbosity >= VERBOSITY_NORMAL};
    Sandbox sandbox = {.may_use_gpu = false};
    const Inputs readable = inputs_in_sandbox(inputs, settings, &sandbox);
    if (output.json) {
        output.root = json_document("info", "document", &output.json_failed);
        output.files = json_array(output.root, "files", &output.json_failed);
        failed_inputs_add_json(output.root, &inputs->failed, &output.json_failed);
    }
    int code = show_all(settings, &output, &readable);
    if (output.json && json_print(stdout, output.root, output.json_failed, &err) != IMG_OK)
        code = report_failure(&err);
    sandbox_free(&sandbox);
    return code;
}

int cmd_info(const Args *args)
{
    return inputs_run(args, args->operand_count, run, NULL);
}
