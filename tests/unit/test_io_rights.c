/* Tests that a file that replaces another, or gets its attributes, grants nothing to users who had
 * no access to the old one. This concerns its group and the set-user-ID and set-group-ID bits. */
#include "test_io_rights.h"

TestSuite(io_rights, .init = enter_directory, .fini = leave_directory);

/* --- Groups ----------------------------------------------------------------------------------- */

static const struct {
    mode_t old, mask;
    /* expected mode of the new file if its group can be kept, and if it cannot */
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
        /* The group is OTHER_GROUP for root. Other users can only use their own group. */
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

/* The first temporary file has a group that must not see the picture, with rights from the umask. A
 * second file with the right group replaces it. A process that opened the first one therefore gets
 * no data. */
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
