/* Typed parameters of operations. The same functions set them for the option --sigma 2, for the
 * step "blur sigma=2" and in tests. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_H
#define IMGTOOL_KERNELS_CORE_PARAMS_H

#include "kernels/core/op.h"

/* Returns the parameter of `op` that has the given name, or NULL if there is none. */
const ImgParam *img_param_find(const ImgOp *op, const char *name);

/* Returns the parameter whose value may be given without its name, as in "resize 50%" and "overlay
 * logo.png". It is the first parameter, if that is a size or a file without a default. Returns NULL
 * otherwise. */
const ImgParam *img_param_positional(const ImgOp *op);

/* Writes the word that help shows for a value given without a name, or for the shorthand, such as
 * "SIZE", "IMAGE" or "[WxH+X+Y]". Writes "" if the operation accepts neither. Returns `text`, which
 * has `size` bytes. */
const char *img_params_operand(const ImgOp *op, char *text, size_t size);

/* Sets the parameters for which a shorthand stands, as in "crop 300x200+10+20". Sets *taken if
 * `text` is a shorthand. Returns IMG_E_USAGE, with `params` unchanged, if one of these parameters
 * already has a value other than its default. */
ImgStatus img_params_set_shorthand(const ImgOp *op, ImgParams *params, const char *text,
                                   bool *taken, ImgError *err);

/* Checks that every default of `op` can be parsed. Otherwise returns IMG_E_UNSUPPORTED; the message
 * names the first invalid default. That is an error in the descriptor, and functions of
 * kernels/registry.h do not find such an operation. */
ImgStatus img_params_check_defaults(const ImgOp *op, ImgError *err);

/* Sets all parameters to their defaults. `op` must pass img_params_check_defaults. */
void img_params_init(const ImgOp *op, ImgParams *params);

/* Parses and checks the value of one parameter, and stores it. If the name or the value is invalid,
 * returns IMG_E_USAGE, with `params` unchanged. The message names the parameter, the mistake and
 * the valid values. For an unknown name it suggests the nearest known one. */
ImgStatus img_params_set(const ImgOp *op, ImgParams *params, const char *name, const char *value,
                         ImgError *err);

/* Returns the flag of `op` that has the given name, and sets *param to its parameter. Returns NULL
 * if there is no such flag. */
const ImgChoice *img_param_flag_find(const ImgOp *op, const char *name, const ImgParam **param);

/* Stores the value for which the flag `name` stands. Returns false, with `params` unchanged, if
 * there is no such flag. */
bool img_params_set_flag(const ImgOp *op, ImgParams *params, const char *name);

/* Returns the flags of a parameter. Returns NULL if it has none, or if its own name is a flag. */
const ImgChoice *img_param_flags(const ImgParam *param);

/* Returns true if the name of the parameter, without a value, is a flag. */
bool img_param_is_flag(const ImgParam *param);

/* Sets the content of an IMG_PARAM_FILE to the result of ImgOp.file.read, which `params`
 * borrows. */
void img_params_set_content(const ImgParam *param, ImgParams *params, const void *content);

/* Returns IMG_E_USAGE if the operation needs at least one parameter. Call it when a user has given
 * none. `dashes` is "--" if users write dashes before names, else "". */
ImgStatus img_params_check_given(const ImgOp *op, const char *dashes, ImgError *err);

/* Number of bytes that suffices for any value as text. A path is longer than the longest list of
 * numbers. */
enum { IMG_PARAM_TEXT = IMG_PATH_SIZE };
_Static_assert(IMG_PARAM_TEXT > IMG_NUMBERS_MAX * sizeof "-1000000.000000", "numbers fit");

/* Writes the value of a parameter as a user would type it; img_params_set parses the text to the
 * same bytes. Writes "" if there is neither a value nor a default. `text` has `size` bytes and is
 * always terminated. */
void img_params_print(const ImgParam *param, const ImgParams *params, char *text, size_t size);

/* Returns true if the value equals the default, even if the default is written in another form. */
bool img_param_is_default(const ImgParam *param, const ImgParams *params);

/* Returns the number of bytes that the value takes at ImgParam.offset. */
size_t img_param_size(const ImgParam *param);

/* Writes the names of the choices as a list for error messages, such as "cpu, cuda or auto". */
void img_choices_list(const ImgChoice *choices, char *text, size_t size);

/* Writes the valid values for help, such as "90|180|270", "0..2147483647" or "COLOR". */
void img_param_describe(const ImgParam *param, char *text, size_t size);

#endif
