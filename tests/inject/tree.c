#include "driver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void give_up(const char *what)
{
    fprintf(stderr, "inject: %s: %s\n", what, strerror(errno));
    exit(99);
}

static void read_file(int directory, Node *node)
{
    int fd = openat(directory, node->path, O_RDONLY | O_CLOEXEC);
    size_t size = (size_t)node->info.st_size, got = 0;
    node->bytes = malloc(size + 1);
    if (fd < 0 || node->bytes == NULL)
        give_up(node->path);
    while (got < size) {
        ssize_t n = read(fd, node->bytes + got, size - got);
        if (n <= 0)
            give_up(node->path);
        got += (size_t)n;
    }
    node->bytes[size] = '\0';
    close(fd);
}

typedef void Visit(int directory, const char *path, const struct stat *info, void *context);

/* Calls `visit` for all files and directories below `below`, which is "" or a path that ends with a
 * slash. Directories are visited before their content if `before`, otherwise after it. */
static void walk(int directory, const char *below, bool before, Visit *visit, void *context)
{
    int fd = openat(directory, below[0] != '\0' ? below : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    if (entries == NULL)
        give_up(below);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[PATH_SIZE], deeper[PATH_SIZE];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int length = snprintf(path, sizeof path, "%s%s", below, entry->d_name);
        int longer = snprintf(deeper, sizeof deeper, "%s%s/", below, entry->d_name);
        if (length >= PATH_SIZE || longer >= PATH_SIZE ||
            fstatat(directory, path, &info, AT_SYMLINK_NOFOLLOW) != 0)
            give_up(path);
        if (before)
            visit(directory, path, &info, context);
        if (S_ISDIR(info.st_mode))
            walk(directory, deeper, before, visit, context);
        if (!before)
            visit(directory, path, &info, context);
    }
    closedir(entries);
}

static void keep(int directory, const char *path, const struct stat *info, void *context)
{
    Tree *tree = context;
    if (tree->count == NODES_MOST)
        give_up("too many files");
    Node *node = &tree->nodes[tree->count++];
    snprintf(node->path, sizeof node->path, "%s", path);
    node->info = *info;
    node->bytes = NULL;
    if (S_ISREG(info->st_mode))
        read_file(directory, node);
}

void tree_read(int directory, Tree *tree)
{
    tree->count = 0;
    walk(directory, "", true, keep, tree);
}

static void drop(int directory, const char *path, const struct stat *info, void *context)
{
    (void)context;
    if (unlinkat(directory, path, S_ISDIR(info->st_mode) ? AT_REMOVEDIR : 0) != 0)
        give_up(path);
}

void tree_clear(int directory)
{
    walk(directory, "", false, drop, NULL);
}

static void write_file(int directory, const Node *node)
{
    const struct timespec times[2] = {node->info.st_atim, node->info.st_mtim};
    int fd = openat(directory, node->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    node->info.st_mode & 0777);
    size_t size = (size_t)node->info.st_size;
    if (fd < 0 || write(fd, node->bytes, size) != (ssize_t)size || futimens(fd, times) != 0)
        give_up(node->path);
    close(fd);
}

void tree_write(int directory, const Tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        const Node *node = &tree->nodes[i];
        if (node->bytes != NULL)
            write_file(directory, node);
        else if (mkdirat(directory, node->path, 0777) != 0)
            give_up(node->path);
    }
}

void tree_free(Tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        free(tree->nodes[i].bytes);
    tree->count = 0;
}

const Node *tree_find(const Tree *tree, const char *path)
{
    for (size_t i = 0; i < tree->count; i++)
        if (strcmp(tree->nodes[i].path, path) == 0)
            return &tree->nodes[i];
    return NULL;
}

bool node_equal(const Node *a, const Node *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (a->bytes == NULL || b->bytes == NULL)
        return a->bytes == b->bytes;
    return a->info.st_size == b->info.st_size &&
           memcmp(a->bytes, b->bytes, (size_t)a->info.st_size) == 0;
}
