#include "app/sched/scratch.h"

#include <stdlib.h>
#include <string.h>

char *scratch_directory(const char *output)
{
    const char *given = getenv("TMPDIR");
    if (given != NULL && *given != '\0')
        return strdup(given);
    if (output == NULL || strcmp(output, "-") == 0)
        return strdup("/var/tmp");
    const char *slash = strrchr(output, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(output, slash == output ? 1 : (size_t)(slash - output));
}
