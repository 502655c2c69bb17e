/* Receives warnings about pictures that steps read. */
#ifndef IMGTOOL_IO_STEP_DAMAGE_H
#define IMGTOOL_IO_STEP_DAMAGE_H

/* Receives the warnings about pictures that steps read: one call for each kind of damage that
 * leaves the pixels readable. The damaged part is ignored. */
typedef struct ImgStepWarned {
    void (*each)(void *context, const char *name, const char *damage); /* NULL: warnings are not
                                                                        * wanted */
    void *context;
} ImgStepWarned;

#endif
