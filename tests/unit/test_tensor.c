/* Tensors in host memory: values worked out by hand, channels, layouts. */
#include <criterion/criterion.h>
#include <string.h>

#include "io/tensor/tensor.h"
#include "io/tensor/tensor_priv.h"

/* Returns a tensor for one picture of the given size. */
static ImgTensor tensor_for(void *data, int32_t width, int32_t height, int32_t channels,
                            ImgElement element)
{
    return (ImgTensor){.data = data,
                       .count = 1,
                       .height = height,
                       .width = width,
                       .channels = channels,
                       .element = element,
                       .deviation = {1, 1, 1, 1}};
}

static ImgView view_of(void *pixels, int32_t width, int32_t height, ImgColor color, int bits)
{
    const ImgFormat format = {color, bits};
    return (ImgView){pixels, (size_t)width * img_format_pixel_size(format), width, height, format};
}

Test(tensor, floats_are_rounded_to_16_bits)
{
    static const struct {
        float value;
        uint32_t half, brain;
    } cases[] = {
        {0, 0, 0},
        {1, 0x3c00, 0x3f80},
        {-2, 0xc000, 0xc000},
        {65504, 0x7bff, 0x4780},    /* the largest float16 */
        {65519, 0x7bff, 0x4780},    /* below the middle to 65536 */
        {65520, 0x7c00, 0x4780},    /* the middle: to even, which is infinity */
        {0x1p-14F, 0x0400, 0x3880}, /* the smallest normal float16 */
        {0x1p-24F, 0x0001, 0x3380}, /* the smallest float16 */
        {0x1p-25F, 0x0000, 0x3300}, /* half of it: to even */
        {0x1.8p-25F, 0x0001, 0x3340},
        {0x1.ff8p-15F, 0x03ff, 0x3880}, /* the largest subnormal float16 */
        {0x1.ffcp-15F, 0x0400, 0x3880}, /* the middle to the smallest normal one: to even */
        {0x1.002p0F, 0x3c00, 0x3f80},   /* 1 and half of the last bit of a float16: to even */
        {0x1.006p0F, 0x3c02, 0x3f80},   /* 1 and one and a half: to even */
        {0x1.01p0F, 0x3c04, 0x3f80},    /* half of the last bit of a bfloat16: to even */
        {0x1.03p0F, 0x3c0c, 0x3f82},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t bits = tensor_float_bits(cases[i].value);
        cr_expect_eq(tensor_float16(bits), cases[i].half, "%a: float16 %x", (double)cases[i].value,
                     tensor_float16(bits));
        cr_expect_eq(tensor_bfloat16(bits), cases[i].brain, "%a: bfloat16 %x",
                     (double)cases[i].value, tensor_bfloat16(bits));
    }
}

Test(tensor, samples_are_divided_by_the_largest_and_normalised)
{
    uint8_t pixels[] = {0, 51, 255};
    float numbers[3];
    ImgTensor tensor = tensor_for(numbers, 1, 1, 3, IMG_FLOAT32);
    const ImgView view = view_of(pixels, 1, 1, IMG_COLOR_RGB, 8);
    img_tensor_put(&tensor, 0, &view);
    cr_expect_eq(numbers[0], 0.0F);
    cr_expect_eq(numbers[1], 0.2F);
    cr_expect_eq(numbers[2], 1.0F);
    memcpy(tensor.mean, (float[]){0.5F, 0.2F, 0.25F, 0}, sizeof tensor.mean);
    memcpy(tensor.deviation, (float[]){0.25F, 2, 0.5F, 1}, sizeof tensor.deviation);
    img_tensor_put(&tensor, 0, &view);
    cr_expect_eq(numbers[0], -2.0F);
    cr_expect_eq(numbers[1], 0.0F);
    cr_expect_eq(numbers[2], 1.5F);
}

Test(tensor, integers_use_all_values_of_the_element)
{
    uint8_t four[] = {15, 1}, bytes[2];
    uint16_t deep[] = {128, 129, 65535, 65406, 65407}, words[5];
    ImgTensor tensor = tensor_for(bytes, 2, 1, 1, IMG_UINT8);
    ImgView view = view_of(four, 2, 1, IMG_COLOR_GRAY, 4);
    img_tensor_put(&tensor, 0, &view);
    cr_expect_eq(bytes[0], 255);
    cr_expect_eq(bytes[1], 17);
    view.format.color = IMG_COLOR_PALETTE; /* indices stay as they are */
    img_tensor_put(&tensor, 0, &view);
    cr_expect_eq(bytes[0], 15);
    cr_expect_eq(bytes[1], 1);

    uint8_t narrow[5];
    tensor = tensor_for(narrow, 5, 1, 1, IMG_UINT8);
    view = view_of(deep, 5, 1, IMG_COLOR_GRAY, 16);
    img_tensor_put(&tensor, 0, &view); /* 65535 / 255 = 257: 128 is nearer to 0, 129 to 1 */
    cr_expect_arr_eq(narrow, ((uint8_t[]){0, 1, 255, 254, 255}), 5);

    uint8_t three[] = {0, 2, 255};
    tensor = tensor_for(words, 3, 1, 1, IMG_UINT16);
    view = view_of(three, 3, 1, IMG_COLOR_GRAY, 8);
    img_tensor_put(&tensor, 0, &view);
    cr_expect_arr_eq(words, ((uint16_t[]){0, 514, 65535}), 3 * sizeof *words);
}

