/* The table of options in parts, which option_next joins. An entry without a name ends a part. */
#ifndef IMGTOOL_APP_CLI_TABLES_OPTION_TABLES_H
#define IMGTOOL_APP_CLI_TABLES_OPTION_TABLES_H

#include <stddef.h>

#include "app/cli/options.h"

extern const Option options_of_work[], options_of_many[], options_of_output[], options_of_measure[],
    options_of_bench[], options_of_result[], options_of_serve[], options_of_shards[];

#define AT(field) .offset = offsetof(Settings, field)

#endif
