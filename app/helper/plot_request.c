#include "app/helper/plot_request.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 16 };

/* Header of a request. The counts of each series follow, then the title with its zero byte. */
typedef struct Head {
    uint64_t series_count, bins, maximum, pixels, log_scale, title_size;
    char names[PLOT_SERIES_MAX][NAME_SIZE];
} Head;

ImgStatus plot_request_pack(const PlotHistogram *what, PlotBytes *bytes, ImgError *err)
{
    size_t each = (size_t)what->bins * sizeof(uint64_t);
    Head head = {what->series_count, (uint64_t)what->bins,    what->maximum, what->pixels,
                 what->log_scale,    strlen(what->title) + 1, {""}};
    *bytes = PLOT_BYTES_NONE;
    uint8_t *data = malloc(sizeof head + what->series_count * each + head.title_size);
    if (data == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the plot");
    bytes->data = data;
    data += sizeof head;
    for (size_t i = 0; i < what->series_count; i++) {
        strncpy(head.names[i], what->series[i].name, NAME_SIZE - 1);
        memcpy(data, what->series[i].counts, each);
        data += each;
    }
    memcpy(data, what->title, head.title_size);
    memcpy(bytes->data, &head, sizeof head);
    bytes->size = (size_t)(data - bytes->data) + head.title_size;
    return IMG_OK;
}

static bool is_whole(const Head *head, const PlotBytes *bytes)
{
    if (head->series_count < 1 || head->series_count > PLOT_SERIES_MAX || head->bins < 1 ||
        head->bins > UINT16_MAX + 1 || head->maximum > UINT32_MAX || head->title_size < 1)
        return false;
    uint64_t counts = head->series_count * head->bins * sizeof(uint64_t);
    return bytes->size - sizeof *head >= counts &&
           bytes->size - sizeof *head - counts == head->title_size &&
           bytes->data[bytes->size - 1] == '\0';
}

ImgStatus plot_request_unpack(const PlotBytes *bytes, PlotSeries series[PLOT_SERIES_MAX],
                              PlotHistogram *what, ImgError *err)
{
    const Head *head = (const Head *)(const void *)bytes->data;
    if (bytes->size < sizeof *head || !is_whole(head, bytes))
        return img_fail(err, IMG_E_FORMAT, "the histogram to draw is incomplete");
    const uint64_t *counts = (const uint64_t *)(const void *)(bytes->data + sizeof *head);
    for (size_t i = 0; i < head->series_count; i++)
        series[i] = (PlotSeries){head->names[i], counts + i * head->bins};
    *what = (PlotHistogram){
        .title = (const char *)(counts + head->series_count * head->bins),
        .series = series,
        .series_count = (size_t)head->series_count,
        .bins = (int)head->bins,
        .maximum = (uint32_t)head->maximum,
        .pixels = head->pixels,
        .log_scale = head->log_scale != 0,
    };
    return IMG_OK;
}
