/* pipeline: makes a picture, runs a pipeline on it and encodes the result as PNG, all in memory. */
#include <imgtool.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 480 };

static unsigned char pixels[HEIGHT][WIDTH][3];

static void draw(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            pixels[y][x][0] = (unsigned char)(x * 255 / WIDTH);
            pixels[y][x][1] = (unsigned char)(y * 255 / HEIGHT);
            pixels[y][x][2] = (unsigned char)((x / 32 + y / 32) % 2 * 255);
        }
}

int main(void)
{
    imgtool_context *context = NULL;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    void *file = NULL;
    size_t bytes = 0;
    draw();
    picture.width = WIDTH; /* The program owns the pixels, so picture.owned is false. */
    picture.height = HEIGHT;
    picture.format.color = IMGTOOL_RGB;
    picture.format.bits = 8;
    picture.pixels = pixels;
    picture.stride = sizeof pixels[0];
    imgtool_status status = imgtool_context_create(NULL, &context, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_run_text(
            context, "resize 50% | rotate angle=7.5 background=white | sharpen", &picture, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_write_memory(context, &picture, NULL, &file, &bytes, &error);
    if (status == IMGTOOL_OK)
        printf("%d x %d pixels, a PNG of %zu bytes\n", picture.width, picture.height, bytes);
    else
        fprintf(stderr, "%s\n", error.message);
    imgtool_free(context, file);
    imgtool_picture_free(context, &picture);
    imgtool_context_destroy(context);
    return status == IMGTOOL_OK ? 0 : 1;
}
