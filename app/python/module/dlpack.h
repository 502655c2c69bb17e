/* DLPack as it is exchanged in capsules: the layout that all who take part have agreed on. */
#ifndef IMGTOOL_APP_PYTHON_MODULE_DLPACK_H
#define IMGTOOL_APP_PYTHON_MODULE_DLPACK_H

#include <stdint.h>

enum { DLPACK_CPU = 1, DLPACK_CUDA = 2, DLPACK_CUDA_HOST = 3, DLPACK_CUDA_MANAGED = 13 };
enum { DLPACK_INTEGER = 0, DLPACK_UNSIGNED = 1, DLPACK_FLOAT = 2, DLPACK_BOOL = 6 };

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
    int64_t *strides; /* in samples; NULL: there are no gaps */
    uint64_t offset;  /* of the first sample from `data`, in bytes */
} DlpackTensor;

typedef struct DlpackManaged {
    DlpackTensor tensor;
    void *owner;
    void (*release)(struct DlpackManaged *self); /* by who takes it, once, when he is done */
} DlpackManaged;

/* The name of a capsule, and of one that was taken: its tensor is not the capsule's any more. */
#define DLPACK_CAPSULE "dltensor"
#define DLPACK_TAKEN   "used_dltensor"

#endif
