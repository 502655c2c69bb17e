/* How the variants of `coalescing` get at elements of three components. */
#ifndef IMGTOOL_KERNELS_LAB_COALESCING_H
#define IMGTOOL_KERNELS_LAB_COALESCING_H

typedef enum LabCoalescing {
    LAB_ELEMENTS, /* one thread an element, component by component */
    LAB_STAGED,   /* by way of shared memory */
    LAB_PACKED,   /* three vectors of 16 bytes a thread, exchanged in registers */
    LAB_PLANES,   /* other data: three planes, one after the other */
} LabCoalescing;

#endif
