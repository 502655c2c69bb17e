/* Private to the library: work in the default floating-point environment, whatever the caller's is.
 * Some results are rounded from floats, and must not depend on the rounding mode, on denormals that
 * count as 0, or on traps of the program around the library. */
#ifndef IMGTOOL_APP_LIBRARY_DEFAULT_FLOATS_H
#define IMGTOOL_APP_LIBRARY_DEFAULT_FLOATS_H

#include <fenv.h>

static inline fenv_t img_lib_take_floats(void)
{
    fenv_t callers;
    (void)fegetenv(&callers);
    (void)fesetenv(FE_DFL_ENV);
    return callers;
}

static inline void img_lib_restore_floats(const fenv_t *callers)
{
    (void)fesetenv(callers);
}

/* A declaration: from here to the end of the block, however that is left. */
#define IMG_LIB_DEFAULT_FLOATS()                                                                   \
    const fenv_t callers_floats __attribute__((unused, cleanup(img_lib_restore_floats))) =         \
        img_lib_take_floats()

#endif
