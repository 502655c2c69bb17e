/* Arranges many pictures on one contact sheet. */
#ifndef IMGTOOL_APP_MONTAGE_MONTAGE_H
#define IMGTOOL_APP_MONTAGE_MONTAGE_H

#include "app/files/inputs.h"

/* Makes the sheet, and writes it atomically to the file `montage->last`. Each picture is turned
 * upright before its steps, and fitted to its cell after them. Enters the sandbox before any file
 * is read. */
int montage_run(const ManyPictures *montage);

#endif
