/* Who is told of damage in the pictures that steps read. */
#ifndef IMGTOOL_IO_STEP_DAMAGE_H
#define IMGTOOL_IO_STEP_DAMAGE_H

/* Gets the name of each picture that is damaged, with a sentence for each damage that leaves its
 * pixels readable: it is read without that. */
typedef struct ImgStepWarned {
    void (*each)(void *context, const char *name, const char *damage); /* NULL: nobody wants it */
    void *context;
} ImgStepWarned;

#endif
