# SPDX-License-Identifier: Apache-2.0
"""record_jax_names.py: writes jax_names.txt, the public names of JAX and optax, a module a line, for check.pages and
check.jax_names; names of modules end with a slash. Run it with the Python that has the JAX whose names the pages use (0.10.2)."""

import importlib
import inspect
import pathlib
import warnings

MODULES = """jax jax.numpy jax.numpy.linalg jax.numpy.fft jax.lax jax.lax.linalg jax.nn jax.nn.initializers jax.random jax.sharding
jax.tree jax.tree_util jax.debug jax.ops jax.profiler jax.distributed jax.dlpack jax.stages jax.core jax.ffi jax.image jax.scipy
jax.scipy.special jax.scipy.linalg jax.experimental jax.experimental.multihost_utils jax.experimental.mesh_utils
jax.experimental.checkify jax.experimental.pallas jax.monitoring jax.export jax.ad_checkpoint jax.dtypes jax.errors jax.typing optax""".split()

LEAKY = ("jax.experimental.multihost_utils",)  # what it imports is visible, too


def is_own(module, name):
    return module.__name__ not in LEAKY or getattr(getattr(module, name), "__module__", "") == module.__name__


warnings.simplefilter("ignore")
lines = []
for module in MODULES:
    loaded = importlib.import_module(module)
    names = [name for name in dir(loaded) if not name.startswith("_") and hasattr(loaded, name) and is_own(loaded, name)]
    lines.append(f"{module}: {' '.join(name + '/' * inspect.ismodule(getattr(loaded, name)) for name in names)}\n")
pathlib.Path(__file__).with_name("jax_names.txt").write_text("".join(lines))
