/* A command line that was parsed, written down in one fixed way, and parsed again. */
#ifndef IMGTOOL_TESTS_FUZZ_TEXT_AGAIN_H
#define IMGTOOL_TESTS_FUZZ_TEXT_AGAIN_H

#include "app/cli/args.h"

/* Ends the program unless the second one says the same. Of what args_parse accepted, but for --help
 * and --version. */
void again_check(const Args *args);

#endif
