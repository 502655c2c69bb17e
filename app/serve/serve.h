/* `imgtool serve`: a process that runs commands on single pictures for other processes of the same
 * user. Its threads and GPUs stay ready between commands. README.md describes which commands it
 * accepts. */
#ifndef IMGTOOL_APP_SERVE_SERVE_H
#define IMGTOOL_APP_SERVE_SERVE_H

#include "app/cli/args.h"
#include "app/sched/place.h"

/* Environment in which a command runs in a server. */
typedef struct ServedPlace {
    Place place; /* all members except those that depend on the picture */
    /* Same as `finished` of Job (app/job/job.h). */
    ImgStatus (*finished)(void *context, const char *temporary, ImgError *err);
    void *context;
    const int64_t *modified; /* same as `modified` of Job */
    /* output: status of the command; IMG_OK if the command line was invalid and nothing ran */
    ImgStatus status;
} ServedPlace;

/* Runs a command on one picture. Same as a CommandFunction, but with the environment `served`. */
typedef int ServedCommand(const Args *args, ServedPlace *served);

/* Runs a server until it is stopped or idle for too long. Returns the exit code. */
int serve_run(const Settings *settings, ServedCommand *command);

#endif
