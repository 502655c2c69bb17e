/* The files below a directory, held in memory: to be put there again, and to be compared with. */
#ifndef IMGTOOL_TESTS_INJECT_TREE_H
#define IMGTOOL_TESTS_INJECT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum { NODES_MOST = 64, PATH_SIZE = 128 };

typedef struct Node {
    char path[PATH_SIZE]; /* below the directory */
    struct stat info;
    char *bytes; /* of a file */
} Node;

/* Starts as zeros. */
typedef struct Tree {
    Node nodes[NODES_MOST];
    size_t count;
} Tree;

/* Each ends the program where it cannot do its work: that is the test's fault. `directory` is open.
 */
void tree_read(int directory, Tree *tree);
void tree_write(int directory, const Tree *tree); /* with the times of files */
void tree_clear(int directory);                   /* removes all that is in it */
void tree_free(Tree *tree);

/* NULL: not in it. */
const Node *tree_find(const Tree *tree, const char *path);
bool node_equal(const Node *a, const Node *b); /* both may be NULL */

/* Says what went wrong, with errno, and ends the program. */
_Noreturn void give_up(const char *what);

#endif
