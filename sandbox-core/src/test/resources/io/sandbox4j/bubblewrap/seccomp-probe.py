# Makes system calls by number and prints one line each: a key, and OK or the error's name.
import ctypes
import errno
import fcntl
import mmap
import os
import platform
import select
import signal
import sys
import termios
import threading

sys.stdout.reconfigure(line_buffering=True)
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
numbers = {name: int(number) for name, number in (pair.split("=") for pair in sys.argv[1:])}
HIGH = 1 << 32
NEWUSER = 0x10000000


def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_ulong(a & (2**64 - 1)) for a in arguments])
    return result, "OK" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def report(key, number, *arguments):
    print(key, call(number, *arguments)[1])


def named(key, name, *arguments):
    report(key, numbers[name], *arguments)


def socket_call(key, *arguments):
    result, answer = call(numbers["socket"], *arguments)
    if result >= 0:
        os.close(result)
    print(key, answer)


def ended_by(action):
    child = os.fork()
    if child == 0:
        action()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "exit"


def interrupt_0x80():
    # mov eax, 20 (getpid of i386); int 0x80; ret
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


def interrupt_0x80_in_a_thread():
    thread = threading.Thread(target=interrupt_0x80)
    thread.start()
    thread.join()


# Every call of the table once, with arguments no kernel accepts.
for name, number in numbers.items():
    report(name, number, -1, -1, -1, -1, -1, -1)

# Without a filter these would succeed, and be in the way of the others.
if "plain" not in os.environ:
    named("unshare-user", "unshare", NEWUSER)
    clone_args = (ctypes.c_uint64 * 8)(NEWUSER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    named("clone3-user", "clone3", ctypes.addressof(clone_args), ctypes.sizeof(clone_args))
    named("clone-user", "clone", NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
    named("clone-user-high", "clone", HIGH | NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
    named("ptrace-attach", "ptrace", 16, 1, 0, 0)

# In a child, because a traced process stops at its next signal.
ended_by(lambda: named("ptrace-traceme", "ptrace", 0, 0, 0, 0))
named("personality-query", "personality", 0xffffffff)
named("personality-no-aslr", "personality", 0x0040000)
if platform.machine() == "x86_64":
    report("x32-getpid", 0x40000000 | 39)
    report("x32-ptrace", 521)
    print("int-0x80", ended_by(interrupt_0x80))
    print("int-0x80-thread", ended_by(interrupt_0x80_in_a_thread))

STREAM, DGRAM, RAW = 1, 2, 3
socket_call("unix", 1, STREAM, 0)
socket_call("inet", 2, STREAM, 0)
socket_call("inet-high", HIGH | 2, STREAM, 0)
socket_call("inet-udp", 2, DGRAM, 17)
socket_call("inet6", 10, STREAM, 0)
socket_call("netlink-route", 16, RAW, 0)
socket_call("netlink-audit", 16, RAW, 9)
socket_call("netlink-uevent", 16, RAW, 15)
socket_call("packet", 17, RAW, 0)
socket_call("packet-high", HIGH | 17, RAW, 0)
socket_call("packet-by-type", 2, 10, 0)
socket_call("smc-by-protocol", 2, STREAM, 256)
socket_call("alg", 38, 5, 0)
socket_call("vsock", 40, STREAM, 0)
socket_call("xdp", 44, RAW, 0)
pair = (ctypes.c_int * 2)()
named("pair-unix", "socketpair", 1, STREAM, 0, ctypes.addressof(pair))
named("pair-inet", "socketpair", 2, STREAM, 0, ctypes.addressof(pair))

terminal, other = os.openpty()


def type_into_the_terminal():
    # Without a controlling terminal the kernel refuses by itself.
    os.setsid()
    fcntl.ioctl(other, termios.TIOCSCTTY, 0)
    typed = ctypes.create_string_buffer(b"\n")
    named("tiocsti", "ioctl", other, 0x5412, ctypes.addressof(typed))
    named("tiocsti-high", "ioctl", other, HIGH | 0x5412, ctypes.addressof(typed))
    named("tioclinux", "ioctl", other, 0x541C, ctypes.addressof(typed))
    print("typed", len(select.select([other], [], [], 0)[0]))


ended_by(type_into_the_terminal)
named("winsize", "ioctl", other, 0x5413, ctypes.addressof(ctypes.create_string_buffer(8)))

for line in open("/proc/self/status"):
    if line.startswith(("Seccomp:", "NoNewPrivs:", "CapEff:")):
        print(*line.replace(":", "").split())
