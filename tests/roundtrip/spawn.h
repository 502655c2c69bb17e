/* Runs other programs from a test. */
#ifndef IMGTOOL_TESTS_SPAWN_H
#define IMGTOOL_TESTS_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

enum { ARGUMENTS_MAX = 256 };

/* A command line under construction. Ends the program if it becomes too long. Strings are
 * borrowed. */
typedef struct Command {
    const char *arguments[ARGUMENTS_MAX + 1];
    size_t count;
} Command;

void command_add(Command *command, const char *argument);
void command_add_all(Command *command, const char *const *arguments); /* NULL-terminated */

/* Runs the command and returns its exit code; 128 + N if signal N ended it, 127 if it does not
 * exist. `input`, if not NULL, is a file for standard input; `output` one for standard output. */
int command_run(const Command *command, const char *input, const char *output);

/* Makes a new directory. directory_remove removes it with all its files. */
const char *directory_make(void);
void directory_remove(void);

#endif