Test(tensor, channels_and_layouts)
{
    /* two pixels of gray and alpha, as RGBA */
    uint8_t pixels[] = {10, 20, 30, 40}, numbers[2 * 8];
    ImgTensor tensor = tensor_for(numbers, 2, 1, 4, IMG_UINT8);
    ImgView view = view_of(pixels, 2, 1, IMG_COLOR_GRAY_ALPHA, 8);
    img_tensor_put(&tensor, 0, &view);
    cr_expect_arr_eq(numbers, ((uint8_t[]){10, 10, 10, 20, 30, 30, 30, 40}), 8);
    tensor.channels_first = true;
    tensor.count = 2;
    memset(numbers, 0, sizeof numbers);
    img_tensor_put(&tensor, 1, &view); /* the second place */
    cr_expect_arr_eq(numbers, ((uint8_t[8]){0}), 8);
    cr_expect_arr_eq(numbers + 8, ((uint8_t[]){10, 30, 10, 30, 10, 30, 20, 40}), 8);

    /* RGB without alpha becomes opaque, and alpha can be dropped */
    uint8_t color[] = {1, 2, 3};
    tensor = tensor_for(numbers, 1, 1, 4, IMG_UINT8);
    view = view_of(color, 1, 1, IMG_COLOR_RGB, 8);
    img_tensor_put(&tensor, 0, &view);
    cr_expect_arr_eq(numbers, ((uint8_t[]){1, 2, 3, 255}), 4);
    tensor = tensor_for(numbers, 2, 1, 1, IMG_UINT8);
    view = view_of(pixels, 2, 1, IMG_COLOR_GRAY_ALPHA, 8);
    img_tensor_put(&tensor, 0, &view);
    cr_expect_arr_eq(numbers, ((uint8_t[]){10, 30}), 2);
}

Test(tensor, rejects_what_does_not_fit)
{
    const ImgTensor gray = tensor_for(NULL, 4, 3, 1, IMG_UINT8);
    const ImgTensor color = tensor_for(NULL, 4, 3, 3, IMG_UINT8);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_tensor_check(&gray, (ImgShape){4, 3, {IMG_COLOR_PALETTE, 4}}, &err), IMG_OK);
    cr_expect_eq(img_tensor_check(&color, (ImgShape){4, 3, {IMG_COLOR_GRAY, 16}}, &err), IMG_OK);
    cr_expect_eq(img_tensor_check(&color, (ImgShape){3, 4, {IMG_COLOR_RGB, 8}}, &err),
                 IMG_E_UNSUPPORTED);
    cr_expect_str_eq(err.message, "3 x 4 pixels, in a tensor for pictures of 4 x 3; give all "
                                  "pictures one size by a step, such as 'resize 4x3 fit=cover'");
    err = (ImgError){IMG_OK, ""};
    cr_expect_eq(img_tensor_check(&gray, (ImgShape){4, 3, {IMG_COLOR_RGBA, 8}}, &err),
                 IMG_E_UNSUPPORTED);
    err = (ImgError){IMG_OK, ""};
    cr_expect_eq(img_tensor_check(&color, (ImgShape){4, 3, {IMG_COLOR_PALETTE, 8}}, &err),
                 IMG_E_UNSUPPORTED);
    cr_expect_eq(img_tensor_bytes(&color), 36);
}

/* Compares with the reference: all formats, elements, channels and layouts, with gaps between the
 * rows. */
Test(tensor, rows_equal_the_reference)
{
    enum { WIDTH = 19, HEIGHT = 5, GAP = 6, MOST = WIDTH * HEIGHT * 16, VARIANTS = 5 * 4 * 2 * 2 };
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 1},    {IMG_COLOR_GRAY, 4},    {IMG_COLOR_GRAY, 8},
        {IMG_COLOR_GRAY, 16},   {IMG_COLOR_RGB, 8},     {IMG_COLOR_RGB, 16},
        {IMG_COLOR_RGBA, 8},    {IMG_COLOR_RGBA, 16},   {IMG_COLOR_GRAY_ALPHA, 8},
        {IMG_COLOR_PALETTE, 2}, {IMG_COLOR_PALETTE, 8}, {IMG_COLOR_GRAY_ALPHA, 16},
    };
    static uint8_t pixels[(WIDTH * 8 + GAP) * HEIGHT], numbers[2][2 * MOST];
    int compared = 0;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        ImgView view = view_of(pixels, WIDTH, HEIGHT, formats[f].color, formats[f].bits);
        const uint32_t maximum = formats[f].bits < 8 ? img_format_maximum(formats[f]) : 0xff;
        view.stride += GAP;
        for (size_t i = 0; i < sizeof pixels; i++)
            pixels[i] = (uint8_t)((uint32_t)i * 2654435761U >> 24 & maximum);
        for (int variant = 0; variant < VARIANTS; variant++) {
            ImgTensor tensor = tensor_for(numbers[0], WIDTH, HEIGHT, 1 + variant / 5 % 4,
                                          (ImgElement)(variant % 5));
            tensor.count = 2;
            tensor.channels_first = variant / 20 % 2 != 0;
            tensor.indices = variant / 40 != 0;
            memcpy(tensor.mean, (float[]){0.5F, 0.25F, 0.1F, 0}, sizeof tensor.mean);
            memcpy(tensor.deviation, (float[]){0.3F, 2, 0.7F, 1}, sizeof tensor.deviation);
            if ((tensor.indices && tensor.channels != 1) ||
                img_tensor_check(&tensor, img_view_shape(&view), NULL) != IMG_OK)
                continue;
            memset(numbers, 0xa5, sizeof numbers);
            img_tensor_put(&tensor, 1, &view);
            tensor.data = numbers[1];
            img_tensor_put_reference(&tensor, 1, &view);
            cr_expect_arr_eq(numbers[0], numbers[1], sizeof numbers[0], "format %zu, variant %d", f,
                             variant);
            compared++;
        }
    }
    cr_expect_gt(compared, 300);
}
