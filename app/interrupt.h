/* Removes unfinished files when a signal, or exit() in some library, ends the program. */
#ifndef IMGTOOL_APP_INTERRUPT_H
#define IMGTOOL_APP_INTERRUPT_H

#include "io/output.h"

/* Once, before any output is opened. Signals that the caller had ignored (nohup) stay ignored. */
void interrupt_install(void);

/* Hooks that note temporary files as long as they exist. */
const ImgOutputHooks *interrupt_hooks(void);

#endif
