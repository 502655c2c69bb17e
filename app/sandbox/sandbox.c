#include "app/sandbox/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/engine/share/machine.h"
#include "app/engine/share/resources.h"
#include "app/sandbox/rules.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/list.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"

/* The state is global, because the filter applies to the whole process. */
static struct {
    bool on;
    const char *reason; /* reason why the sandbox is off; NULL if it is on */
    SandboxNames names;
    const char *scratch_file; /* path of a temporary file in img_resources_scratch; NULL: random */
} state = {.reason = "this command has none"};

static void add(Sandbox *sandbox, SandboxName name)
{
    SandboxName *names = list_grow(sandbox->names, sandbox->count, sizeof *names);
    sandbox->incomplete |= names == NULL;
    if (names == NULL)
        return;
    sandbox->names = names;
    names[sandbox->count++] = name;
}

void sandbox_name(void *sandbox, ImgNameUse use, const char **name)
{
    add(sandbox, (SandboxName){use, name, *name});
}

void sandbox_step_files(Sandbox *sandbox, const ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const ImgParam *param = steps[i].op->params; param->name != NULL; param++) {
            const char *path = img_step_file_path(&steps[i], param);
            if (path != NULL)
                add(sandbox, (SandboxName){IMG_NAME_READ, NULL, path});
        }
}

char *const *sandbox_paths(Sandbox *sandbox, char *const *paths, size_t count)
{
    sandbox->paths = malloc((count + 1) * sizeof *sandbox->paths);
    sandbox->incomplete |= sandbox->paths == NULL;
    if (sandbox->paths == NULL)
        return paths;
    for (size_t i = 0; i < count; i++) {
        sandbox->paths[i] = paths[i];
        sandbox_name(sandbox, IMG_NAME_READ, (const char **)&sandbox->paths[i]);
    }
    return sandbox->paths;
}

void sandbox_free(Sandbox *sandbox)
{
    free(sandbox->names);
    free(sandbox->paths);
    *sandbox = (Sandbox){.count = 0};
}

/* Returns true if the command may use a GPU. The filter would deny the system calls of a GPU
 * driver, which opens and controls devices and starts threads with other flags. */
static bool may_use_gpu(const Sandbox *sandbox, const Settings *settings)
{
    if (!sandbox->may_use_gpu || settings->engine.backend == IMG_BACKEND_CPU)
        return false;
    return settings->engine.backend == IMG_BACKEND_CUDA ||
           (img_cuda_in_build() && img_machine_may_have_gpu());
}

/* Returns a reason to run without a sandbox; NULL if there is none. */
static const char *reason_against(const Sandbox *sandbox, const Settings *settings)
{
    const char *preloaded = getenv("LD_PRELOAD");
    if (settings->no_sandbox != 0)
        return "--no-sandbox";
    if (IMGTOOL_SANITIZED)
        return "a build with sanitizers, which need more";
    if (may_use_gpu(sandbox, settings))
        return "a GPU may be used, whose driver opens devices; not with --backend cpu";
    if (preloaded != NULL && *preloaded != '\0')
        return "a library is preloaded (LD_PRELOAD), which may need more";
    return NULL;
}

/* Returns the setuid, setgid and sticky bits that occur in the permissions of any input file, or of
 * any file that the command replaces. The filter must allow these bits, because outputs and backups
 * may get the same permissions. */
static mode_t special_bits(const Sandbox *sandbox)
{
    mode_t bits = 0;
    for (size_t i = 0; i < sandbox->count; i++) {
        struct stat info;
        const ImgNameUse use = sandbox->names[i].use;
        if ((use == IMG_NAME_READ || use == IMG_NAME_TARGET) &&
            stat(sandbox->names[i].text, &info) == 0)
            bits |= info.st_mode & 07000;
    }
    return bits;
}

static const char *find(ImgNameUse use, const char *name)
{
    const SandboxNames *names = &state.names;
    for (uint32_t at = names->first[use]; at < names->end[use]; at += names->slot) {
        const char *copy = (const char *)(((uintptr_t)names->window << 32) + at);
        if (strcmp(copy, name) == 0)
            return copy;
    }
    return name;
}

/* Returns the copy of `name`, a temporary output that was opened before the sandbox was entered.
 * Returns `name` itself for other files. */
static const char *find_temporary(const char *name)
{
    return find(IMG_NAME_TEMPORARY, name);
}

/* Enters the sandbox. Returns NULL on success, otherwise the reason why the sandbox is not used. */
static const char *enter(const Sandbox *sandbox, const Settings *settings)
{
    const bool keeps = settings->engine.preserve != 0 || settings->engine.backup != NULL;
    FilterTerms terms = {.preserves = settings->engine.preserve != 0,
                         .special_bits = keeps ? special_bits(sandbox) : 0};
    const char *reason;
    if (sandbox_processor == 0)
        return "not for this kind of processor";
    img_machine_remember(sandbox->for_many);
    if (sandbox->incomplete || !names_seal(sandbox->names, sandbox->count, &terms.names))
        return "no memory for names that stay as they are";
    state.names = terms.names;
    interrupt_move_names(find_temporary);
    (void)filter_install(&terms, &reason);
    return reason;
}

void sandbox_enter(Sandbox *sandbox, const Settings *settings)
{
    if (state.on)
        return;
    state.reason = reason_against(sandbox, settings);
    if (state.reason != NULL)
        return;
    char *file = img_resources_scratch_file(img_resources_scratch());
    add(sandbox, (SandboxName){IMG_NAME_SCRATCH, NULL, img_resources_scratch()});
    if (file != NULL)
        add(sandbox, (SandboxName){IMG_NAME_SCRATCH_FILE, &state.scratch_file, file});
    state.reason = enter(sandbox, settings);
    state.on = state.reason == NULL;
    free(file);
    if (state.on)
        interrupt_names_stay();
    else
        img_engine_detail(&settings->engine, "no sandbox: %s", state.reason);
}

void sandbox_leave_out(const char *reason)
{
    state.reason = reason;
}

const char *sandbox_find(const char *name)
{
    return find(IMG_NAME_READ, name);
}

ImgStorePlace sandbox_scratch(void)
{
    return (ImgStorePlace){.directory = find(IMG_NAME_SCRATCH, img_resources_scratch()),
                           .file = state.scratch_file};
}

const char *sandbox_state(const char **details)
{
    *details = state.on ? "no other files, no programs, no network" : state.reason;
    return state.on ? "on" : "off";
}
