/* Private to the library: runs a function in the default floating-point environment. Some results
 * are rounded from floats. They must not depend on the rounding mode, the flushing of denormals or
 * the traps that the caller has set. */
#ifndef IMGTOOL_APP_LIBRARY_DEFAULT_FLOATS_H
#define IMGTOOL_APP_LIBRARY_DEFAULT_FLOATS_H

#include <fenv.h>

static inline fenv_t img_lib_set_default_floats(void)
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

/* Sets the default environment until the end of the block, and restores the caller's environment on
 * every exit from it. Use it as a declaration. */
#define IMG_LIB_DEFAULT_FLOATS()                                                                   \
    const fenv_t callers_floats __attribute__((unused, cleanup(img_lib_restore_floats))) =         \
        img_lib_set_default_floats()

#endif
