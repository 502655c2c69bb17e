"""The build backend of the repository's root, for those who name this directory."""

import os

from scikit_build_core.build import *  # noqa: F401,F403 (the hooks of PEP 517)

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir))
