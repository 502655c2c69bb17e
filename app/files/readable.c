#include "app/files/readable.h"

Inputs inputs_in_sandbox(const Inputs *inputs, const Settings *settings, Sandbox *sandbox)
{
    Inputs readable = *inputs;
    char *const *paths = sandbox_paths(sandbox, inputs->paths, inputs->count);
    readable.paths = (char **)paths;
    sandbox_enter(sandbox, settings);
    return readable;
}
