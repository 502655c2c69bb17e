/* recompress IN.png OUT.png: decodes a picture and writes it smaller, with all its metadata. */
#include <imgtool.h>
#include <stdio.h>

static bool show(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    fprintf(stderr, "\r%3d %%", (int)(done * 100 / total));
    return true; /* returning false would cancel the encoding */
}

int main(int argc, char **argv)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT; /* reading keeps the format of the file */
    imgtool_metadata *metadata = NULL;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    if (argc != 3) {
        fprintf(stderr, "usage: recompress IN.png OUT.png\n");
        return 2;
    }
    config.progress = show;
    imgtool_status status = imgtool_context_create(&config, &context, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_read_file(context, argv[1], &picture, &metadata, &error);
    encoding.level = 9;
    encoding.metadata = metadata;
    if (status == IMGTOOL_OK)
        status = imgtool_write_file(context, &picture, &encoding, argv[2], &error);
    if (status == IMGTOOL_OK)
        printf("\n%d x %d pixels, %zu chunks beside them\n", picture.width, picture.height,
               imgtool_metadata_count(metadata));
    else
        fprintf(stderr, "\n%s\n", error.message);
    imgtool_picture_free(context, &picture);
    imgtool_metadata_destroy(metadata);
    imgtool_context_destroy(context);
    return status == IMGTOOL_OK ? 0 : 1;
}
