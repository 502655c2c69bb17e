/* Tests of numbers in memory: the bytes that each function reads and writes must not depend on the
 * byte order of the processor. */
#include <criterion/criterion.h>
#include <string.h>

#include "io/bytes.h"

static const uint8_t BYTES[8] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};

Test(io_bytes, png_numbers_are_big_endian)
{
    uint8_t out[4];
    cr_expect_eq(img_get_be16(BYTES), 0x0123);
    cr_expect_eq(img_get_be32(BYTES), 0x01234567);
    img_put_be32(out, 0x01234567);
    cr_expect_arr_eq(out, BYTES, sizeof out);
}

Test(io_bytes, deflate_numbers_are_little_endian)
{
    uint8_t four[4], eight[8];
    cr_expect_eq(img_get_le32(BYTES), 0x67452301);
    cr_expect_eq(img_get_le64(BYTES), UINT64_C(0xEFCDAB8967452301));
    img_put_le32(four, 0x67452301);
    cr_expect_arr_eq(four, BYTES, sizeof four);
    img_put_le64(eight, UINT64_C(0xEFCDAB8967452301));
    cr_expect_arr_eq(eight, BYTES, sizeof eight);
}

Test(io_bytes, four_words_are_in_ascending_order)
{
    const uint16_t words[4] = {0x0123, 0x4567, 0x89AB, 0xCDEF};
    uint16_t out[4];
    cr_expect_eq(img_get_four16(words), UINT64_C(0xCDEF89AB45670123));
    img_put_four16(out, UINT64_C(0xCDEF89AB45670123));
    cr_expect_arr_eq(out, words, sizeof words);
}
