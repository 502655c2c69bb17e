/* Options of a batch that is split over several processes, on one or more machines. */
#include "app/cli/tables/option_tables.h"

static const ImgChoice balances[] = {{"hash", BALANCE_HASH}, {"size", BALANCE_SIZE}, {NULL, 0}};

const Option options_of_shards[] = {
    {.name = "shard",
     .type = OPTION_TEXT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(shard),
     .argument = "I/N|auto",
     .words = "auto",
     .help = "process part I of N, such as 1/4; I counts from 1. auto reads I and N from the "
             "environment of Slurm, MPI, Kubernetes or AWS Batch"},
    {.name = "shards",
     .type = OPTION_INT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(shards),
     .min = 1,
     .max = 1000000,
     .default_text = "read from the scheduler",
     .help = "number of parts, for --shard auto if the scheduler does not set it. With "
             "--dry-run, print the work of each part"},
    {.name = "balance",
     .type = OPTION_CHOICE,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(balance),
     .choices = balances,
     .number = BALANCE_HASH,
     .help = "how to assign files to parts. hash: by a hash of the path; size: by size, so "
             "that parts have about equal bytes.\n\n"
             "With size, all parts must find the same files"},
    {.name = "steal",
     .type = OPTION_TEXT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(steal),
     .bare = "60s",
     .argument = "TIME",
     .help = "when this part is finished, process files that other running parts have not begun. "
             "Also process files of a part that has sent no heartbeat for TIME, such as 90s or 5m: "
             "it may have crashed. --steal alone means 60s.\n\n"
             "Implies --resume"},
    {.name = "grace",
     .type = OPTION_TEXT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(grace),
     .argument = "TIME",
     .default_text = "25s",
     .help = "after SIGTERM, finish files in progress for up to TIME, such as 25s or 2m; then "
             "undo the rest and exit"},
    {.name = NULL},
};
