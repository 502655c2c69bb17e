#!/usr/bin/env python3
"""Thumbnails by OpenCV in a pool of processes, for thumbnail.sh.

    cv2_thumbnails.py PROCESSES SIZE OUTPUT_DIR FILE...
"""
import multiprocessing
import os
import sys

import cv2

PROCESSES, SIZE, OUTPUT = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


def work(path):
    cv2.setNumThreads(1)
    picture = cv2.imread(path, cv2.IMREAD_COLOR)
    height, width = picture.shape[:2]
    scale = min(1, SIZE / width, SIZE / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    cv2.imwrite(os.path.join(OUTPUT, os.path.basename(path)),
                cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


if __name__ == "__main__":
    with multiprocessing.Pool(PROCESSES) as pool:
        pool.map(work, sys.argv[4:], chunksize=4)
