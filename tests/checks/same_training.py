# SPDX-License-Identifier: Apache-2.0
"""same_training.py <dp>x<mp> <digits on its own mesh> <digits on that mesh> <argument>...: a few epochs give the same
losses and accuracy on both; the second program gets the arguments. Sums are added up in another order, so that they agree to these tolerances, not bit for bit."""

import re
import subprocess
import sys

EPOCHS = 4
LOSS = 2e-4  # of losses around 1, printed with four digits
ACCURACY = 1 / 449 + 1e-3  # one of the held-out rows may fall on the other side; printed with three digits

sizes, own, other, *arguments = sys.argv[1:]
dp, mp = sizes.split("x")


def train(program, *arguments):
    run = subprocess.run([program, *arguments, "--epochs", str(EPOCHS)], stdout=subprocess.PIPE, text=True)
    mesh = re.search(r"^mesh Mesh\('dp': (\d+), 'mp': (\d+)", run.stdout, re.M)
    losses = [float(loss) for loss in re.findall(r"^epoch +\d+ +loss ([\d.]+)$", run.stdout, re.M)]
    accuracy = re.search(r"^test accuracy: ([\d.]+)\n\Z", run.stdout, re.M)
    if run.returncode or not mesh or not accuracy or len(losses) != EPOCHS:
        sys.exit(f"{run.stdout}\n{program}: exit status {run.returncode}; a mesh, {EPOCHS} losses and an accuracy were expected")
    print(f"mesh {mesh[1]}x{mesh[2]}: losses {losses}, accuracy {accuracy[1]}")
    return (mesh[1], mesh[2]), losses, float(accuracy[1])


(own_mesh, own_losses, own_accuracy), (mesh, losses, accuracy) = train(own), train(other, *arguments)
problems = []
if mesh != (dp, mp) or mesh == own_mesh:
    problems.append(f"the meshes are {own_mesh} and {mesh}")
if not own_losses[-1] < own_losses[0] / 2:
    problems.append("nothing was learned")
problems += [f"loss {b} instead of {a}" for a, b in zip(own_losses, losses) if abs(a - b) > LOSS]
if abs(own_accuracy - accuracy) > ACCURACY:
    problems.append(f"accuracy {accuracy} instead of {own_accuracy}")
sys.exit("\n".join(problems) or 0)
