/* Runs operations in the emulator, as model.h describes. CMakeLists.txt makes all names in this
 * object file and its kernels local. Otherwise they would collide with names of the program: its
 * table of operations, and the CUDA runtime. */
#include "app/bench/model/model.h"

#include <string.h>

#include <new>

#include "app/bench/model/model_run.h"
#include "kernels/core/cuda/cuda_util.h"

/* Declared as in kernels/registry.h, but for C++. */
extern "C" const ImgOp *img_op_at(size_t index);

using namespace emulator;

namespace
{

const ImgOp *find_op(const char *name, ImgError *err)
{
    for (size_t i = 0; img_op_at(i) != nullptr; i++)
        if (strcmp(img_op_at(i)->name, name) == 0)
            return img_op_at(i);
    img_fail(err, IMG_E_USAGE, "there is no operation or measurement '%s'", name);
    return nullptr;
}

const ImgImpl *find_row(const ImgOp *op, const char *name, ImgError *err)
{
    for (const ImgImpl *row = op->impls; row->name != nullptr; row++) {
        if (strcmp(row->name, name) != 0)
            continue;
        if (row->backend == IMG_BACKEND_CUDA && row->run != nullptr)
            return row;
        img_fail(err, IMG_E_USAGE,
                 "'%s' of %s runs on the CPU: only CUDA implementations can be counted", name,
                 op->name);
        return nullptr;
    }
    img_fail(err, IMG_E_USAGE, "%s has no implementation '%s'", op->name, name);
    return nullptr;
}

bool same_shape(ImgShape a, ImgShape b)
{
    return a.width == b.width && a.height == b.height && a.format.color == b.format.color &&
           a.format.bits == b.format.bits;
}

ImgStatus check(const ImgOp *op, const ImgImpl *row, const void *params, ImgShape src, ImgShape dst,
                ImgError *err)
{
    ImgShape result;
    ImgStatus status = op->shape(src, params, &result, err);
    if (status != IMG_OK)
        return status;
    if (!same_shape(result, dst))
        return img_fail(err, IMG_E_USAGE, "the result of %s is %d x %d pixels, not %d x %d",
                        op->name, result.width, result.height, dst.width, dst.height);
    if (row->applies != nullptr && !row->applies(op, src, params))
        return img_fail(err, IMG_E_UNSUPPORTED, "'%s' does not do what these parameters of %s ask",
                        row->name, op->name);
    return IMG_OK;
}

/* A picture on the emulated device, with the same pitch as the executor would use. */
struct DeviceImage {
    DeviceMemory memory;
    ImgView view = {};

    ImgStatus place(ImgShape shape, ImgError *err)
    {
        size_t pitch = img_device_pitch(shape), bytes;
        if (__builtin_mul_overflow(pitch, (size_t)shape.height, &bytes))
            return img_fail(err, IMG_E_MEMORY, "%d x %d pixels do not fit the emulated memory",
                            shape.width, shape.height);
        ImgStatus status = memory.allocate(bytes, err);
        if (status == IMG_OK)
            view = img_view_make(memory.get(), pitch, shape);
        return status;
    }
};

void copy_rows(const ImgView &from, const ImgView &to)
{
    size_t bytes = (size_t)from.width * img_format_pixel_size(from.format);
    for (int32_t y = 0; y < from.height; y++)
        memcpy(to.data + (size_t)y * to.stride, from.data + (size_t)y * from.stride, bytes);
}

ImgStatus run_op(const char *op_name, const char *row_name, const void *params, const ImgView *src,
                 const ImgView *dst, ImgLaunchCounts *counts, ImgError *err)
{
    const ImgOp *op = find_op(op_name, err);
    const ImgImpl *row = op != nullptr ? find_row(op, row_name, err) : nullptr;
    if (row == nullptr)
        return IMG_E_USAGE;
    ImgShape shape = img_view_shape(src), result = img_view_shape(dst);
    ImgStatus status = check(op, row, params, shape, result, err);
    if (status != IMG_OK)
        return status;

    DeviceImage in, out;
    DeviceMemory workspace;
    status = in.place(shape, err);
    if (status == IMG_OK)
        status = out.place(result, err);
    if (status == IMG_OK && row->workspace != nullptr)
        status = workspace.allocate(row->workspace(op, shape, params), err);
    if (status != IMG_OK)
        return status;
    copy_rows(*src, in.view);
    ImgConstants constants;
    DeviceMemory on_device;
    status = img_op_prepare(op, shape, params, &constants, err);
    if (status == IMG_OK)
        status = on_device.allocate(constants.size, err);
    if (status == IMG_OK) {
        if (constants.size > 0)
            memcpy(on_device.get(), constants.bytes, constants.size);
        ImgCall call = {op, in.view, out.view, params,         constants, on_device.get(),
                        1,  nullptr, nullptr,  workspace.get()};
        status = count_launches([&] { return row->run(&call, err); }, counts, err);
    }
    img_constants_free(&constants);
    if (status == IMG_OK)
        copy_rows(out.view, *dst);
    return status;
}

} // namespace

bool img_model_in_build(void)
{
    return true;
}

void img_model_on_no_memory(void (*handler)(void))
{
    std::set_new_handler(handler);
}

ImgStatus img_model_op(const char *op, const char *impl, const void *params, const ImgView *src,
                       const ImgView *dst, ImgLaunchCounts *counts, ImgError *err)
{
    ImgStatus status = run_op(op, impl, params, src, dst, counts, err);
    if (status == IMG_E_DEVICE)
        img_error_prefix(err, "%s, %s, emulated", op, impl);
    return status;
}
