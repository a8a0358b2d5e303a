# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/losses_test.cpp, for record.py; optax 0.2.8."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from record import call, f32

x, y = f32(8, 6), f32(8, 6, seed=1)
p = np.array(jax.nn.softmax(f32(8, 6, seed=2)))
p[3] = np.eye(6, dtype=np.float32)[2]
share = f32(8, 6, low=0.05, high=0.95, seed=3)
binary = (f32(8, 6, seed=4) > 0).astype(np.float32)
classes = np.int32([0, 5, 2, 1, -1, 4, 3, 3])

call("softmax_cross_entropy", optax.softmax_cross_entropy, x, p)
call("softmax_cross_entropy of columns", lambda x, p: optax.softmax_cross_entropy(x, p, axis=0), x, p)
call("softmax_cross_entropy_with_integer_labels", optax.softmax_cross_entropy_with_integer_labels, x, classes)
call("softmax_cross_entropy of no class", optax.softmax_cross_entropy_with_integer_labels, x, np.int32([0, 5, 6, 1, -7, 4, -100, 3]), slopes=False)
call("sigmoid_binary_cross_entropy", optax.sigmoid_binary_cross_entropy, 5 * x, share)
call("sigmoid_binary_cross_entropy of bits", optax.sigmoid_binary_cross_entropy, 30 * x, binary.astype(np.int32))
call("sigmoid_focal_loss", lambda x, y: optax.sigmoid_focal_loss(x, y, gamma=1.5), x, share)
call("sigmoid_focal_loss of bits", optax.sigmoid_focal_loss, x, binary, slopes=False)
call("squared_error", optax.squared_error, x, y)
call("l2_loss", optax.l2_loss, x)
call("huber_loss", lambda x, y: optax.huber_loss(x, y, delta=1.5), x, y)
call("huber_loss of errors", optax.huber_loss, x)
call("log_cosh", optax.log_cosh, 9 * x, y)
call("hinge_loss", lambda x, y: optax.hinge_loss(x, jnp.sign(y)), x, y)
call("cosine_similarity", optax.cosine_similarity, x, y)
call("cosine_distance", lambda x, y: optax.cosine_distance(x, y, epsilon=5.0, axis=0), x, y, slopes=False)
call("kl_divergence", lambda x, p: optax.kl_divergence(jax.nn.log_softmax(x), p), x, p, slopes=False)
call("smooth_labels", lambda p: optax.smooth_labels(p, 0.1), p)
