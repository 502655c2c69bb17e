#!/usr/bin/env python3
"""cv2_turn_file.py IN.png OUT.png: turns a file by 90 degrees with OpenCV and its default settings, and prints
the microseconds of reading, turning and writing, without the start of Python. Needs the Debian package
python3-opencv."""
import sys
import time

import cv2

start = time.perf_counter()
image = cv2.imread(sys.argv[1], cv2.IMREAD_UNCHANGED)
cv2.imwrite(sys.argv[2], cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE))
print(round((time.perf_counter() - start) * 1e6))
