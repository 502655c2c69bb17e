#include "app/sched/scratch.h"

#include <stdlib.h>
#include <string.h>

const char *scratch_default(void)
{
    const char *given = getenv("TMPDIR");
    return given != NULL && *given != '\0' ? given : "/var/tmp";
}

char *scratch_directory(const char *output)
{
    const char *given = getenv("TMPDIR");
    if (output == NULL || strcmp(output, "-") == 0 || (given != NULL && *given != '\0'))
        return strdup(scratch_default());
    const char *slash = strrchr(output, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(output, slash == output ? 1 : (size_t)(slash - output));
}
