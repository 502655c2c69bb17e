/* The client of a server: sends it commands, and requests to stop or to report its status. */
#ifndef IMGTOOL_APP_SERVE_CLIENT_H
#define IMGTOOL_APP_SERVE_CLIENT_H

#include "app/cli/args.h"

/* Runs the command in the server. Prints the server's messages to stderr. Returns the exit code of
 * the command. */
int client_run(const Args *args);

/* Implements `imgtool serve --stop`. Returns after the server has ended. Succeeds if there is no
 * server. */
int client_stop(const Settings *settings);

/* Implements `imgtool serve --status`: prints the status. Returns the exit code. */
int client_status(const Settings *settings);

#endif
