# What programs do every day. Prints "done" last; any refusal is an exception before that.
import multiprocessing
import os
import resource
import select
import socket
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor


def square(number):
    return number * number


seen = []
threads = [threading.Thread(target=seen.append, args=(i,)) for i in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert sorted(seen) == list(range(8))

assert subprocess.run(["/bin/sh", "-c", "echo $((6 * 7))"], capture_output=True, check=True).stdout == b"42\n"
assert os.waitstatus_to_exitcode(os.posix_spawn("/bin/true", ["true"], {}) and os.wait()[1]) == 0

with multiprocessing.Lock():
    pass
with ProcessPoolExecutor(2) as pool:
    assert list(pool.map(square, range(20))) == [n * n for n in range(20)]

assert "lo" in [name for _, name in socket.if_nameindex()]
assert socket.getaddrinfo("127.0.0.1", 80, type=socket.SOCK_STREAM)
with socket.create_server(("127.0.0.1", 0)) as server:
    with socket.create_connection(server.getsockname()) as client:
        client.sendall(b"x")
        assert server.accept()[0].recv(1) == b"x"
left, right = socket.socketpair()
left.sendall(b"x")
assert right.recv(1) == b"x"

child = os.fork()
if child == 0:
    os._exit(3)
select.select([os.pidfd_open(child)], [], [])
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3

with tempfile.TemporaryFile() as file:
    file.write(os.urandom(1 << 16))
os.memfd_create("m")
os.setpriority(os.PRIO_PROCESS, 0, 5)
os.sched_getaffinity(0)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.setsid() if os.getpid() != os.getsid(0) else None
time.clock_gettime(time.CLOCK_BOOTTIME)
master, slave = os.openpty()
assert os.isatty(slave)
print("done")
