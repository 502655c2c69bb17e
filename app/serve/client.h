/* The side of a server that its user sees: commands sent to it, and the server asked about itself.
 */
#ifndef IMGTOOL_APP_SERVE_CLIENT_H
#define IMGTOOL_APP_SERVE_CLIENT_H

#include "app/cli/args.h"

/* Has the command done by the server: what it says goes to stderr, and its exit code is returned.
 */
int client_run(const Args *args);

/* `imgtool serve --stop`: returns when the server is gone. None there is no failure. */
int client_stop(const Settings *settings);

/* `imgtool serve --status` */
int client_status(const Settings *settings);

#endif
