/* Implementations that teach: simpler kernels, with which the fast ones are compared. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_TEXTBOOK_H
#define IMGTOOL_KERNELS_CORE_CUDA_TEXTBOOK_H

/* Stands before the declaration of a function that a file NAME_textbook.cu defines. These files are
 * the target imgtool_textbook, which the command and the tests link, and other programs do not. The
 * symbols are weak, so the functions are NULL in a program without the target, and ImgImpl.run says
 * that this build does not contain them. The automatic choice never takes one of them: another
 * implementation after it in the table supports all the same pictures and parameters. Only tables
 * of implementations and files of the target may name such a function. */
#define IMG_TEXTBOOK __attribute__((weak, visibility("hidden")))

#endif
