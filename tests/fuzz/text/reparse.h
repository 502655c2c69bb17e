/* Checks that a parsed command line keeps its meaning when it is written and parsed again. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_REPARSE_H
#define IMGTOOL_TESTS_FUZZ_TEXT_REPARSE_H

#include "app/cli/args.h"

/* Writes the parsed arguments as a command line, parses it, and aborts if the results differ.
 * `args` must be accepted by args_parse, without --help and --version. */
void check_reparsed(const Args *args);

#endif
