/* The whole program, but for `main`. */
#ifndef IMGTOOL_APP_CLI_H
#define IMGTOOL_APP_CLI_H

/* Returns the exit code. */
int cli_main(int argc, char **argv);

#endif
