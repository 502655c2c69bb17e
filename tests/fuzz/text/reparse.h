/* Checks that a parsed command line keeps its meaning when it is written and parsed again. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_REPARSE_H
#define IMGTOOL_TESTS_FUZZ_TEXT_REPARSE_H

#include "app/cli/args.h"

/* Writes the parsed arguments as a command line and parses it again. Aborts if the results differ.
 * args_parse must have accepted `args`, without --help and --version. */
void check_reparsed(const Args *args);

#endif
