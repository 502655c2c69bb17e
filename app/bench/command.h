/* The command `imgtool bench`, in its forms `imgtool bench [OP...]`, `imgtool bench lab
 * [EXPERIMENT...]` and `imgtool bench files INPUT...`. */
#ifndef IMGTOOL_APP_BENCH_COMMAND_H
#define IMGTOOL_APP_BENCH_COMMAND_H

#include "app/cli/command.h"

CommandFunction bench_command;

#endif
