/* Iterates over the parts of the table of options as if they were one table. */
#include "app/cli/tables/option_tables.h"

/* The parts in the order of the reference (app/cli/docs/REFERENCE.md). */
static const Option *const parts[] = {options_of_work, options_of_output, options_of_result, NULL};

static const Option *end_of(const Option *part)
{
    while (part->name != NULL)
        part++;
    return part;
}

const Option *option_next(const Option *option)
{
    if (option == NULL)
        return parts[0];
    option++;
    if (option->name != NULL)
        return option;
    for (size_t i = 0; parts[i] != NULL; i++)
        if (end_of(parts[i]) == option)
            return parts[i + 1];
    return NULL;
}
