/* Tests of the constants of a plan that are already on a device. They are compared byte by byte and
 * not sent again. */
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

Test(exec_sent, constants_are_aligned_to_256_bytes)
{
    cr_expect_eq(img_sent_room(&plan.passes[0].constants), 512);
    cr_expect_eq(img_sent_room(&plan.passes[1].constants), 0);
    cr_expect_eq(img_sent_bytes(&plan, 0), 512 + 256);
}

Test(exec_sent, nothing_is_there_before_the_first_copy)
{
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    plan.count = 0;
    img_sent_note(&sent, &plan, 0);
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
}

Test(exec_sent, equal_bytes_at_another_address_are_recognised)
{
    uint8_t copy[sizeof first];
    img_sent_note(&sent, &plan, 0);
    cr_expect(img_sent_holds(&sent, &plan, 0));
    memcpy(copy, first, sizeof copy);
    plan.passes[0].constants.bytes = copy;
    cr_expect(img_sent_holds(&sent, &plan, 0));
}

Test(exec_sent, every_byte_is_compared)
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

Test(exec_sent, the_number_of_passes_is_compared)
{
    img_sent_note(&sent, &plan, 0);
    plan.count = 1;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    img_sent_note(&sent, &plan, 0);
    cr_expect(img_sent_holds(&sent, &plan, 0));
    plan.count = 3;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
}

/* A run that measures a size makes new constants for the passes after the measurement. So only
 * these passes are compared. */
Test(exec_sent, only_passes_from_the_first_one_on_are_compared)
{
    img_sent_note(&sent, &plan, 1);
    cr_expect(img_sent_holds(&sent, &plan, 1));
    cr_expect(img_sent_holds(&sent, &plan, 2));
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
    cr_expect_eq(img_sent_bytes(&plan, 1), 256);
}

/* A failed copy of other data may have overwritten the constants on the device. So the record of
 * sent constants is cleared, and they are sent again. */
Test(exec_sent, forgotten_constants_are_sent_again)
{
    img_sent_note(&sent, &plan, 0);
    sent.bytes = 0;
    cr_expect_not(img_sent_holds(&sent, &plan, 0));
}
