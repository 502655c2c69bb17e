/* Typed parameters of operations. The same functions set them for --sigma 2, for "blur sigma=2" and
 * for the tests. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_H
#define IMGTOOL_KERNELS_CORE_PARAMS_H

#include "kernels/core/op.h"

/* Returns the parameter of that name, or NULL. */
const ImgParam *img_param_find(const ImgOp *op, const char *name);

/* Returns the parameter whose value may be given without its name, as in "resize 50%" and "overlay
 * logo.png". It is the first one, if that is a size or a file without a default. Returns NULL
 * otherwise. */
const ImgParam *img_param_positional(const ImgOp *op);

/* Writes the name of the operand in help, such as "SIZE", "IMAGE" or "[WxH+X+Y]", to `text` and
 * returns `text`. Writes "" if the operation has no operand. */
const char *img_params_operand(const ImgOp *op, char *text, size_t size);

/* Sets the parameters that a shorthand stands for, as in "crop 300x200+10+20". Sets *taken if the
 * text is a shorthand. Returns IMG_E_USAGE, with `params` unchanged, if an option has set one of
 * them before. */
ImgStatus img_params_set_shorthand(const ImgOp *op, ImgParams *params, const char *text,
                                   bool *taken, ImgError *err);

/* Checks that every default parses. Otherwise returns IMG_E_UNSUPPORTED; the message names the
 * first that does not. That is an error in the descriptor, and kernels/registry.h does not find
 * such an operation. */
ImgStatus img_params_check_defaults(const ImgOp *op, ImgError *err);

/* Sets all parameters to their defaults. The operation must pass img_params_check_defaults. */
void img_params_init(const ImgOp *op, ImgParams *params);

/* Parses and checks one value. On a mistake returns IMG_E_USAGE, with `params` unchanged. The
 * message names the parameter, the mistake and what is valid, and for an unknown name the nearest
 * known one. */
ImgStatus img_params_set(const ImgOp *op, ImgParams *params, const char *name, const char *value,
                         ImgError *err);

/* Returns the flag of that name, and sets *param to its parameter. Returns NULL if the operation
 * has no such flag. */
const ImgChoice *img_param_flag_find(const ImgOp *op, const char *name, const ImgParam **param);

/* Stores the value that a flag stands for. Returns false, with `params` unchanged, if there is no
 * such flag. */
bool img_params_set_flag(const ImgOp *op, ImgParams *params, const char *name);

/* Returns the flags other than the parameter's own name, or NULL if there are none. */
const ImgChoice *img_param_flags(const ImgParam *param);

/* Returns true if the name alone stands for a value. */
bool img_param_is_flag(const ImgParam *param);

/* Sets the content of an IMG_PARAM_FILE, which ImgOp.read_file returned. `params` borrows it. */
void img_params_set_content(const ImgParam *param, ImgParams *params, const void *content);

/* Returns IMG_E_USAGE if the operation needs at least one parameter. Call it when none was given.
 * `dashes` is "--" if the user writes dashes before names, else "". */
ImgStatus img_params_check_given(const ImgOp *op, const char *dashes, ImgError *err);

/* Bytes that suffice for any value as text. A path is longer than the longest list of numbers. */
enum { IMG_PARAM_TEXT = IMG_PATH_SIZE };
_Static_assert(IMG_PARAM_TEXT > IMG_NUMBERS_MAX * sizeof "-1000000.000000", "numbers fit");

/* Writes the value as a user would type it; img_params_set parses it to the same bytes. Writes ""
 * if there is no default and nothing was set. `text` has `size` bytes and is always terminated. */
void img_params_print(const ImgParam *param, const ImgParams *params, char *text, size_t size);

/* Returns true if the value equals the default, however that is written. */
bool img_param_is_default(const ImgParam *param, const ImgParams *params);

/* Returns the number of bytes of the value at `offset`. */
size_t img_param_size(const ImgParam *param);

/* Writes the choices for error messages, such as "cpu, cuda or auto". */
void img_choices_list(const ImgChoice *choices, char *text, size_t size);

/* Writes the valid values for help, such as "90|180|270", "0..2147483647" or "COLOR". */
void img_param_describe(const ImgParam *param, char *text, size_t size);

#endif
