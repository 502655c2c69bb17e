/* What a device has of a plan's constants: recognised by every byte, and by nothing else. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"

static uint8_t first[300], second[5];
static ImgPlan plan;
static ImgSent sent;

static void set_up(void)
{
    memset(first, 7, sizeof first);
    memset(second, 9, sizeof second);
    plan.passes[0] = (ImgPass){.constants = {first, sizeof first}};
    plan.passes[1] = (ImgPass){.constants = {NULL, 0}};
    plan.passes[2] = (ImgPass){.constants = {second, sizeof second}};
    plan.count = 3;
    sent = (ImgSent){.memory = NULL};
}

static void tear_down(void)
{
    img_sent_free(&sent);
}

TestSuite(exec_sent, .init = set_up, .fini = tear_down);

Test(exec_sent, each_has_room_that_kernels_can_read_aligned)
{
    cr_expect_eq(img_sent_room(&plan.passes[0].constants), 512);
    cr_expect_eq(img_sent_room(&plan.passes[1].constants), 0);
    cr_expect_eq(img_sent_bytes(&plan, 0), 512 + 256);
}

Test(exec_sent, nothing_is_there_before)
{
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    plan.count = 0;
    img_sent_note(&sent, &plan, 0);
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
}

Test(exec_sent, the_same_bytes_are_there_wherever_they_come_from)
{
    uint8_t copy[sizeof first];
    img_sent_note(&sent, &plan, 0);
    cr_expect(img_sent_holds(&sent, &plan, 0));
    memcpy(copy, first, sizeof copy);
    plan.passes[0].constants.bytes = copy;
    cr_expect(img_sent_holds(&sent, &plan, 0));
}

Test(exec_sent, every_byte_counts)
{
    img_sent_note(&sent, &plan, 0);
    first[sizeof first - 1]++;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    first[sizeof first - 1]--;
    second[4]++;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    img_sent_note(&sent, &plan, 0);
    cr_expect(img_sent_holds(&sent, &plan, 0));
}

Test(exec_sent, as_does_their_number)
{
    img_sent_note(&sent, &plan, 0);
    plan.count = 1;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    img_sent_note(&sent, &plan, 0);
    cr_expect(img_sent_holds(&sent, &plan, 0));
    plan.count = 3;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
}

/* The passes after a measurement have constants of their own. */
Test(exec_sent, only_those_from_the_first_one_on)
{
    img_sent_note(&sent, &plan, 1);
    cr_expect(img_sent_holds(&sent, &plan, 1));
    cr_expect(img_sent_holds(&sent, &plan, 2));
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    cr_expect_eq(img_sent_bytes(&plan, 1), 256);
}

/* What was sent is no longer there where the copy of something else failed on its way. */
Test(exec_sent, what_is_forgotten_is_sent_again)
{
    img_sent_note(&sent, &plan, 0);
    sent.bytes = 0;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
}
