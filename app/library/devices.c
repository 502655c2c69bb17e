#include <stdio.h>

#include "app/library/context.h"

enum { DEVICES_MAX = 64 };

static void describe(const ImgDeviceInfo *from, imgtool_device *to, size_t size)
{
    imgtool_device device = {.size = size,
                             .index = from->index,
                             .compute_major = from->compute_major,
                             .compute_minor = from->compute_minor,
                             .memory_bytes = from->memory_bytes};
    snprintf(device.name, sizeof device.name, "%s", from->name);
    img_lib_copy_struct(to, size, &device, sizeof device);
}

/* Checks the size that the first struct of the caller states. It is also used as the distance
 * between the structs. */
static imgtool_status check_devices(const imgtool_device *devices, size_t capacity,
                                    imgtool_error *error)
{
    if (capacity == 0)
        return IMGTOOL_OK;
    if (devices == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "devices is NULL, but capacity is %zu",
                            capacity);
    return img_lib_check_size(devices->size, sizeof *devices, "imgtool_device", error);
}

imgtool_status imgtool_devices(imgtool_device *devices, size_t capacity, size_t *count,
                               imgtool_error *error)
{
    ImgDeviceInfo found[DEVICES_MAX];
    ImgError failure = {IMG_OK, ""};
    int number = 0;
    if (count == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "count is NULL");
    *count = 0;
    imgtool_status status = check_devices(devices, capacity, error);
    if (status != IMGTOOL_OK)
        return status;
    const ImgStatus searched = img_cuda_devices(found, DEVICES_MAX, &number, &failure);
    const size_t size = capacity > 0 ? devices->size : 0;
    for (size_t i = 0; searched == IMG_OK && i < capacity && i < (size_t)number; i++)
        describe(&found[i], (imgtool_device *)(void *)((char *)devices + i * size), size);
    *count = searched == IMG_OK ? (size_t)number : 0;
    return img_lib_end(NULL, searched, &failure, error);
}
