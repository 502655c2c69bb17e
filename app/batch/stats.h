/* `imgtool batch stats INPUT...`: as `imgtool stats`, with the inputs of a batch, and JSON in
 * lines. */
#ifndef IMGTOOL_APP_BATCH_STATS_H
#define IMGTOOL_APP_BATCH_STATS_H

#include "app/cli/args.h"

/* Operands: "stats", then inputs. Returns the exit code. */
int batch_stats(const Args *args);

#endif
