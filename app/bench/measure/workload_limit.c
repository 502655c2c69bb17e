#include "app/bench/measure/workload_limit.h"

#include "app/bench/timing/host_limits.h"

static size_t packed_bytes(ImgShape shape)
{
    return (size_t)shape.width * img_format_pixel_size(shape.format) * (size_t)shape.height;
}

/* What a copy moves in one direction, so that it moves as many bytes as the operation, whatever it
 * makes of them. */
static size_t copied_bytes(ImgShape src, ImgShape result)
{
    return (packed_bytes(src) + packed_bytes(result)) / 2;
}

size_t workload_room_bytes(ImgShape src, ImgShape result)
{
    const bool copies = result.format.color != IMG_COLOR_COUNTS;
    return copies && packed_bytes(src) != packed_bytes(result) ? copied_bytes(src, result) : 0;
}

uint64_t workload_limit_bytes(const Workload *workload)
{
    ImgShape src = img_view_shape(workload->src);
    return workload->measures ? packed_bytes(src)
                              : 2 * (uint64_t)copied_bytes(src, workload->result);
}

/* The copy that is the limit, between the pictures of one memory and its room. */
static ImgDeviceCopy limit_copy(const Workload *workload, const void *src, void *dst, void *room)
{
    ImgShape shape = img_view_shape(workload->src);
    bool shrinks = packed_bytes(workload->result) < packed_bytes(shape);
    return (ImgDeviceCopy){.to = room != NULL && shrinks ? room : dst,
                           .from = room != NULL && !shrinks ? room : src,
                           .size = copied_bytes(shape, workload->result)};
}

ImgStatus workload_limit_on_device(Workload *workload, ImgCaches caches, int repeats,
                                   double *seconds, ImgError *err)
{
    size_t all = packed_bytes(img_view_shape(workload->src));
    ImgDeviceRead read = {workload->device, workload->device_src, all};
    ImgDeviceCopy copy =
        limit_copy(workload, workload->device_src, workload->device_dst, workload->device_room);
    return img_device_time(workload->device, workload->measures ? img_device_read : img_device_copy,
                           workload->measures ? (void *)&read : (void *)&copy, caches, repeats,
                           seconds, err);
}

/* Rows are packed in host memory but for a few bytes. */
void workload_limit_on_cpu(Workload *workload)
{
    if (workload->measures) {
        workload->read +=
            img_host_read(workload->src->data, packed_bytes(img_view_shape(workload->src)),
                          workload->team, workload->threads);
        return;
    }
    ImgDeviceCopy copy =
        limit_copy(workload, workload->src->data, workload->got.view.data, workload->room);
    img_host_copy(copy.to, copy.from, copy.size, workload->team, workload->threads);
}
