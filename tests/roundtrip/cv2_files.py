#!/usr/bin/env python3
"""OpenCV's part of interchange.sh. Needs the Debian package python3-opencv.

  cv2_files.py hash FILE...     prints one line per file: a hash of the pixels that OpenCV decodes
  cv2_files.py write IN OUT_DIR writes the picture with every level and strategy
"""
import sys
import zlib

import cv2

if sys.argv[1] == "hash":
    for name in sys.argv[2:]:
        image = cv2.imread(name, cv2.IMREAD_UNCHANGED)
        print("refused" if image is None else f"{image.shape} {zlib.crc32(image.tobytes()):08x}")
else:
    image = cv2.imread(sys.argv[2], cv2.IMREAD_UNCHANGED)
    for level in range(10):
        for strategy in range(5):
            options = [cv2.IMWRITE_PNG_COMPRESSION, level, cv2.IMWRITE_PNG_STRATEGY, strategy]
            cv2.imwrite(f"{sys.argv[3]}/cv2-{level}-{strategy}.png", image, options)
