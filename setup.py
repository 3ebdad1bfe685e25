"""Extension modules of `eights_core`; everything else about the build stands in pyproject.toml.

EIGHTS_CHECKED=1 makes the checked build: bounds checks, the core's own invariants, and undefined behaviour traps.
"""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MODULES = ["rng", "game", "halves", "belief", "ismcts", "encoding", "model"]

CHECKED = os.environ.get("EIGHTS_CHECKED", "0") not in ("", "0")
# Objects do not depend on the environment, so each kind of build has a folder of its own; sharing one rebuilds nothing.
BUILD = "build/checked" if CHECKED else "build"
JOBS = os.cpu_count() or 1

if sys.platform == "win32":
    FLAGS = ["/O2"]
else:
    # Fused multiply-adds would let two machines disagree on a UCB comparison, and so on a node count.
    FLAGS = ["-O3", "-ffp-contract=off"]
    if CHECKED:  # Python's own flags hold -fwrapv, under which a signed overflow would be no error
        FLAGS += ["-g", "-fno-wrapv", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
    "embedsignature": True,
}


class BuildExt(build_ext):
    """Builds in place even when the module standing there is the newer one, of the other kind."""

    def copy_file(self, *args, **kwargs):
        self.force, force = True, self.force
        try:
            return super().copy_file(*args, **kwargs)
        finally:
            self.force = force


def extension(name: str) -> Extension:
    return Extension(
        f"eights_core.{name}",
        [f"ext/eights_core/{name}.pyx"],
        include_dirs=["ext"],
        extra_compile_args=FLAGS,
        define_macros=[("EIGHTS_CHECKED", "1")] if CHECKED else [],
    )


if __name__ == "__main__":  # cythonize's worker processes import this file where they cannot fork
    setup(
        ext_modules=cythonize(
            [extension(name) for name in MODULES],
            include_path=["ext"],
            build_dir=f"{BUILD}/cython",
            compiler_directives=DIRECTIVES,
            nthreads=JOBS,
        ),
        cmdclass={"build_ext": BuildExt},
        options={"build": {"build_base": BUILD}, "build_ext": {"parallel": JOBS}},
    )
