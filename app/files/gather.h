/* Collects the inputs of commands on many files: operands, which may be patterns, and names from a
 * list. */
#ifndef IMGTOOL_APP_FILES_GATHER_H
#define IMGTOOL_APP_FILES_GATHER_H

#include "app/cli/options.h"
#include "app/files/inputs.h"
#include "app/sandbox/sandbox.h"

/* Start with GATHERED_NONE, end with inputs_free(&gathered.inputs). */
typedef struct Gathered {
    bool streams; /* set by the caller: accept "-", pipes and devices as operands; for commands that
                     name no output after the input */
    Inputs inputs;
    size_t first_listed; /* index of the first input from --from-file */
} Gathered;

#define GATHERED_NONE ((Gathered){0})

/* Adds files, directories and patterns from the operands, then files and directories from
 * --from-file. An operand is a pattern, as in glob(3), only if no file of that name exists.
 * `output_directory` (NULL: none) is skipped while other directories are searched. Directories that
 * cannot be searched, patterns without a match, and empty lists are reported and counted.
 * IMG_E_USAGE for inputs that are never possible, such as standard input for a batch, and for
 * --null without a list. IMG_E_IO if the list cannot be read. */
ImgStatus gather_inputs(const char *const *operands, size_t operand_count,
                        const char *output_directory, const Settings *settings, Gathered *gathered,
                        ImgError *err);

/* For commands that read files and write none: enters the sandbox, and returns the same inputs
 * under paths that can be opened in it. They are valid as long as `inputs` and `sandbox`; do not
 * free them.
 */
Inputs inputs_in_sandbox(const Inputs *inputs, const Settings *settings, Sandbox *sandbox);

#endif
