/* Measures NPP's resizing, rotation and affine warps, for comparison with imgtool
 * (kernels/resize/MEASUREMENTS.md):
 *
 *     npp_geometry [WIDTH HEIGHT]
 *
 * CMake builds it with the tests if it finds NPP. By hand:
 *
 *     nvcc -O2 -I. -o npp_geometry tests/peers/npp/npp_geometry.c tests/peers/npp/npp_timing.c \
 *          app/bench/timing/plain_read.cu kernels/core/status.c -lnppig -lnppc
 *
 * If NPP shrinks a picture, its interpolation "super" averages all source pixels that one pixel of
 * the result covers. The time of NPP's Lanczos hardly grows with the factor, so its window does not
 * seem to become wider. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/peers/npp/npp_timing.h"

/* A picture, its result, and the parameters of a resize, rotation or warp. */
typedef struct Task {
    NppiSize from, to;
    void *src, *dst;
    int src_step, dst_step; /* bytes per row of `src` and of `dst` */
    int filter;             /* interpolation, an NPPI_INTER_ constant of NPP */
    double angle, matrix[2][3];
    NppStreamContext context;
} Task;

#define WHOLE(size) ((NppiRect){0, 0, (size).width, (size).height})

#define DEFINE_CALLS(SUFFIX, TYPE)                                                                 \
    static NppStatus resize_##SUFFIX(const void *task)                                             \
    {                                                                                              \
        const Task *t = task;                                                                      \
        return nppiResize_##SUFFIX##_Ctx((const TYPE *)t->src, t->src_step, t->from,               \
                                         WHOLE(t->from), (TYPE *)t->dst, t->dst_step, t->to,       \
                                         WHOLE(t->to), t->filter, t->context);                     \
    }                                                                                              \
    static NppStatus rotate_##SUFFIX(const void *task)                                             \
    {                                                                                              \
        const Task *t = task;                                                                      \
        return nppiRotate_##SUFFIX##_Ctx((const TYPE *)t->src, t->from, t->src_step,               \
                                         WHOLE(t->from), (TYPE *)t->dst, t->dst_step,              \
                                         WHOLE(t->to), t->angle, t->matrix[0][2], t->matrix[1][2], \
                                         t->filter, t->context);                                   \
    }                                                                                              \
    static NppStatus affine_##SUFFIX(const void *task)                                             \
    {                                                                                              \
        const Task *t = task;                                                                      \
        return nppiWarpAffine_##SUFFIX##_Ctx((const TYPE *)t->src, t->from, t->src_step,           \
                                             WHOLE(t->from), (TYPE *)t->dst, t->dst_step,          \
                                             WHOLE(t->to), t->matrix, t->filter, t->context);      \
    }

DEFINE_CALLS(8u_C1R, Npp8u)
DEFINE_CALLS(8u_C3R, Npp8u)
DEFINE_CALLS(8u_C4R, Npp8u)
DEFINE_CALLS(16u_C1R, Npp16u)

static const struct {
    const char *name;
    size_t pixel;
    NppCall *resize, *rotate, *affine;
} formats[] = {
    {"gray8", 1, resize_8u_C1R, rotate_8u_C1R, affine_8u_C1R},
    {"rgb8", 3, resize_8u_C3R, rotate_8u_C3R, affine_8u_C3R},
    {"rgba8", 4, resize_8u_C4R, rotate_8u_C4R, affine_8u_C4R},
    {"gray16", 2, resize_16u_C1R, rotate_16u_C1R, affine_16u_C1R},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

typedef struct Filter {
    const char *name;
    int code;
} Filter;

/* Makes a task with both pictures in device memory. `format` is an index of `formats`. */
static Task make_task(size_t format, NppiSize from, NppiSize to)
{
    const size_t pixel = formats[format].pixel;
    Task task = {.from = from, .to = to, .context = npp_stream()};
    task.src_step = npp_step((size_t)from.width * pixel);
    task.dst_step = npp_step((size_t)to.width * pixel);
    const size_t bytes = (size_t)task.src_step * (size_t)from.height;
    task.src = npp_memory(bytes);
    task.dst = npp_memory((size_t)task.dst_step * (size_t)to.height);
    npp_fill_with_noise(task.src, bytes);
    return task;
}

static void free_task(Task *task)
{
    npp_free(task->src);
    npp_free(task->dst);
}

/* Returns the milliseconds of a copy on the device, for comparison. Its reads and writes together
 * are as many bytes as both pictures have. */
static float time_copy(const Task *task, size_t pixel)
{
    const size_t pixels = (size_t)task->from.width * (size_t)task->from.height +
                          (size_t)task->to.width * (size_t)task->to.height;
    const size_t bytes = pixels * pixel / 2;
    void *const from = npp_memory(bytes), *const to = npp_memory(bytes);
    const float milliseconds = npp_time_copy((NppCopy){to, from, bytes});
    npp_free(from);
    npp_free(to);
    return milliseconds;
}

static void time_resize(size_t format, NppiSize from, double percent)
{
    static const Filter filters[] = {{"linear", NPPI_INTER_LINEAR},
                                     {"cubic", NPPI_INTER_CUBIC},
                                     {"Lanczos", NPPI_INTER_LANCZOS},
                                     {"super", NPPI_INTER_SUPER}};
    const NppiSize to = {(int)lround(from.width * percent / 100),
                         (int)lround(from.height * percent / 100)};
    Task task = make_task(format, from, to);
    const float copy = time_copy(&task, formats[format].pixel);
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        char name[64];
        task.filter = filters[i].code;
        snprintf(name, sizeof name, "resize %g%% %s", percent, filters[i].name);
        npp_print(name, formats[format].name, npp_time(formats[format].resize, &task), copy);
    }
    free_task(&task);
}

/* Times rotations and affine warps by `angle` degrees around the middle. The result has the size of
 * the source. */
static void time_warps(size_t format, NppiSize size, double angle)
{
    static const Filter filters[] = {{"linear", NPPI_INTER_LINEAR}, {"cubic", NPPI_INTER_CUBIC}};
    Task task = make_task(format, size, size);
    const double radians = angle * acos(-1.0) / 180, c = cos(radians), s = sin(radians);
    const double x = (size.width - 1) / 2.0, y = (size.height - 1) / 2.0;
    const double matrix[2][3] = {{c, s, x - c * x - s * y}, {-s, c, y + s * x - c * y}};
    const float copy = time_copy(&task, formats[format].pixel);
    task.angle = angle;
    for (int i = 0; i < 6; i++)
        task.matrix[i / 3][i % 3] = matrix[i / 3][i % 3];
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        char name[64];
        task.filter = filters[i].code;
        snprintf(name, sizeof name, "rotate %g %s", angle, filters[i].name);
        npp_print(name, formats[format].name, npp_time(formats[format].rotate, &task), copy);
        snprintf(name, sizeof name, "affine %g %s", angle, filters[i].name);
        npp_print(name, formats[format].name, npp_time(formats[format].affine, &task), copy);
    }
    free_task(&task);
}

int main(int argc, char **argv)
{
    static const double sizes[] = {17.2, 25, 50, 75, 200, 300};
    const NppiSize size = npp_size(argc, argv, "npp_geometry [WIDTH HEIGHT]");
    printf("NPP, %d x %d pixels; %% of a copy of the bytes read and written\n", size.width,
           size.height);
    for (size_t f = 0; f < FORMATS; f++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            if ((int64_t)size.width * size.height < 100000000 || sizes[i] < 100)
                time_resize(f, size, sizes[i]);
        time_warps(f, size, 7.5);
    }
    return 0;
}
