/* Options of statistics and of comparisons. */
#include "app/cli/tables/option_tables.h"
#include "kernels/core/color/luma.h"

static const OptionHelp help_of_luma[] = {
    {FOR_BATCH, "for 'batch stats': weights of luma (brightness), as for stats"}, {0, NULL}};

static const OptionHelp help_of_skip_transparent[] = {
    {FOR_BATCH, "for 'batch stats': ignore fully transparent pixels"}, {0, NULL}};

static const OptionHelp help_of_percentiles[] = {
    {FOR_BATCH, "for 'batch stats': percentiles to print, from 0 to 100, such as 1,5,95"},
    {0, NULL}};

const Option options_of_measure[] = {
    {.name = "luma",
     .type = OPTION_CHOICE,
     .group = GROUP_MEASURE,
     .commands = FOR_MEASURE | FOR_BATCH,
     AT(luma),
     .choices = img_luma_or_none_choices,
     .number = IMG_LUMA_709,
     .help_for = help_of_luma,
     .help = "weights of luma (brightness): ITU-R BT.709, or BT.601 as in Pillow and OpenCV; "
             "none: no luma"},
    {.name = "skip-transparent",
     .type = OPTION_FLAG,
     .group = GROUP_MEASURE,
     .commands = FOR_MEASURE | FOR_BATCH,
     AT(skip_transparent),
     .number = 1,
     .help_for = help_of_skip_transparent,
     .help = "ignore fully transparent pixels"},
    {.name = "percentiles",
     .also = "percentile",
     .type = OPTION_TEXT,
     .group = GROUP_MEASURE,
     .commands = FOR_STATS | FOR_BATCH,
     AT(percentiles),
     .argument = "LIST",
     .help_for = help_of_percentiles,
     .help = "percentiles to print, from 0 to 100, such as 1,5,95"},
    {.name = "bins",
     .type = OPTION_INT,
     .group = GROUP_MEASURE,
     .commands = FOR_HISTOGRAM,
     AT(bins),
     .min = 2,
     .max = 65536,
     .default_text = "one per value",
     .help = "count in N bins of equal width"},

    {.name = "tolerance",
     .type = OPTION_INT,
     .group = GROUP_COMPARE,
     .commands = FOR_COMPARE,
     AT(tolerance),
     .min = 0,
     .max = 65535,
     .help = "largest accepted difference of two samples: 0 to 255, or up to 65535 if a picture "
             "has 16 bits"},
    {.name = "diff",
     .type = OPTION_FILE,
     .group = GROUP_COMPARE,
     .commands = FOR_COMPARE,
     AT(diff),
     .argument = "FILE",
     .help = "write a picture of the absolute differences of each channel; equal pixels are "
             "black"},
    {.name = "amplify",
     .type = OPTION_INT,
     .group = GROUP_COMPARE,
     .commands = FOR_COMPARE,
     AT(amplify),
     .number = 1,
     .min = 1,
     .max = 65535,
     .help = "multiply the differences in the picture of --diff by N"},
    {.name = NULL},
};
