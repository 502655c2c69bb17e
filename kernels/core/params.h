/* Typed parameters of operations: one setter serves --sigma 2, "blur sigma=2" and the tests. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_H
#define IMGTOOL_KERNELS_CORE_PARAMS_H

#include "kernels/core/op.h"

/* The parameter of that name, or NULL. */
const ImgParam *img_param_find(const ImgOp *op, const char *name);

/* The parameter whose value may stand by itself, as in "resize 50%" and "overlay logo.png": the
 * first one, where it is a size or a file without a default. NULL: of that operation none. */
const ImgParam *img_param_positional(const ImgOp *op);

/* Writes the name that help gives the operand, such as "SIZE", "IMAGE" or "[WxH+X+Y]", to `text`,
 * and returns it; "" where the operation has no operand. */
const char *img_params_operand(const ImgOp *op, char *text, size_t size);

/* "crop 300x200+10+20": sets what the operation's shorthand stands for. *taken: the text is one.
 * IMG_E_USAGE where an option has set the same before; `params` is unchanged then. */
ImgStatus img_params_set_shorthand(const ImgOp *op, ImgParams *params, const char *text,
                                   bool *taken, ImgError *err);

/* Does every default parse? IMG_E_UNSUPPORTED names the one that does not, which is a mistake in
 * the descriptor: no operation that has one can be found by its name (kernels/registry.h). */
ImgStatus img_params_check_defaults(const ImgOp *op, ImgError *err);

/* All defaults, of an operation that passes that check. */
void img_params_init(const ImgOp *op, ImgParams *params);

/* Parses and checks one value. IMG_E_USAGE names the parameter, what was wrong and what is right,
 * and for an unknown name the nearest known one. `params` is unchanged on failure. */
ImgStatus img_params_set(const ImgOp *op, ImgParams *params, const char *name, const char *value,
                         ImgError *err);

/* The flag of that name, and of which parameter it is; NULL: of that operation none. */
const ImgChoice *img_param_flag_find(const ImgOp *op, const char *name, const ImgParam **param);

/* Stores what it stands for. False: there is none, and `params` is unchanged. */
bool img_params_set_flag(const ImgOp *op, ImgParams *params, const char *name);

/* Flags other than the parameter's own name; NULL: there is none. */
const ImgChoice *img_param_flags(const ImgParam *param);

/* Does its name alone stand for a value? */
bool img_param_is_flag(const ImgParam *param);

/* Of IMG_PARAM_FILE: what ImgOp.read_file made of the file, which `params` borrows. */
void img_params_set_content(const ImgParam *param, ImgParams *params, const void *content);

/* For an operation of which no parameter was given: IMG_E_USAGE where it needs one. `dashes`: "--"
 * where the user writes them before names, else "". */
ImgStatus img_params_check_given(const ImgOp *op, const char *dashes, ImgError *err);

/* Room for any value as text: a path, which is more than as many numbers as there can be. */
enum { IMG_PARAM_TEXT = IMG_PATH_SIZE };
_Static_assert(IMG_PARAM_TEXT > IMG_NUMBERS_MAX * sizeof "-1000000.000000", "numbers fit");

/* Writes the value as a user would type it, so that img_params_set makes the same bytes of it;
 * "" where the default is none and nothing was set. `size` bytes at `text`, always terminated. */
void img_params_print(const ImgParam *param, const ImgParams *params, char *text, size_t size);

/* Is the value the default, however that is written? */
bool img_param_is_default(const ImgParam *param, const ImgParams *params);

/* Bytes of the value at `offset`. */
size_t img_param_size(const ImgParam *param);

/* "90, 180 or 270", for errors. */
void img_choices_list(const ImgChoice *choices, char *text, size_t size);

/* "90|180|270", "0..2147483647" or "COLOR", for help. */
void img_param_describe(const ImgParam *param, char *text, size_t size);

#endif
