/* Replaces the functions of device.h in a build without CUDA: they report that the GPU is
 * unavailable. */
#include "io/png/device.h"

static const char NOT_HERE[] = "no CUDA in this build";

ImgPngDeviceReader *img_png_device_reader(const uint8_t *data, const ImgPngHeader *header,
                                          const ImgPngScan *scan, const ImgMetadata *metadata,
                                          bool is_pinned, const char **why_not)
{
    (void)data;
    (void)header;
    (void)scan;
    (void)metadata;
    (void)is_pinned;
    *why_not = NOT_HERE;
    return NULL;
}

ImgDeviceEnd img_png_device_source(ImgPngDeviceReader *reader)
{
    (void)reader;
    return (ImgDeviceEnd){0};
}

void img_png_device_reader_free(ImgPngDeviceReader *reader)
{
    (void)reader;
}

ImgPngDeviceWriter *img_png_device_writer(ImgShape shape, const ImgPngEncodeOptions *options,
                                          bool interlaced, size_t expected, const char **why_not)
{
    (void)shape;
    (void)options;
    (void)interlaced;
    (void)expected;
    *why_not = NOT_HERE;
    return NULL;
}

ImgDeviceEnd img_png_device_sink(ImgPngDeviceWriter *writer)
{
    (void)writer;
    return (ImgDeviceEnd){0};
}

const ImgPngEncodedStrips *img_png_device_strips(const ImgPngDeviceWriter *writer)
{
    (void)writer;
    return NULL;
}

void img_png_device_writer_free(ImgPngDeviceWriter *writer)
{
    (void)writer;
}
