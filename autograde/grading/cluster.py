"""The same work on a Dask cluster, for classes that one machine is too small for.

Jobs carry the cells themselves, so the machines need no common disk; results come back to this process,
which alone writes. Dask hands the work of a machine that dies to another.
"""

import threading
from collections.abc import Callable, Iterable, Iterator

from .errors import GradingError
from .marking import Marked, mark

AHEAD = 2  # jobs for each thread of the cluster: enough to keep it busy, few enough to keep memory flat

_mine = threading.local()  # a sandbox is for one thread


def connected(address: str, make_sandbox: Callable) -> "Cluster":
    """The cluster of the scheduler at ``address``. Raises GradingError."""
    try:
        from distributed import Client
    except ImportError:
        raise GradingError('--scheduler needs Dask: python -m pip install -e ".[cluster]" in the course\'s folder') from None
    try:
        return Cluster(Client(address, timeout=10), make_sandbox)
    except (OSError, ValueError) as error:  # a refused connection, a time-out, an address that is none
        raise GradingError(f"no Dask scheduler answers at {address} ({type(error).__name__})") from None


class Cluster:
    """``with connected("tcp://10.0.0.1:8786", Sandbox) as cluster: for job, marked in cluster.results(jobs)``."""

    def __init__(self, client, make_sandbox: Callable):
        self.client, self.make_sandbox = client, make_sandbox

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.client.close()

    def results(self, jobs: Iterable) -> Iterator[tuple]:
        """(job, Marked) for each job, once each; ``jobs`` is read only as far as the cluster is free."""
        from distributed import as_completed

        waiting = iter(jobs)
        running: dict[str, object] = {}
        arriving = as_completed()
        self._feed(waiting, running, arriving)
        for future in arriving:
            job = running.pop(future.key)
            yield job, _marked(future)
            self._feed(waiting, running, arriving)

    def _feed(self, waiting: Iterator, running: dict, arriving) -> None:
        threads = sum(self.client.nthreads().values())  # workers come and go
        while len(running) < max(AHEAD * threads, 1):
            job = next(waiting, None)
            if job is None:
                return
            future = self.client.submit(work, job, self.make_sandbox, pure=False)
            running[future.key] = job
            arriving.add(future)


def work(job, make_sandbox: Callable) -> Marked:
    """What a thread of the cluster does."""
    if not hasattr(_mine, "sandbox"):
        _mine.sandbox = make_sandbox()
    return mark(job, _mine.sandbox)


def _marked(future) -> Marked:
    """Dask gives up a job only after several machines died of it."""
    error = future.exception()
    if error is None:
        return future.result()
    return Marked(None, failure=f"the grader failed ({type(error).__name__}); this is not the learner's fault")
