/* One batch as several processes, on any machines. */
#include "app/cli/tables/tables.h"

static const ImgChoice balances[] = {{"hash", BALANCE_HASH}, {"size", BALANCE_SIZE}, {NULL, 0}};

const Option options_of_shards[] = {
    {.name = "shard",
     .type = OPTION_TEXT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(shard),
     .argument = "I/N|auto",
     .words = "auto",
     .help = "do part I of N, from 1/N to N/N; auto takes both from Slurm, MPI, Kubernetes or AWS "
             "Batch"},
    {.name = "shards",
     .type = OPTION_INT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(shards),
     .min = 1,
     .max = 1000000,
     .default_text = "as the engine says",
     .help = "how many parts there are, for --shard auto where the engine does not say; with "
             "--dry-run, show what each would have to do"},
    {.name = "balance",
     .type = OPTION_CHOICE,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(balance),
     .choices = balances,
     .number = BALANCE_HASH,
     .help = "which part a file belongs to: by the hash of its path, or so that all have as many "
             "bytes, for which all parts must find the same files"},
    {.name = "steal",
     .type = OPTION_TEXT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(steal),
     .bare = "60s",
     .argument = "TIME",
     .help = "once the own part is done, take over files of parts that are slow, or that were not "
             "heard of for TIME, by itself 60s; includes --resume"},
    {.name = "grace",
     .type = OPTION_TEXT,
     .group = GROUP_SHARDS,
     .commands = FOR_BATCH,
     AT(grace),
     .argument = "TIME",
     .default_text = "25s",
     .help =
         "after SIGTERM finish the files under way, but for no longer than TIME: then undo them "
         "and end"},
    {.name = NULL},
};
