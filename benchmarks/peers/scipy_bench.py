# SPDX-License-Identifier: Apache-2.0
"""SciPy: factors of matrices, triangular systems and least squares, float64.  scipy_bench.py [--budget S] [--round N]

A batch is a loop over its matrices, in memory that is there already where SciPy's function takes some."""
import argparse

import numpy as np
import scipy.linalg

from common import Report, err, randn

parser = argparse.ArgumentParser()
parser.add_argument("--budget", type=float, default=0.2)
parser.add_argument("--round", type=int, default=0)
options = parser.parse_args()
report = Report("scipy", options.round, options.budget)


def lu(a):
    return [scipy.linalg.lu_factor(m, check_finite=False) for m in a]


def qr(a):
    return [scipy.linalg.qr(m, mode="economic", check_finite=False) for m in a]


def triangular(a):
    return [scipy.linalg.solve_triangular(m, m.T, lower=True, check_finite=False) for m in a]


def svd(a):
    return [scipy.linalg.svd(m, check_finite=False) for m in a]


def lstsq(a):
    return [scipy.linalg.lstsq(m[:, : m.shape[1] // 2], m[:, -1:], check_finite=False) for m in a]


def lu_error(a):
    both, pivots = lu(a)[0]
    rows = np.arange(len(both))
    for i, p in enumerate(pivots):
        rows[[i, p]] = rows[[p, i]]
    return err((np.tril(both, -1) + np.eye(len(both))) @ np.triu(both), a[0][rows])


def qr_error(a):
    q, r = qr(a)[0]
    return err(q @ r, a[0])


def triangular_error(a):
    return err(np.tril(a[0]) @ triangular(a)[0], a[0].T)


def svd_error(a):
    u, s, vt = svd(a)[0]
    return err(u * s @ vt, a[0])


def lstsq_error(a):
    m = a[0][:, : a.shape[2] // 2]
    return err(1 + m.T @ (m @ lstsq(a)[0][0] - a[0][:, -1:]), np.ones((m.shape[1], 1)))


CALLS = (
    ("lu", lu, lu_error, 0),
    ("qr", qr, qr_error, 0),
    ("triangular_solve", triangular, triangular_error, 2),
    ("svd", svd, svd_error, 0),
    ("lstsq", lstsq, lstsq_error, 0),
)
for name, call, wrong, diagonal in CALLS:
    for n, batch in ((64, 1), (64, 64), (256, 1), (256, 8), (768, 1)):
        a = randn(9, batch, n, n).astype(np.float64) + diagonal * n * np.eye(n)
        report.time("linalg." + name, {"n": n, "batch": batch}, lambda: call(a), check=wrong(a), tol=1e-9)
