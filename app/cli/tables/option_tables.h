/* The parts of the table of options; option_next iterates over all of them. An entry without a name
 * marks the end of a part. */
#ifndef IMGTOOL_APP_CLI_TABLES_OPTION_TABLES_H
#define IMGTOOL_APP_CLI_TABLES_OPTION_TABLES_H

#include <stddef.h>

#include "app/cli/options.h"

extern const Option options_of_work[], options_of_many[], options_of_output[], options_of_measure[],
    options_of_bench[], options_of_result[], options_of_serve[], options_of_shards[];

#define AT(field) .offset = offsetof(Settings, field)

#endif
