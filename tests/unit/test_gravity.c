/* Tests of positions of one rectangle in another by gravity (kernels/core/geometry/gravity.h),
 * worked out by hand. */
#include <criterion/criterion.h>

#include "kernels/core/geometry/gravity.h"

static void expect(int32_t gravity, int32_t outer, int32_t inner, int32_t x, int32_t y)
{
    const ImgPlace place = img_gravity_place(gravity, outer, outer, inner, inner);
    cr_expect(place.x == x && place.y == y, "%d: %d in %d is at %d, %d", gravity, inner, outer,
              place.x, place.y);
}

Test(gravity, all_nine_places_match)
{
    for (int32_t i = 0; i < 9; i++)
        expect(i, 10, 4, i % 3 * 3, i / 3 * 3);
    expect(IMG_GRAVITY_NORTHEAST, 10, 4, 6, 0);
    expect(IMG_GRAVITY_SOUTH, 10, 4, 3, 6);
}

Test(gravity, an_odd_pixel_goes_to_the_end)
{
    expect(IMG_GRAVITY_CENTER, 10, 5, 2, 2);
    expect(IMG_GRAVITY_CENTER, 5, 10, -2, -2);
    expect(IMG_GRAVITY_CENTER, 1, 2, 0, 0);
}

Test(gravity, a_larger_rectangle_starts_before_the_origin)
{
    expect(IMG_GRAVITY_NORTHWEST, 4, 10, 0, 0);
    expect(IMG_GRAVITY_SOUTHEAST, 4, 10, -6, -6);
    expect(IMG_GRAVITY_EAST, INT32_MAX, 1, INT32_MAX - 1, INT32_MAX / 2);
    expect(IMG_GRAVITY_SOUTHEAST, 1, INT32_MAX, 1 - INT32_MAX, 1 - INT32_MAX);
}

Test(gravity, the_list_has_each_place_once)
{
    bool seen[9] = {false};
    int count = 0;
    for (const ImgChoice *choice = img_gravity_choices; choice->name != NULL; choice++, count++) {
        cr_assert(choice->value >= 0 && choice->value < 9);
        cr_expect_not(seen[choice->value], "%s", choice->name);
        seen[choice->value] = true;
    }
    cr_expect_eq(count, 9);
}
