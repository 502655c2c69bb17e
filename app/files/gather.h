/* What commands for many files work on: operands, which may be globs, and names from a list. */
#ifndef IMGTOOL_APP_FILES_GATHER_H
#define IMGTOOL_APP_FILES_GATHER_H

#include "app/cli/options.h"
#include "app/files/inputs.h"

/* Start with GATHERED_NONE; inputs_free(&gathered.inputs) ends it. */
typedef struct Gathered {
    bool streams; /* set by the caller: operands may be "-", pipes and devices, as who reads them
                   * writes no file of their name */
    Inputs inputs;
    size_t first_listed; /* inputs from here on came from --from-file */
} Gathered;

#define GATHERED_NONE ((Gathered){0})

/* Takes files, directories and globs as operands, then what --from-file lists: files and
 * directories. An operand is a glob, as glob(3) reads it, only where there is nothing of that very
 * name. `output_directory` (NULL: none) is not searched below others. What cannot be searched, a
 * glob that matches nothing, and a list of nothing are reported and counted; IMG_E_USAGE for what
 * can never be an input of a batch, as standard input has no name, and for --null without a list;
 * IMG_E_IO for a list that cannot be read.
 */
ImgStatus gather_inputs(const char *const *operands, size_t operand_count,
                        const char *output_directory, const Settings *settings, Gathered *gathered,
                        ImgError *err);

#endif
