"""Long calls: other threads run, Ctrl-C is heeded, a fork works."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tautochrone as tc
from conftest import SEED


class Hit(Exception):
    """What the signal's handler raises here."""


def seconds_to_stop(call: Callable[[], object]) -> float:
    """Sends a signal 0.15 s after the call began; seconds that it went on."""

    def handler(*_: object) -> None:
        raise Hit

    old = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.15)
    start = time.monotonic()
    try:
        with pytest.raises(Hit):
            call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    return time.monotonic() - start - 0.15


def test_ctrl_c_ends_samplers_and_leaves_zeros() -> None:
    out = np.ones(1 << 27, np.int64)
    assert seconds_to_stop(lambda: tc.Ziggurat(1e9).sample(out=out)) < 2
    assert not out.any()


def test_ctrl_c_ends_products() -> None:
    x = np.ones((1 << 13, 1 << 13), np.uint32)
    # 2^39 terms: several seconds.
    assert seconds_to_stop(lambda: tc.matmul(x, x)) < 8


def test_ctrl_c_ends_batches() -> None:
    jobs = [((1 << 4096) - 3, (1 << 4096) - 1, (1 << 4096) - 5)] * 4096
    assert seconds_to_stop(lambda: tc.modexp_batch(jobs)) < 8


def test_ctrl_c_ends_commitments_and_proofs() -> None:
    params = tc.Params("T64-128", l=1 << 16)
    witness = np.zeros(params.witness_shape, np.int8, order="F")
    assert seconds_to_stop(lambda: tc.commit(params, witness)) < 3
    small = tc.Params("T64-128", l=1 << 14)
    witness = tc.random_witness(small)
    statement = tc.commit(small, witness)
    assert seconds_to_stop(lambda: [tc.prove(statement, witness) for _ in range(50)]) < 8
    proof = tc.prove(statement, witness, check=False)
    assert seconds_to_stop(lambda: checks(statement, proof)) < 3


@pytest.mark.parametrize(
    "call",
    [
        lambda: tc.Ziggurat(1e9).sample(1 << 24),
        lambda: tc.matmul(np.ones((2048, 2048), np.uint64), np.ones((2048, 2048), np.uint64)),
        lambda: tc.modexp(3, (1 << 8192) - 1, (1 << 8192) - 3),
        lambda: tc.Ice(20, bytes(160)).encrypt(bytes(1 << 26)),
        lambda: tc.prove(*committed("T4-128")),
    ],
    ids=["sample", "matmul", "modexp", "ice", "prove"],
)
def test_other_threads_run(call: Callable[[], object]) -> None:
    ticks, done = [], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    call()
    end = time.monotonic()
    done.set()
    thread.join()
    during = [t for t in ticks if start < t < end]
    assert len(during) >= min(5, (end - start) / 0.05), (len(during), end - start)


def checks(statement: bytes, proof: bytes) -> None:
    for _ in range(50):
        tc.verify(statement, proof)


def committed(preset: str) -> tuple[bytes, Any]:
    witness = tc.random_witness(preset)
    return tc.commit(preset, witness), witness


def test_a_stream_serves_one_thread_at_a_time() -> None:
    stream = tc.Stream(SEED)
    refused = threading.Event()

    def sample() -> None:
        ziggurat = tc.Ziggurat(1e9)
        while not refused.is_set():
            # The other thread may be the first.
            with contextlib.suppress(tc.StreamError):
                ziggurat.sample(1 << 20, seed=stream)

    thread = threading.Thread(target=sample)
    thread.start()
    deadline = time.monotonic() + 60
    while not refused.is_set() and time.monotonic() < deadline:
        try:
            stream.bytes(1)
        except tc.StreamError:
            refused.set()
        # A call that waits for the interpreter still uses the stream; nothing does now.
        time.sleep(0.001)
    in_time = refused.is_set()
    refused.set()
    thread.join()
    assert in_time
    assert len(stream.bytes(1)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_has_threads_of_its_own_and_no_streams() -> None:
    x = np.ones((1024, 1024), np.uint32)
    tc.matmul(x, x)
    stream = tc.Stream(SEED)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            tc.matmul(x, x)
            stream.bytes(1)
        except tc.StreamError:
            code = 0
        finally:
            os._exit(code)
    assert wait(child) == 0


def wait(child: int) -> int:
    for _ in range(600):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def test_ctrl_c_as_users_press_it() -> None:
    code = "import tautochrone as tc; print(flush=True); tc.Ziggurat(1e9).sample(1 << 28)"
    # Shells start commands in the background with SIGINT ignored, which children inherit.
    program = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert program.stdout is not None
    program.stdout.readline()
    time.sleep(0.1)
    program.send_signal(signal.SIGINT)
    _, stderr = program.communicate(timeout=20)
    assert b"KeyboardInterrupt" in stderr


def test_everything_is_documented() -> None:
    for name in tc.__all__:
        thing = getattr(tc, name)
        if name == "PRESETS":
            continue
        assert thing.__doc__, name
        if isinstance(thing, type) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                assert member.startswith("_") or value.__doc__, (name, member)
    assert tc.__version__ == "0.1.0"
    assert issubclass(tc.InsecureError, tc.ParameterError) and issubclass(
        tc.ParameterError, ValueError
    )
