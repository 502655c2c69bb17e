/* Tests of access control lists (POSIX ACL) of files that are replaced, or whose attributes are
 * kept. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/xattr.h>

#include "io/output/permissions_priv.h"
#include "test_io_rights.h"

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

/* The directory has a default ACL, which new files inherit. A replacement for a file without an ACL
 * must lose it. */
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
