// imgtool.h in C++: the same program.
#include "main.c"
