/* Tests of the chains of checkkernels. A chain runs several point operations in one pass; the
 * result is compared with that of single operations. */
#include "tests/checkkernels/chain.h"

#include <criterion/criterion.h>
#include <string.h>

static Chain chain; /* static, because it is too large for the stack */
static ImgPlan plan;

static const ImgShape one_pixel = {1, 1, {IMG_COLOR_RGB, 8}};

static void expect_refused(const char *text, const char *why)
{
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(chain_parse(text, &chain, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, why), "%s: %s", text, err.message);
}

Test(chain, steps_and_parameters_are_parsed)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(chain_parse("  linear multiply=0.5 add=0.25|invert ", &chain, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(chain.count, 2);
    cr_expect_str_eq(chain.steps[0].op->name, "linear");
    cr_expect_str_eq(chain.steps[1].op->name, "invert");
}

Test(chain, invalid_chains_are_rejected)
{
    expect_refused("", "at least one step");
    expect_refused("invert | | invert", "OPERATION NAME=VALUE");
    expect_refused("inverse", "inverse");
    expect_refused("gamma 1.4", "NAME=VALUE, not '1.4'");
    expect_refused("gamma value=red", "value");
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    expect_refused(text, "at most 1023 characters");
}

/* The sample 100 becomes 50 + 64 = 114, as 0.25 of 255 is 63.75. Inverted it is 141. */
Test(chain, a_pass_equals_its_steps)
{
    uint8_t src[3] = {100, 0, 255}, step_by_step[3], together[3];
    ImgError err = {IMG_OK, ""};
    ImgCall call = {.src = img_view_make(src, 3, one_pixel),
                    .dst = img_view_make(step_by_step, 3, one_pixel),
                    .threads = 1};
    cr_assert_eq(chain_parse("linear multiply=0.5 add=0.25 | invert", &chain, &err), IMG_OK);
    cr_assert_eq(chain_run_steps(&chain, "reference", &call, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(step_by_step[0], 141);
    cr_assert_eq(chain_plan(&chain, one_pixel, IMG_BACKEND_CPU, &plan, &err), IMG_OK);
    cr_expect_eq(plan.count, 1);
    cr_expect_eq(plan.passes[0].steps, 2);
    call.dst.data = together;
    call.constants = plan.passes[0].constants;
    cr_assert_eq(plan.passes[0].impl->run(&call, &err), IMG_OK);
    cr_expect_eq(memcmp(step_by_step, together, 3), 0);
    img_plan_free(&plan);
}

Test(chain, a_chain_of_several_passes_is_rejected)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(chain_parse("invert | flip | invert", &chain, &err), IMG_OK);
    cr_expect_eq(chain_plan(&chain, one_pixel, IMG_BACKEND_CPU, &plan, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "3 passes"), "%s", err.message);
}

Test(chain, a_step_that_fails_ends_the_chain)
{
    uint8_t src[3] = {1, 2, 3}, dst[3];
    ImgError err = {IMG_OK, ""};
    ImgCall call = {.src = img_view_make(src, 3, one_pixel),
                    .dst = img_view_make(dst, 3, one_pixel),
                    .threads = 1};
    cr_assert_eq(chain_parse("grayscale | linear multiply=1,2,3", &chain, &err), IMG_OK);
    cr_expect_neq(chain_run_steps(&chain, "reference", &call, &err), IMG_OK);
    cr_expect_neq(err.message[0], '\0');
}
