/* Names that mean something else to every process. */
#ifndef IMGTOOL_APP_SERVE_OWN_NAMES_H
#define IMGTOOL_APP_SERVE_OWN_NAMES_H

#include <stdbool.h>

/* Does it lead, itself or by links in any part of it, to what the process that follows it has: its
 * streams, its directory, its root? So does whatever else procfs has. False for what leads nowhere,
 * which opening it will tell. */
bool own_name(const char *path);

#endif
