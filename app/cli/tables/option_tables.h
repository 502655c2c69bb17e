/* The parts of the table of options; option_next iterates over all of them. An entry without a name
 * marks the end of a part. */
#ifndef IMGTOOL_APP_CLI_TABLES_OPTION_TABLES_H
#define IMGTOOL_APP_CLI_TABLES_OPTION_TABLES_H

#include <stddef.h>

#include "app/cli/options.h"

extern const Option options_of_work[], options_of_output[], options_of_result[];

/* Column `offset` of a table. */
#define AT(field) offsetof(Settings, field)

#endif
