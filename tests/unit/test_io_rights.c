/* Tests of the permissions of a file that replaces an old file or gets its attributes. Users who
 * had no access to the old file must get none to the new file: not by its group, its set-user-ID
 * and set-group-ID bits, or its access control list. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/output/attributes.h"
#include "io/output/output.h"
#include "io/output/output_priv.h"

/* --- Files of other users, in a temporary directory ------------------------------------------- */

enum { OTHER_USER = 65533, OTHER_GROUP = 54321, NOBODY = 65534 };

static char directory[PATH_MAX];

/* Gives this process the rights of `user` and only the group of that user. Root can switch back. */
static void become(uid_t user)
{
    cr_assert(seteuid(0) == 0 && setgroups(0, NULL) == 0);
    cr_assert(setegid(user) == 0 && seteuid(user) == 0);
}

static void enter_directory(void)
{
    snprintf(directory, sizeof directory, "/tmp/imgtool-test-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    cr_assert_eq(chmod(".", 0777), 0);
    umask(022);
}

static void leave_directory(void)
{
    char command[PATH_MAX + 16];
    cr_assert_eq(chdir("/"), 0);
    if (getuid() == 0)
        become(0);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    cr_expect_eq(system(command), 0);
}

static void need_root(void)
{
    if (geteuid() != 0)
        cr_skip_test("only root gives files to others");
}

static void put_file(const char *name, uid_t owner, gid_t group, mode_t mode)
{
    int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    cr_assert_geq(fd, 0, "%s", name);
    cr_assert(geteuid() != 0 || fchown(fd, owner, group) == 0);
    cr_assert_eq(fchmod(fd, mode), 0);
    close(fd);
}

static struct stat info_of(const char *name)
{
    struct stat info;
    cr_assert_eq(stat(name, &info), 0, "%s", name);
    return info;
}

static void replace(const char *name)
{
    ImgError err = {IMG_OK, ""};
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open(name, NULL, &output, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_output_write(output, "new", 3, &err), IMG_OK);
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
}

static void keep(const char *from, const char *to)
{
    const struct stat old = info_of(from);
    ImgError err = {IMG_OK, ""}, lost = {IMG_OK, ""};
    cr_assert_eq(img_attributes_copy(from, &old, to, &lost, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(lost.status, IMG_OK, "%s", lost.message);
}

static void expect_rights(const char *name, gid_t group, mode_t mode)
{
    const struct stat info = info_of(name);
    cr_expect_eq(info.st_gid, group, "%s: group %d", name, (int)info.st_gid);
    cr_expect_eq(info.st_mode & 07777, mode, "%s: mode %o", name, info.st_mode & 07777);
}

TestSuite(io_rights, .init = enter_directory, .fini = leave_directory);

/* --- Groups ----------------------------------------------------------------------------------- */

static const struct {
    mode_t old, mask;
    /* expected modes of the new file: with the group of the old file, and with another group */
    mode_t with, without;
} groups[] = {
    {0640, 022, 0640, 0600},   {0644, 022, 0644, 0644}, {0664, 002, 0664, 0644},
    {0664, 022, 0664, 0644},   {0660, 077, 0660, 0600}, {0604, 022, 0604, 0600},
    {0666, 000, 0666, 0666},   {0600, 022, 0600, 0600}, {0624, 000, 0624, 0600},
    {02664, 022, 02664, 0644}, {0755, 022, 0755, 0755}, {06775, 022, 02775, 0755},
};
enum { GROUPS = sizeof groups / sizeof *groups };

static void name_of(int i, char name[16])
{
    snprintf(name, 16, "%d.png", i);
}

Test(io_rights, a_replaced_file_keeps_its_group)
{
    char name[16];
    for (int i = 0; i < GROUPS; i++) {
        name_of(i, name);
        put_file(name, 0, OTHER_GROUP, groups[i].old);
        /* Only root can create a file with the group OTHER_GROUP; for other users put_file keeps
         * their own group. */
        const gid_t group = info_of(name).st_gid;
        umask(groups[i].mask);
        replace(name);
        expect_rights(name, group, groups[i].with);
    }
}

/* If root made itself the owner of the new file, the old owner could no longer read it. */
Test(io_rights, root_leaves_a_replaced_file_to_its_owner)
{
    need_root();
    put_file("a.png", OTHER_USER, OTHER_GROUP, 0600);
    replace("a.png");
    expect_rights("a.png", OTHER_GROUP, 0600);
    cr_expect_eq(info_of("a.png").st_uid, OTHER_USER);
}

/* The new file has another group. Members of the old group now count as others, and members of the
 * new group counted as others before. So group and others get only rights that both had. */
Test(io_rights, without_its_group_a_replaced_file_grants_only_what_both_had)
{
    char name[16];
    need_root();
    for (int i = 0; i < GROUPS; i++) {
        name_of(i, name);
        put_file(name, NOBODY, OTHER_GROUP, groups[i].old);
    }
    become(NOBODY);
    for (int i = 0; i < GROUPS; i++) {
        name_of(i, name);
        umask(groups[i].mask);
        replace(name);
        expect_rights(name, NOBODY, groups[i].without);
    }
}

/* New files in a set-group-ID directory get the group of the directory. */
Test(io_rights, a_file_with_the_group_of_its_directory_keeps_it)
{
    need_root();
    cr_assert_eq(chown(".", 0, OTHER_GROUP), 0);
    cr_assert_eq(chmod(".", 02777), 0);
    put_file("theirs.png", 0, OTHER_GROUP, 0660);
    put_file("ours.png", 0, 0, 0640);
    umask(002);
    replace("theirs.png");
    replace("ours.png");
    expect_rights("theirs.png", OTHER_GROUP, 0660);
    expect_rights("ours.png", 0, 0640);
}

typedef struct Seen {
    char path[PATH_MAX];
    ino_t inode;
    int count;
} Seen;

static void note_created(void *context, const char *path)
{
    Seen *seen = context;
    snprintf(seen->path, sizeof seen->path, "%s", path);
    seen->count++;
}

/* A new temporary file has the user's group, which must not see the picture but may get rights by
 * the umask. So a second temporary file with the right group replaces it. A process that opened the
 * first file gets no data. */
Test(io_rights, the_temporary_file_is_recreated_with_the_right_group)
{
    Seen seen = {.count = 0};
    const ImgOutputHooks hooks = {.created = note_created, .context = &seen};
    ImgOutput *output = NULL;
    need_root();
    put_file("a.png", 0, OTHER_GROUP, 0640);
    cr_assert_eq(img_output_open("a.png", &hooks, &output, NULL), IMG_OK);
    cr_expect_eq(seen.count, 2);
    expect_rights(seen.path, OTHER_GROUP, 0640);
    img_output_discard(&output);
    cr_expect_neq(access(seen.path, F_OK), 0);
}

static void count_name(void *context, ImgNameUse use, const char **name)
{
    int *counts = context;
    counts[use] += *name != NULL;
}

/* A sandbox forbids later changes of the group. The replacement is therefore created when the names
 * are announced, before the sandbox starts. */
Test(io_rights, a_replacement_is_created_when_its_names_are_announced)
{
    struct stat info;
    need_root();
    put_file("ours.png", 0, 0, 0640);
    put_file("theirs.png", 0, OTHER_GROUP, 0640);
    for (int theirs = 0; theirs < 2; theirs++) {
        int counts[IMG_NAME_USES] = {0};
        ImgOutput *output = NULL;
        const char *temporary = NULL;
        const char *name = theirs ? "theirs.png" : "ours.png";
        cr_assert_eq(img_output_prepare(name, NULL, &output, NULL), IMG_OK);
        cr_assert_eq(img_output_names(output, count_name, counts, NULL), IMG_OK);
        cr_expect_eq(counts[IMG_NAME_TEMPORARY], 1);
        become(NOBODY * (uid_t)theirs);
        cr_assert_eq(img_output_begin(output, NULL), IMG_OK);
        cr_assert_eq(img_output_finish(output, &temporary, NULL), IMG_OK);
        cr_assert_eq(stat(temporary, &info), 0);
        cr_expect_eq(info.st_gid, theirs ? (gid_t)OTHER_GROUP : 0);
        cr_expect_eq(info.st_mode & 07777, 0640);
        img_output_discard(&output);
    }
}

/* --- Set-user-ID and set-group-ID ------------------------------------------------------------- */

Test(io_rights, set_id_bits_of_another_owner_or_group_are_dropped)
{
    static const gid_t mine[] = {OTHER_GROUP};
    static const struct {
        uid_t owner;
        gid_t group;
        mode_t expected;
    } cases[] = {{NOBODY, OTHER_GROUP, 06755},
                 {OTHER_USER, OTHER_GROUP, 02755},
                 {NOBODY, OTHER_GROUP + 1, 04755},
                 {OTHER_USER, OTHER_GROUP + 1, 0755}};
    char from[] = "0.old", to[] = "0.new";
    need_root();
    for (int i = 0; i < 4; i++) {
        from[0] = to[0] = (char)('0' + i);
        put_file(from, cases[i].owner, cases[i].group, 06755);
        put_file(to, NOBODY, NOBODY, 0600);
    }
    cr_assert(setgroups(1, mine) == 0 && setegid(NOBODY) == 0 && seteuid(NOBODY) == 0);
    for (int i = 0; i < 4; i++) {
        from[0] = to[0] = (char)('0' + i);
        keep(from, to);
        cr_expect_eq(info_of(to).st_mode & 07777, cases[i].expected, "%d: %o", i,
                     info_of(to).st_mode & 07777);
    }
}

Test(io_rights, root_restores_owner_group_and_bits)
{
    need_root();
    put_file("a.png", OTHER_USER, OTHER_GROUP, 06750);
    put_file("b.png", 0, 0, 0600);
    keep("a.png", "b.png");
    cr_expect_eq(info_of("b.png").st_uid, OTHER_USER);
    expect_rights("b.png", OTHER_GROUP, 06750);
}

/* --- Access control lists (POSIX ACL) --------------------------------------------------------- */

enum { LIST_MOST = 64 };

static const char ACL[] = "system.posix_acl_access";

TestSuite(io_acl, .init = enter_directory, .fini = leave_directory);

typedef struct Entry {
    uint16_t tag, permissions;
    uint32_t id;
} Entry;

enum { OWNER = 1, USER = 2, GROUP_OWNER = 4, GROUP = 8, MASK = 16, OTHERS = 32 };
#define NO_ID UINT32_MAX

static const Entry read_by_one[] = {
    {OWNER, 6, NO_ID}, {USER, 4, 1234},    {GROUP_OWNER, 0, NO_ID},
    {MASK, 4, NO_ID},  {OTHERS, 0, NO_ID},
};

/* Packs the entries in little-endian order, as Linux expects them on every machine. */
static size_t pack(const Entry *entries, size_t count, uint8_t list[LIST_MOST])
{
    memset(list, 0, LIST_MOST);
    list[0] = 2;
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = list + 4 + 8 * i;
        at[0] = (uint8_t)entries[i].tag;
        at[2] = (uint8_t)entries[i].permissions;
        for (int byte = 0; byte < 4; byte++)
            at[4 + byte] = (uint8_t)(entries[i].id >> 8 * byte);
    }
    return 4 + 8 * count;
}

static void set_list(const char *name, const char *attribute, const Entry *entries, size_t count)
{
    uint8_t list[LIST_MOST];
    const size_t size = pack(entries, count, list);
    if (setxattr(name, attribute, list, size, 0) != 0) {
        cr_assert_eq(errno, EOPNOTSUPP);
        cr_skip_test("no lists of rights on this file system");
    }
}

static void expect_list(const char *name, const Entry *entries, size_t count)
{
    uint8_t wanted[LIST_MOST], got[LIST_MOST] = {0};
    const size_t size = pack(entries, count, wanted);
    cr_expect_eq(getxattr(name, ACL, got, sizeof got), (ssize_t)size, "%s", name);
    cr_expect_arr_eq(got, wanted, size);
}

static void expect_no_list(const char *name)
{
    cr_expect_eq(getxattr(name, ACL, NULL, 0), -1, "%s", name);
}

Test(io_acl, a_replaced_file_keeps_its_acl)
{
    put_file("a.png", 0, 0, 0600);
    set_list("a.png", ACL, read_by_one, 5);
    expect_rights("a.png", getegid(), 0640);
    replace("a.png");
    expect_list("a.png", read_by_one, 5);
    expect_rights("a.png", getegid(), 0640);
}

Test(io_acl, the_acl_is_kept_with_the_other_attributes)
{
    put_file("a.png", 0, 0, 0600);
    put_file("b.png", 0, 0, 0666);
    set_list("a.png", ACL, read_by_one, 5);
    keep("a.png", "b.png");
    expect_list("b.png", read_by_one, 5);
    expect_rights("b.png", getegid(), 0640);
}

/* In a file with an ACL, the group bits of its mode are the mask of the ACL. Without the ACL they
 * would grant rights to the group. */
Test(io_acl, a_file_that_loses_its_group_loses_its_acl)
{
    need_root();
    put_file("a.png", NOBODY, OTHER_GROUP, 0600);
    put_file("b.png", NOBODY, NOBODY, 0600);
    set_list("a.png", ACL, read_by_one, 5);
    become(NOBODY);
    keep("a.png", "b.png");
    expect_no_list("b.png");
    expect_rights("b.png", NOBODY, 0600);
    replace("a.png");
    expect_no_list("a.png");
    expect_rights("a.png", NOBODY, 0600);
}

/* The directory has a default ACL, which new files inherit. The replacement for a file without an
 * ACL must lose the inherited ACL. */
Test(io_acl, a_file_without_an_acl_gets_none_from_its_directory)
{
    put_file("a.png", 0, 0, 0660);
    put_file("b.png", 0, 0, 0640);
    set_list(".", "system.posix_acl_default", read_by_one, 5);
    replace("a.png");
    expect_no_list("a.png");
    expect_rights("a.png", getegid(), 0660);
    put_file("c.png", 0, 0, 0600);
    cr_expect_gt(getxattr("c.png", ACL, NULL, 0), 0);
    keep("b.png", "c.png");
    expect_no_list("c.png");
    expect_rights("c.png", getegid(), 0640);
}

static mode_t without(mode_t mode, const Entry *entries, size_t count)
{
    uint8_t list[LIST_MOST];
    const ImgPermissions permissions = {.acl_state = count > 0 ? IMG_ACL_KNOWN : IMG_ACL_UNKNOWN,
                                        .own_acl = list,
                                        .acl_size = pack(entries, count, list)};
    return img_permissions_without_acl(mode, &permissions);
}

Test(io_acl, without_its_acl_a_file_grants_only_what_every_entry_had)
{
    static const Entry group_reads[] = {{OWNER, 6, NO_ID},
                                        {USER, 6, 1234},
                                        {GROUP_OWNER, 4, NO_ID},
                                        {MASK, 6, NO_ID},
                                        {OTHERS, 0, NO_ID}};
    static const Entry one_denied[] = {{OWNER, 6, NO_ID}, {USER, 0, 1234},  {GROUP_OWNER, 6, NO_ID},
                                       {GROUP, 6, 77},    {MASK, 6, NO_ID}, {OTHERS, 4, NO_ID}};
    static const Entry masked[] = {
        {OWNER, 6, NO_ID}, {GROUP_OWNER, 6, NO_ID}, {MASK, 4, NO_ID}, {OTHERS, 4, NO_ID}};
    cr_expect_eq(without(0660, group_reads, 5), 0640);
    cr_expect_eq(without(0640, read_by_one, 5), 0600);
    cr_expect_eq(without(04664, one_denied, 6), 04600);
    cr_expect_eq(without(0644, masked, 4), 0644);
    cr_expect_eq(without(0664, NULL, 0), 0644, "the list is unknown");
}
