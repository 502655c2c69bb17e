#include "app/serve/serve.h"

#include <string.h>
#include <sys/stat.h>

#include "app/serve/serve_priv.h"

/* Returns the file name that operand `i` contains; NULL if it contains none, such as a pipeline
 * given as text. */
static const char *operand_file(const Args *args, size_t i)
{
    const char *operand = args->operands[i];
    if (args->command->operands[i].kind == OPERAND_PIPELINE)
        return operand[0] == '@' ? operand + 1 : NULL;
    return operand;
}

static ImgStatus fail_stream(const char *file, ImgError *err)
{
    return img_fail(err, IMG_E_USAGE,
                    "%s: a server cannot use the streams of this command; name a file, or leave "
                    "out --via serve",
                    file);
}

ImgStatus rules_check_command(const Args *args, ImgError *err)
{
    const Settings *settings = &args->settings;
    if (args->command == NULL || (args->command->bit & FOR_IMAGE) == 0 || settings->help ||
        settings->version || settings->via != VIA_SERVE)
        return img_fail(err, IMG_E_USAGE, "a server runs commands on single pictures only");
    if (settings->engine.impl != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "--impl and --via serve exclude each other; leave one out");
    for (size_t i = 0; i < args->operand_count; i++) {
        const char *file = operand_file(args, i);
        if (file != NULL && (strcmp(file, "-") == 0 || leads_to_procfs(file)))
            return fail_stream(file, err);
    }
    return IMG_OK;
}

ImgStatus rules_check_file(const char *file, ImgError *err)
{
    struct stat info;
    if (leads_to_procfs(file))
        return fail_stream(file, err);
    if (stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_USAGE,
                        "%s: a server uses no pipes and no devices; name a file, or leave out "
                        "--via serve",
                        file);
    return IMG_OK;
}

ImgStatus rules_check_files(const Args *args, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < args->operand_count && status == IMG_OK; i++) {
        const char *file = operand_file(args, i);
        status = file != NULL ? rules_check_file(file, err) : IMG_OK;
    }
    return status;
}

static ImgStatus check_device(const Server *server, const Settings *settings, ImgError *err)
{
    bool has = settings->engine.device == server->settings.engine.device && server->has_gpu;
    if (settings->engine.backend == IMG_BACKEND_CPU || !option_given(settings, "device") || has)
        return IMG_OK;
    if (!server->has_gpu)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "--device %d: the server uses no GPU; leave out --device, or --via serve",
                        settings->engine.device);
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "--device %d: the server uses GPU %d; leave out --device, or start a server "
                    "for that GPU with --device %d and its own --socket",
                    settings->engine.device, server->settings.engine.device,
                    settings->engine.device);
}

static uint64_t bounded(uint64_t asked, uint64_t most)
{
    return asked == 0 || asked > most ? most : asked;
}

ImgStatus serve_bound(const Server *server, Settings *settings, ImgError *err)
{
    ImgStatus status = check_device(server, settings, err);
    if (status != IMG_OK)
        return status;
    if (settings->engine.backend == IMG_BACKEND_CUDA && !server->has_gpu)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "--backend cuda: the server uses no GPU; leave out --backend, or --via "
                        "serve");
    if (settings->engine.backend == IMG_BACKEND_AUTO)
        settings->engine.backend = server->settings.engine.backend;
    settings->engine.only_files = true;
    settings->engine.max_memory = bounded(settings->engine.max_memory, server->memory);
    settings->engine.max_pixels =
        bounded(settings->engine.max_pixels, server->settings.engine.max_pixels);
    return IMG_OK;
}
