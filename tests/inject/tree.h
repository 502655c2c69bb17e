/* A copy of the files in a directory, in memory, which can be restored and compared. */
#ifndef IMGTOOL_TESTS_INJECT_TREE_H
#define IMGTOOL_TESTS_INJECT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum { NODES_MOST = 64, PATH_SIZE = 128 };

typedef struct Node {
    char path[PATH_SIZE]; /* path relative to the directory of the tree */
    struct stat info;
    char *bytes; /* content of the file; owned */
} Node;

/* All files and directories of a directory. Initialise with zeros. */
typedef struct Tree {
    Node nodes[NODES_MOST];
    size_t count;
} Tree;

/* These functions end the program if they fail, because that is an error of the test. `directory`
 * is open. */
void tree_read(int directory, Tree *tree);
void tree_write(int directory, const Tree *tree); /* also restores the times of files */
void tree_clear(int directory);                   /* removes everything in the directory */
void tree_free(Tree *tree);

/* Returns NULL if the path is not in the tree. */
const Node *tree_find(const Tree *tree, const char *path);
bool node_equal(const Node *a, const Node *b); /* either argument may be NULL */

/* Prints a message with errno and ends the program. */
_Noreturn void give_up(const char *what);

#endif
