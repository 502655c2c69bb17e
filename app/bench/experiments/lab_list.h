/* The list of experiments, in the order in which they are shown. LAB_EXPERIMENT(square) stands for
 * the descriptor `lab_square` in square.c and the launcher `lab_launch_square` in square.cu. If one
 * of them is missing, linking fails. */
LAB_EXPERIMENT(square)
LAB_EXPERIMENT(rectangle)
LAB_EXPERIMENT(stride)
LAB_EXPERIMENT(guard)
LAB_EXPERIMENT(sum)
LAB_EXPERIMENT(sum_rounds)
LAB_EXPERIMENT(matmul)
LAB_EXPERIMENT(coalescing)
