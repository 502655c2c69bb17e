#include "app/text/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

size_t path_directory_length(const char *path)
{
    return (size_t)(path_name(path) - path);
}

char *path_directory(const char *path)
{
    size_t length = path_directory_length(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length > 0 ? strndup(path, length) : strdup(".");
}

bool path_stat_directory(const char *path, struct stat *directory)
{
    char *text = path_directory(path);
    const bool there = text != NULL && stat(text, directory) == 0;
    free(text);
    return there;
}

char *path_join(const char *directory, const char *name)
{
    char *path = NULL;
    const size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    return asprintf(&path, "%s%s%s", directory, slash, name) >= 0 ? path : NULL;
}

FileId file_id(const struct stat *info)
{
    return (FileId){info->st_dev, info->st_ino};
}

int file_id_compare(const void *a, const void *b)
{
    const FileId *left = a, *right = b;
    if (left->device != right->device)
        return left->device < right->device ? -1 : 1;
    return left->inode < right->inode ? -1 : left->inode > right->inode;
}

bool path_is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool path_leads_to(const char *path, const struct stat *file)
{
    struct stat found;
    return stat(path, &found) == 0 && path_is_same_file(&found, file);
}

/* Removes the last component of the path, and the slashes and "." components before it. */
static void cut_name(char *path)
{
    size_t length = path_directory_length(path);
    while (length > 1 &&
           (path[length - 1] == '/' || (path[length - 1] == '.' && path[length - 2] == '/')))
        length--;
    if (length == 1 && path[0] == '.')
        length = 0;
    path[length] = '\0';
}

static bool directory_is_there(const char *path, struct stat *info)
{
    return stat(path[0] != '\0' ? path : ".", info) == 0;
}

static bool have_same_ends(char *a, char *b)
{
    struct stat first, second;
    while (a[0] != '\0' && b[0] != '\0' && strcmp(path_name(a), path_name(b)) == 0) {
        cut_name(a);
        cut_name(b);
        const bool a_is_there = directory_is_there(a, &first);
        if (a_is_there != directory_is_there(b, &second))
            return false;
        if (a_is_there)
            return path_is_same_file(&first, &second);
    }
    return false;
}

bool path_will_be_same(const char *a, const char *b)
{
    if (strcmp(path_name(a), path_name(b)) != 0)
        return false;
    char *first = strdup(a), *second = strdup(b);
    const bool same = first != NULL && second != NULL && have_same_ends(first, second);
    free(first);
    free(second);
    return same;
}
