/* `imgtool serve`: a process that runs commands on single pictures for other processes of the same
 * user. Its threads and GPUs stay ready between commands. README.md describes which commands it
 * accepts. */
#ifndef IMGTOOL_APP_SERVE_SERVE_H
#define IMGTOOL_APP_SERVE_SERVE_H

#include "app/cli/args.h"
#include "app/sched/place.h"

/* --- The server ------------------------------------------------------------------------------- */

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

/* --- The client ------------------------------------------------------------------------------- */
/* Sends commands to a server, and requests to stop or to report its status. */

/* Runs the command in the server. Prints the server's messages to stderr. Returns the exit code of
 * the command. */
int client_run(const Args *args);

/* Implements `imgtool serve --stop`. Returns after the server has ended. Succeeds if there is no
 * server. */
int client_stop(const Settings *settings);

/* Implements `imgtool serve --status`: prints the status. Returns the exit code. */
int client_status(const Settings *settings);

/* --- Rules about the commands that a server accepts ------------------------------------------- */

/* Checks that the command works on one picture, and that its paths mean the same in client and
 * server. Both of them call it. IMG_E_USAGE with a message that says what to do. */
ImgStatus rules_check_command(const Args *args, ImgError *err);

/* Checks the files of the command, in the server and in the client's directory. Rejects inputs and
 * outputs that are pipes or devices, which could block the server, and paths through procfs. */
ImgStatus rules_check_files(const Args *args, ImgError *err);

/* Checks one file by the same rules. For an output in a directory, whose name follows from the
 * input. */
ImgStatus rules_check_file(const char *file, ImgError *err);

#endif
