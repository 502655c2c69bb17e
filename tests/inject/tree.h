/* A copy of a directory and its files in memory, which can be restored and compared. */
#ifndef IMGTOOL_TESTS_INJECT_TREE_H
#define IMGTOOL_TESTS_INJECT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum { NODES_MOST = 64, PATH_SIZE = 128 };

typedef struct Node {
    char path[PATH_SIZE]; /* path relative to the directory of the tree */
    struct stat info;
    char *bytes; /* content of the file, which this struct owns; NULL for a directory */
} Node;

/* All files and directories below a directory. Initialise with zeros. */
typedef struct Tree {
    Node nodes[NODES_MOST];
    size_t count;
} Tree;

/* These functions copy, restore and clear the directory with the descriptor `directory`. They end
 * the program if they fail, because that is an error of the test and not of the tested program. */
void tree_read(int directory, Tree *tree);
/* also restores the modification times of files */
void tree_write(int directory, const Tree *tree);
void tree_clear(int directory); /* removes everything in the directory */
void tree_free(Tree *tree);

/* Returns the file or directory with this path, or NULL if the tree has none. */
const Node *tree_find(const Tree *tree, const char *path);
bool node_equal(const Node *a, const Node *b); /* either argument may be NULL */

/* Prints `what` and the text of errno, and ends the program. */
_Noreturn void give_up(const char *what);

#endif
