/* Every experiment, named once, in the order in which they are shown. LAB_EXPERIMENT(square) stands
 * for the descriptor `lab_square`, which square.c defines, and for `lab_launch_square` of
 * square.cu, which queues one run; without them the program does not link. */
LAB_EXPERIMENT(square)
LAB_EXPERIMENT(rectangle)
LAB_EXPERIMENT(stride)
LAB_EXPERIMENT(guard)
LAB_EXPERIMENT(sum)
LAB_EXPERIMENT(sum_rounds)
LAB_EXPERIMENT(matmul)
LAB_EXPERIMENT(coalescing)
