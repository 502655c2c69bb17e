/* Runs other programs from a test. */
#ifndef IMGTOOL_TESTS_ROUNDTRIP_SPAWN_H
#define IMGTOOL_TESTS_ROUNDTRIP_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

enum { ARGUMENTS_MAX = 256 };

/* A command line under construction. Its strings are borrowed. A command line that becomes too long
 * ends the program. */
typedef struct Command {
    const char *arguments[ARGUMENTS_MAX + 1];
    size_t count;
} Command;

void command_add(Command *command, const char *argument);
/* Adds the arguments of a list that ends with NULL. */
void command_add_all(Command *command, const char *const *arguments);

/* Runs the command and returns its exit code. Returns 128 + N if signal N ended it, and 127 if the
 * program does not exist. `input` is a file for standard input, `output` one for standard output;
 * each may be NULL. */
int command_run(const Command *command, const char *input, const char *output);

/* Makes a new directory and returns its path. directory_remove removes the directory with all its
 * files. */
const char *directory_make(void);
void directory_remove(void);

#endif
