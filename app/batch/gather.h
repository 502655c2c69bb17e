/* What a batch works on: operands, which may be globs, and names from a list. */
#ifndef IMGTOOL_APP_BATCH_GATHER_H
#define IMGTOOL_APP_BATCH_GATHER_H

#include "app/inputs.h"
#include "app/options.h"

/* Start with GATHERED_NONE; inputs_free(&gathered.inputs) ends it. */
typedef struct Gathered {
    Inputs inputs;
    size_t first_listed; /* inputs from here on came from --from-file */
} Gathered;

#define GATHERED_NONE ((Gathered){0})

/* Takes files, folders and globs as operands, then what --from-file lists: files and folders. An
 * operand is a glob, as glob(3) reads it, only where there is nothing of that very name.
 * `output_folder` (NULL: none) is not searched below others. What cannot be searched, a glob that
 * matches nothing, and a list of nothing are reported and counted; IMG_E_USAGE for what can never
 * be an input of a batch, as standard input has no name; IMG_E_IO for a list that cannot be read.
 */
ImgStatus gather_inputs(const char *const *operands, size_t operand_count,
                        const char *output_folder, const Settings *settings, Gathered *gathered,
                        ImgError *err);

#endif
