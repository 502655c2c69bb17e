/* Client side of a server: sends commands to it, and requests to stop it or to report its
 * status. */
#ifndef IMGTOOL_APP_SERVE_CLIENT_H
#define IMGTOOL_APP_SERVE_CLIENT_H

#include "app/cli/args.h"

/* Runs the command in the server. Prints the server's messages to stderr and returns its exit
 * code. */
int client_run(const Args *args);

/* `imgtool serve --stop`: returns after the server has ended. Succeeds if there is no server. */
int client_stop(const Settings *settings);

/* `imgtool serve --status`: prints the status. Returns the exit code. */
int client_status(const Settings *settings);

#endif
