/* The table of experiments, and functions that find one by name. */
#include <string.h>

#include "app/bench/experiments/lab.h"

const LabExperiment *const lab_experiments[] = {
#define LAB_EXPERIMENT(name) &lab_##name,
#include "app/bench/experiments/lab_list.h"
#undef LAB_EXPERIMENT
    NULL,
};

const LabExperiment *lab_find(const char *name)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++)
        if (strcmp(lab_experiments[i]->name, name) == 0)
            return lab_experiments[i];
    return NULL;
}

const LabCase *lab_find_case(const LabExperiment *experiment, const char *name)
{
    for (const LabCase *which = experiment->cases; which->name != NULL; which++)
        if (strcmp(which->name, name) == 0)
            return which;
    return NULL;
}

const LabVariant *lab_find_variant(const LabExperiment *experiment, const char *name)
{
    for (const LabVariant *variant = experiment->variants; variant->name != NULL; variant++)
        if (strcmp(variant->name, name) == 0)
            return variant;
    return NULL;
}
