# SPDX-License-Identifier: Apache-2.0
"""The modules of JAX 0.10.2 and optax with their public names (jax_names.txt), and names as pages write them: jnp.sum."""

import pathlib

SHORT = {"jnp": "jax.numpy", "lax": "jax.lax", "multihost_utils": "jax.experimental.multihost_utils",
         "mesh_utils": "jax.experimental.mesh_utils", "checkify": "jax.experimental.checkify", "initializers": "jax.nn.initializers",
         "pallas": "jax.experimental.pallas", "pl": "jax.experimental.pallas"}
# Names of modules end with a slash.
NAMES = {line.split(":")[0]: line.split()[1:]
         for line in pathlib.Path(__file__).with_name("jax_names.txt").read_text().splitlines()}
ALL = {module: {name.rstrip("/") for name in names} for module, names in NAMES.items()}


def of_jax(name):
    """(module, name) of what comes behind the longest module that the name begins with, (module, "") of a module; or None."""
    first, *rest = name.split(".")
    words = SHORT.get(first, first).split(".") + rest
    at = max((i for i in range(1, len(words) + 1) if ".".join(words[:i]) in ALL), default=0)
    module = ".".join(words[:at])
    if at == len(words):
        return module, ""
    return (module, words[at]) if at and words[at] in ALL[module] else None
