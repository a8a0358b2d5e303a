# SPDX-License-Identifier: Apache-2.0
"""resumed_training.py <digits>: a training that is stopped after some epochs, and one that is killed, go on from their last
checkpoint to the losses and the accuracy of one that is not interrupted, bit for bit."""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

EPOCHS = 6
PROGRAM = sys.argv[1]


def command(*arguments, epochs=EPOCHS):
    return [PROGRAM, "--exact", "--epochs", str(epochs), *arguments]


def lines(*arguments, epochs=EPOCHS):
    run = subprocess.run(command(*arguments, epochs=epochs), stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"{run.stdout}\nexit status {run.returncode}")
    return re.findall(r"^epoch .*$|^test accuracy.*$", run.stdout, re.M)


def last_step(folder):
    steps = [int(path.name[5:]) for path in pathlib.Path(folder).glob("step-*") if path.name[5:].isdigit()]
    return max(steps, default=0)


problems = []
whole = lines()
with tempfile.TemporaryDirectory() as top:
    stopped, killed = f"{top}/stopped", f"{top}/killed"
    before = lines("--save", stopped, epochs=EPOCHS // 2)
    after = lines("--save", stopped, "--resume", stopped)
    if before[:-1] + after != whole:
        problems.append(f"not interrupted {whole}, stopped {before}, gone on with {after}")

    training = subprocess.Popen(command("--save", killed, epochs=10**6), stdout=subprocess.DEVNULL)
    while last_step(killed) < 2 and training.poll() is None:
        time.sleep(0.01)
    training.kill()
    training.wait()
    done = last_step(killed)
    after = lines("--resume", killed, epochs=done + 3)
    whole = lines(epochs=done + 3)
    if after != whole[done:]:
        problems.append(f"killed after {done} epochs: gone on with {after} instead of {whole[done:]}")
print(f"{EPOCHS // 2} of {EPOCHS} epochs; killed after {done}")
sys.exit("\n".join(problems) or 0)
