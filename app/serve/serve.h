/* `imgtool serve`: a process that runs commands on single pictures for other processes of the same
 * user. Its threads and its GPU stay ready between commands. README.md describes which commands it
 * accepts. */
#ifndef IMGTOOL_APP_SERVE_SERVE_H
#define IMGTOOL_APP_SERVE_SERVE_H

#include "app/cli/args.h"
#include "app/engine/share/place.h"

/* --- The server ------------------------------------------------------------------------------- */

/* Environment of a command that runs in a server. */
typedef struct ServedPlace {
    /* Worker, threads and devices of the command. The command sets the members that depend on the
     * picture. */
    Place place;
    /* Called when the output is complete in a temporary file, before that is renamed. It becomes
     * Job.finished (app/engine/job.h). */
    ImgStatus (*finished)(void *context, const char *temporary, ImgError *err);
    void *context;
    /* modification time for the output; it becomes Job.modified (app/engine/job.h) */
    const int64_t *modified;
    /* Result: the status of the command. IMG_OK if the command line was invalid, so that nothing
     * ran. */
    ImgStatus status;
} ServedPlace;

/* Runs a command on one picture and returns its exit code. Same as a CommandFunction, but runs in
 * the environment `served`. */
typedef int ServedCommand(const Args *args, ServedPlace *served);

/* Runs a server until it is stopped or has been idle for too long. Returns the exit code of
 * `imgtool serve`. */
int serve_run(const Settings *settings, ServedCommand *command);

/* --- The client ------------------------------------------------------------------------------- */
/* The client sends commands to a server. It can also stop the server and print its status. */

/* Runs the command in the server, and prints the messages of the command to stderr. Returns the
 * exit code of the command. */
int client_run(const Args *args);

/* Implements `imgtool serve --stop`. Returns the exit code, after the server has ended. Succeeds if
 * there is no server. */
int client_stop(const Settings *settings);

/* Implements `imgtool serve --status`: prints the status of the server. Returns the exit code. */
int client_status(const Settings *settings);

/* --- Rules about the commands that a server accepts ------------------------------------------- */

/* Checks that the command works on one picture, and that its paths mean the same for client and
 * server. If not, fails with IMG_E_USAGE, and the message contains a remedy. Both client and server
 * call it. */
ImgStatus rules_check_command(const Args *args, ImgError *err);

/* Checks the files of the command. The server calls it in the client's directory. Rejects pipes and
 * devices, which could block the server, and paths through procfs. */
ImgStatus rules_check_files(const Args *args, ImgError *err);

/* Checks one file by the rules of rules_check_files. It is for an output in a directory. The name
 * of such an output is derived from the name of the input, so rules_check_files does not see it. */
ImgStatus rules_check_file(const char *file, ImgError *err);

#endif
