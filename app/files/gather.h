/* Collects the inputs of commands on many files: operands, which may be patterns, and names from a
 * list. */
#ifndef IMGTOOL_APP_FILES_GATHER_H
#define IMGTOOL_APP_FILES_GATHER_H

#include <stdbool.h>

#include "app/cli/options.h"
#include "app/files/inputs.h"
#include "app/sandbox/sandbox.h"
#include "kernels/core/status.h"

/* --- Lists of names --------------------------------------------------------------------------- */

/* Called for each name of a list. The name is not empty, and is valid only during the call. */
typedef ImgStatus NameListVisit(void *context, const char *name, ImgError *err);

/* Reads the names from the list at `path`, or from standard input if it is "-". With
 * `null_separated` each name ends with a zero byte, otherwise with a newline; the last name may
 * lack it. In a list of lines, a carriage return at the end of a line and a byte order mark before
 * the first line are removed. Fails with IMG_E_IO if the list cannot be read. Fails with
 * IMG_E_USAGE for a line with a zero byte, an empty name before a zero byte, and a name longer than
 * PATH_MAX. If `visit` fails, reading stops with that failure. */
ImgStatus name_list_read(const char *path, bool null_separated, NameListVisit *visit, void *context,
                         ImgError *err);

/* --- Inputs ----------------------------------------------------------------------------------- */

/* Inputs that were collected. Initialise it with GATHERED_NONE, and free it with
 * inputs_free(&gathered.inputs). */
typedef struct Gathered {
    /* True if "-", pipes and devices are accepted as operands. The caller sets it if the command
     * does not derive names of outputs from inputs. */
    bool streams;
    Inputs inputs;
    size_t first_listed; /* index of the first input from --from-file */
} Gathered;

#define GATHERED_NONE ((Gathered){0})

/* Adds the files, directories and patterns of the operands, then the files and directories of
 * --from-file. An operand is a pattern, as in glob(3), only if no file has that name. Searches of
 * other directories skip `output_directory` (NULL: none). Directories that cannot be searched,
 * patterns without a match, and empty lists are reported and counted. Fails with IMG_E_USAGE for
 * inputs that are not allowed, such as standard input for a batch, and if --null is given without a
 * list. Fails with IMG_E_IO if the list cannot be read. */
ImgStatus gather_inputs(const char *const *operands, size_t operand_count,
                        const char *output_directory, const Settings *settings, Gathered *gathered,
                        ImgError *err);

/* Enters the sandbox, for commands that only read files. Returns the same inputs with paths that
 * can be opened in the sandbox. The paths are valid as long as `inputs` and `sandbox`, and must not
 * be freed. */
Inputs inputs_in_sandbox(const Inputs *inputs, const Settings *settings, Sandbox *sandbox);

#endif
