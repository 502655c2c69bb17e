/* The structures of DLPack that capsules contain. The DLPack specification fixes their layout. */
#ifndef IMGTOOL_APP_PYTHON_MODULE_DLPACK_H
#define IMGTOOL_APP_PYTHON_MODULE_DLPACK_H

#include <stdint.h>

enum { DLPACK_CPU = 1, DLPACK_CUDA = 2, DLPACK_CUDA_HOST = 3, DLPACK_CUDA_MANAGED = 13 };
enum {
    DLPACK_INTEGER = 0,
    DLPACK_UNSIGNED = 1,
    DLPACK_FLOAT = 2,
    DLPACK_BFLOAT = 4,
    DLPACK_BOOL = 6
};

typedef struct DlpackTensor {
    void *data;
    struct {
        int32_t type, index;
    } device;
    int32_t dimensions;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } sample;
    int64_t *shape;
    int64_t *strides; /* strides in samples; NULL: no gaps between rows */
    uint64_t offset;  /* offset in bytes from `data` to the first sample */
} DlpackTensor;

typedef struct DlpackManaged {
    DlpackTensor tensor;
    void *owner;
    /* function that the consumer calls once, when it no longer uses the tensor */
    void (*release)(struct DlpackManaged *self);
} DlpackManaged;

/* The names of a capsule before and after a consumer has taken its tensor. A capsule with the
 * second name no longer owns the tensor. */
#define DLPACK_CAPSULE "dltensor"
#define DLPACK_TAKEN   "used_dltensor"

#endif
