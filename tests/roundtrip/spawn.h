/* Running other programs from a test. */
#ifndef IMGTOOL_TESTS_SPAWN_H
#define IMGTOOL_TESTS_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

enum { ARGUMENTS_MAX = 256 };

/* A command line under construction; ends the program if it gets too long. Strings are borrowed. */
typedef struct Command {
    const char *arguments[ARGUMENTS_MAX + 1];
    size_t count;
} Command;

void command_add(Command *command, const char *argument);
void command_add_all(Command *command, const char *const *arguments); /* NULL-terminated */

/* Runs it and returns its exit code; 128 + N where signal N ended it, 127 where it is not there.
 * `input`, if not NULL, is a file to read standard input from; `output` one for its output. */
int command_run(const Command *command, const char *input, const char *output);

/* A fresh directory that is removed with all files in it by directory_remove. */
const char *directory_make(void);
void directory_remove(void);

#endif
