// The same program with imgtool.h in C++.
#include "main.c"
