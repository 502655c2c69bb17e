/* `imgtool serve`: a process that does commands on single pictures for others of the same user,
 * with threads and GPUs that stay ready between them. README.md has the rules. */
#ifndef IMGTOOL_APP_SERVE_SERVE_H
#define IMGTOOL_APP_SERVE_SERVE_H

#include "app/cli/args.h"
#include "app/sched/place.h"

/* Where a command is done that somebody else has sent. */
typedef struct ServedPlace {
    Place place; /* all but what is known of the picture */
    /* As Job.finished. */
    ImgStatus (*finished)(void *context, const char *temporary, ImgError *err);
    void *context;
    const int64_t *modified; /* as Job.modified */
    ImgStatus status; /* out: how it ended; IMG_OK where the command line was wrong already */
} ServedPlace;

/* Does a command on one picture; as CommandFunction. */
typedef int ServedCommand(const Args *args, ServedPlace *served);

/* Until it is stopped, or idle for long enough; returns the exit code. */
int serve_run(const Settings *settings, ServedCommand *command);

#endif
