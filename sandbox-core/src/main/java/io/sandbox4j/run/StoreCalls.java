package io.sandbox4j.run;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Who is in a call of a store. A call within a call would wait for what its own thread
 * holds, or write over it, so there is none.
 */
final class StoreCalls {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition nobody = this.lock.newCondition();

	private final Set<Thread> inside = new HashSet<>();

	private boolean closed;

	void enter() {
		this.lock.lock();
		try {
			refuseNested();
			if (this.closed) {
				throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The store of runs is closed.");
			}
			this.inside.add(Thread.currentThread());
		}
		finally {
			this.lock.unlock();
		}
	}

	void leave() {
		this.lock.lock();
		try {
			this.inside.remove(Thread.currentThread());
			if (this.inside.isEmpty()) {
				this.nobody.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void close() {
		this.lock.lock();
		try {
			refuseNested();
			this.closed = true;
			while (!this.inside.isEmpty()) {
				this.nobody.awaitUninterruptibly();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void refuseNested() {
		if (this.inside.contains(Thread.currentThread())) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"The work of a call may not call its store. Use the view that it was given.");
		}
	}

}
