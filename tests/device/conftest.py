"""Makes `table`, the sources that use every function, importable by the tests of this folder."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "functions"))
