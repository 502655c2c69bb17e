/* Converts two pixels to gray. main.cpp compiles this program as C++ too. */
#include <imgtool.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char colours[] = {255, 255, 255, 0, 0, 0}, grays[] = {1, 1};
    imgtool_context *context = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture from = IMGTOOL_PICTURE_INIT, to = IMGTOOL_PICTURE_INIT;
    from.width = to.width = 2;
    from.height = to.height = 1;
    from.format.color = IMGTOOL_RGB;
    to.format.color = IMGTOOL_GRAY;
    from.format.bits = to.format.bits = 8;
    from.pixels = colours;
    from.stride = sizeof colours;
    to.pixels = grays;
    to.stride = sizeof grays;
    if (imgtool_context_create(NULL, &context, &error) != IMGTOOL_OK ||
        imgtool_convert(context, &from, &to, &error) != IMGTOOL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    imgtool_context_destroy(context);
    if (grays[0] != 255 || grays[1] != 0)
        return 1;
    printf("imgtool %s\n", imgtool_version());
    return 0;
}
