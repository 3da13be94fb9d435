"""What cuda-bindings is asked for, with a driver in the place of CUDA's that says what it hears."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMPILER = shutil.which("cc")
SOURCE = Path(__file__).parent / "Inputs" / "libcuda.c"
# PyTorch has no CUDA here: what it is asked for is put in its place.
PROGRAM = """
import ctypes
import gc
import threading
import types

import torch
from torch_refine.runtime.cuda import driver

waited = []
stream = types.SimpleNamespace(synchronize=lambda: None, wait_event=waited.append)
state = types.SimpleNamespace(device=0, entered=0, captures=False)

class Device:
    def __init__(self, device):
        self.index = torch.device(device).index or 0

    def __enter__(self):
        self.before, state.device = state.device, self.index
        state.entered += 1

    def __exit__(self, *error):
        state.device = self.before

torch.cuda.current_stream = lambda *device: stream
torch.cuda.device = Device
torch.cuda.is_current_stream_capturing = lambda: state.captures
torch._C._cuda_getDevice = lambda: state.device
torch._C._cuda_getCurrentRawStream = lambda index: 77 + index
torch.cuda.get_device_capability = lambda device: (8, 9)
torch.cuda.get_device_properties = lambda device: types.SimpleNamespace(
    shared_memory_per_block_optin=101376
)

library = ctypes.CDLL("libcuda.so.1")
library.make_current.argtypes = [ctypes.c_void_p]
library.make_current(0xC0)
made = driver.CudaDriver("cuda:0")
assert made.chip == "sm_89"
assert made.launch and made.copy
assert made.stream() == 77
keeper, kernels = made.load("ptx", ["a", "b"])
assert kernels == [0x5678, 0x5678]
assert made.load("", []) == (None, [])
try:
    made.load("ptx", ["missing"])
except RuntimeError as error:
    print(error, flush=True)
print(made.message(719), flush=True)
launch = ctypes.CFUNCTYPE(ctypes.c_int)(made.launch)

def launch_in_a_thread():
    print("outside", launch())
    with made.current():
        print("inside", launch())
    print("after", launch(), flush=True)

assert launch() == 0
state.entered = 0
with made.current():
    assert launch() == 0
assert state.entered == 0, "what is current already is not made current again"
state.device = 1
with made.current():
    assert (state.device, launch()) == (0, 0)
assert (state.device, state.entered) == (1, 1), "PyTorch's device is the current one, too"
state.device = 0
thread = threading.Thread(target=launch_in_a_thread)
thread.start()
thread.join()
library.make_current(0xC1)
with made.current():
    assert launch() == 0
assert launch() == 201, "another context of the program's is current again"
mark = types.SimpleNamespace(query=lambda: is_done)
is_done = False
assert made.follow(mark) and waited == [mark]
is_done = True
assert not made.follow(mark)
state.captures = True
assert made.is_capturing()
library.capture_mode.restype = ctypes.c_int
mark.query = lambda: library.capture_mode() == 2
assert not made.follow(mark), "a capture allows the question where it is relaxed only"
mark.query = lambda: False
try:
    made.follow(mark)
except RuntimeError as error:
    print(error, flush=True)
assert library.capture_mode() == 0 and waited == [mark]
library.make_current(0xC1)
second = driver.CudaDriver("cuda:1")
assert second.stream() == 78
del keeper
gc.collect()
torch.cuda.get_device_capability = lambda device: (12, 0)
assert driver.chip_of("cuda:0") == "sm_90"
torch.cuda.get_device_capability = lambda device: (9, 0)
assert driver.chip_of("cuda:0") == "sm_90a", "its code runs on no other chip"
torch.cuda.get_device_capability = lambda device: (6, 1)
try:
    driver.chip_of("cuda:0")
except driver.CompileError as error:
    print(error, flush=True)
"""


@pytest.mark.skipif(COMPILER is None, reason="no C compiler to make a driver with")
def test_the_driver_is_asked_for_what_there_is(tmp_path):
    library = tmp_path / "libcuda.so.1"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert "the CUDA driver reports CUDA_ERROR_NOT_FOUND: named symbol not found" in said
    (failed,) = [line for line in said if line.startswith("CUDA_ERROR_LAUNCH_FAILED")]
    # What is left of 99 KiB, of dynamic shared memory (attribute 8).
    assert said.count("allow 100376 as 8 for 0x5678") == 2
    assert "unspecified launch failure; a kernel that was launched before has stopped" in failed
    assert "this process cannot use the GPU any longer" in failed
    assert "cuda:0 is older than sm_70, the oldest chip that is supported" in said
    assert any("call torch.cuda.synchronize() before the capture" in line for line in said)
    heard = [line for line in said if line.startswith(("load", "find", "unload"))]
    assert [line for line in said if line.startswith(("outside", "inside", "after"))] == [
        "outside 201",
        "inside 0",
        "after 201",
    ], "a new thread has no context, and gets none that it keeps"
    assert heard[:3] == ["load ptx", "find a in 0x1234", "find b in 0x1234"]
    assert heard.count("unload 0x1234") == 2, "what is not used any longer is unloaded"
