/* Helpers for tests with files of other users, in a temporary directory that is removed when a test
 * ends. */
#ifndef IMGTOOL_TESTS_TEST_IO_RIGHTS_H
#define IMGTOOL_TESTS_TEST_IO_RIGHTS_H

#include <criterion/criterion.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output/attributes.h"
#include "io/output/output.h"

enum { OTHER_USER = 65533, OTHER_GROUP = 54321, NOBODY = 65534 };

static char directory[PATH_MAX];

/* Gives this process the rights of `user` and only the group of that user. Root can switch back. */
static inline void become(uid_t user)
{
    cr_assert(seteuid(0) == 0 && setgroups(0, NULL) == 0);
    cr_assert(setegid(user) == 0 && seteuid(user) == 0);
}

static inline void enter_directory(void)
{
    snprintf(directory, sizeof directory, "/tmp/imgtool-test-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    cr_assert_eq(chmod(".", 0777), 0);
    umask(022);
}

static inline void leave_directory(void)
{
    char command[PATH_MAX + 16];
    cr_assert_eq(chdir("/"), 0);
    if (getuid() == 0)
        become(0);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    cr_expect_eq(system(command), 0);
}

static inline void need_root(void)
{
    if (geteuid() != 0)
        cr_skip_test("only root gives files to others");
}

static inline void put_file(const char *name, uid_t owner, gid_t group, mode_t mode)
{
    int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    cr_assert_geq(fd, 0, "%s", name);
    cr_assert(geteuid() != 0 || fchown(fd, owner, group) == 0);
    cr_assert_eq(fchmod(fd, mode), 0);
    close(fd);
}

static inline struct stat info_of(const char *name)
{
    struct stat info;
    cr_assert_eq(stat(name, &info), 0, "%s", name);
    return info;
}

static inline void replace(const char *name)
{
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open(name, NULL, &output, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_output_write(output, "new", 3, &err), IMG_OK);
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
}

static inline void keep(const char *from, const char *to)
{
    const struct stat old = info_of(from);
    ImgError err = {IMG_OK, ""}, lost = {IMG_OK, ""};
    cr_assert_eq(img_attributes_copy(from, &old, to, &lost, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(lost.status, IMG_OK, "%s", lost.message);
}

static inline void expect_rights(const char *name, gid_t group, mode_t mode)
{
    const struct stat info = info_of(name);
    cr_expect_eq(info.st_gid, group, "%s: group %d", name, (int)info.st_gid);
    cr_expect_eq(info.st_mode & 07777, mode, "%s: mode %o", name, info.st_mode & 07777);
}

#endif
