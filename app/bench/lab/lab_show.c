/* Prints the source files of an experiment's kernels. */
#include <string.h>

#include "app/bench/lab/lab.h"

/* Returns true if `word` is one of the words in `names`, which blanks separate. */
static bool has_word(const char *names, const char *word)
{
    size_t length = strlen(word);
    const char *at = names;
    for (; (at = strstr(at, word)) != NULL; at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool is_shown(const char *path, const char *name)
{
    const LabExperiment *experiment = lab_find(name);
    if (strcmp(name, LAB_ALL) == 0)
        return true;
    if (experiment != NULL)
        return has_word(experiment->sources, path);
    for (const LabOps *ops = lab_ops; ops->name != NULL; ops++)
        if (strcmp(ops->name, name) == 0)
            return has_word(ops->sources, path);
    return false;
}

void bench_lab_show(FILE *out, const char *const *names, size_t count)
{
    bool first = true;
    for (const LabSource *source = lab_sources; source->path != NULL; source++) {
        bool shown = false;
        for (size_t i = 0; i < count; i++)
            shown |= is_shown(source->path, names[i]);
        if (!shown)
            continue;
        fprintf(out, "%s/* ---- %s ---- */\n%s", first ? "" : "\n", source->path, source->text);
        first = false;
    }
}
