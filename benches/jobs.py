#!/usr/bin/env python3
"""Jobs: how they scale, and what they survive.

    benches/jobs.py target/release/bestmove [scaling|interactive|cancel|chaos|writes ...] [--nats]

With --nats jobs are kept by a nats-server in place of a file; the build needs --features nats.

scaling      a review of 200 plies by 1, 2, 4 and 8 workers of one slot each, and again with an eighth of a core for each
interactive  searches of 100 ms, alone and with 10,000 pieces waiting
cancel       from DELETE until nothing is searched any more
chaos        50 jobs; every two seconds a worker, the service or the nats-server is killed, or a worker stopped; results
             as without
writes       200 times: a process is killed in the middle of its writes (a file only)
"""

import argparse
import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request


class Store:
    """Where jobs are kept: a file, or a nats-server."""

    def __init__(self, nats):
        self.folder = tempfile.TemporaryDirectory()
        self.server = None
        self.args = ["--data", self.folder.name]
        if nats:
            # The server chooses its port at first and keeps it: one chosen before may be another's by then.
            self.port = "-1"
            self.start()
            self.args = ["--queue", f"nats://127.0.0.1:{self.port}"]

    def start(self):
        command = ["nats-server", "-a", "127.0.0.1", "-p", self.port, "-js", "-sd", self.folder.name]
        self.server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.server.stderr:
            if "client connections on" in line:
                self.port = line.rsplit(":", 1)[1].strip()
            if "Server is ready" in line:
                break
        else:
            sys.exit("nats-server ended before it was ready")
        # A full pipe would stop the server.
        threading.Thread(target=self.server.stderr.read, daemon=True).start()

    def kill(self):
        self.server.kill()
        self.server.wait()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        if self.server:
            self.kill()
        self.folder.cleanup()


class Process:
    """A process of the service on a port of its own."""

    def __init__(self, program, store, *args):
        self.command = [program, "serve", "--listen", "127.0.0.1:0", "--log-format", "json", *args]
        if store:
            self.command += store.args
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            address = json.loads(line)["fields"].get("address")
            if address:
                self.url = f"http://{address}"
                break
        else:
            raise RuntimeError("it ended before it listened")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def signal(self, what):
        self.process.send_signal(what)

    def end(self):
        self.process.kill()
        self.process.wait()

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json", "connection": "close"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def json(self, path, body=None, method=None):
        return json.loads(self.ask(path, body, method))

    def create(self, kind, body):
        return self.json("/v1/jobs", {"kind": kind, "body": body})["links"]["self"]

    def until_over(self, path, pause=0.005):
        while True:
            job = self.json(f"{path}?after=1000000000")
            if job["state"] in ("done", "cancelled"):
                return job
            time.sleep(pause)

    def metric(self, line):
        for known in self.ask("/metrics").decode().splitlines():
            if known.startswith(line):
                return float(known.rsplit(" ", 1)[1])
        return 0.0


def random_game(server, game, plies, seed):
    """A game of random moves that is so long."""
    draw = random.Random(seed)
    while True:
        moves = []
        while len(moves) < plies:
            legal = server.json("/v1/position", {"game": game, "moves": moves})["legal_moves"]
            if not legal:
                break
            moves.append(draw.choice(legal))
        if len(moves) == plies:
            return moves


class Limit:
    """Lets each process run for 4 of 32 ms, one at a time: eight of them need one core."""

    SHARE, TICK = 8, 0.004

    def __init__(self, processes):
        self.processes, self.over = processes, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        tick = 0
        while not self.over.wait(self.TICK):
            for place, process in enumerate(self.processes):
                if (tick + place) % self.SHARE == 0:
                    process.signal(signal.SIGCONT)
                elif (tick + place) % self.SHARE == 1:
                    process.signal(signal.SIGSTOP)
            tick += 1

    def end(self):
        self.over.set()
        self.thread.join()
        for process in self.processes:
            process.signal(signal.SIGCONT)


def scaling(program, nats):
    with Store(nats) as store:
        api = Process(program, store, "--role", "api", "--slots", "1")
        moves = random_game(api, "xiangqi", 200, 1)
        body = {"game": "xiangqi", "moves": moves, "budget": {"time_ms": 100}}
        begun = time.monotonic()
        api.ask("/v1/review", body)
        direct = time.monotonic() - begun
        print(f"review of 200 plies, direct, one slot: {direct:.2f} s")
        for limited in (False, True):
            print("each with an eighth of a core:" if limited else "on all cores:")
            first = None
            for count in (1, 2, 4, 8):
                workers = [Process(program, store, "--role", "worker", "--slots", "1") for _ in range(count)]
                time.sleep(2)
                limit = Limit(workers if limited else [])
                begun = time.monotonic()
                path = api.create("review", body)
                # Its events end with it: asking again and again would take a core of its own.
                api.ask(f"{path}/events")
                took = time.monotonic() - begun
                job = api.until_over(path)
                assert job["done"] == job["items"] == 201, job
                first = first or took
                print(f"  {count} workers: {took:.2f} s, {first / took / count:.3f} of linear")
                if count == 1 and not limited:
                    print(f"    beside the searches {(took - direct) * 1e3 / 101:+.2f} ms for each of 101 pieces")
                limit.end()
                for worker in workers:
                    worker.end()
        api.end()


def percentile(figures, share):
    return sorted(figures)[round((len(figures) - 1) * share)]


def timed_searches(server, count):
    times = []
    for seed in range(count):
        question = {"game": "xiangqi", "budget": {"time_ms": 100}, "seed": seed, "ratings": "none"}
        begun = time.monotonic()
        answer = server.json("/v1/bestmove", question)
        times.append((time.monotonic() - begun) * 1e3)
        assert answer["stats"]["stopped_by"] == "time", answer["stats"]
    return times


def interactive(program, nats):
    with Store(nats) as store:
        server = Process(program, store)
        time.sleep(2)
        alone = timed_searches(server, 100)
        question = {"game": "xiangqi", "budget": {"time_ms": 1_000}, "ratings": "none"}
        server.create("batch", {"questions": [{**question, "seed": n} for n in range(10_000)]})
        assert server.metric('bestmove_job_pieces{state="waiting"}') > 9_900
        beside = timed_searches(server, 100)
        p99 = [percentile(times, 0.99) for times in (alone, beside)]
        print(f"searches of 100 ms, p99: alone {p99[0]:.1f} ms, beside 10,000 pieces {p99[1]:.1f} ms, "
              f"{p99[1] / p99[0]:.3f} times")
        server.end()


def cancel(program, nats):
    with Store(nats) as store:
        server = Process(program, store)
        times = []
        for seed in range(20):
            question = {"game": "xiangqi", "budget": {"time_ms": 60_000}, "ratings": "none"}
            questions = [{**question, "seed": seed * 10 + n} for n in range(4)]
            path = server.create("batch", {"questions": questions})
            running = 'bestmove_work_running{kind="background"}'
            while server.metric(running) < 2:
                time.sleep(0.01)
            begun = time.monotonic()
            server.ask(path, method="DELETE")
            while server.metric(running) > 0:
                # Who asks without a rest leaves searches of the lowest priority no time to end in.
                time.sleep(0.002)
            times.append((time.monotonic() - begun) * 1e3)
            assert server.until_over(path)["done"] == 0
        print(f"from DELETE until nothing is searched: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms")
        server.end()


def reproducible_jobs(server, count):
    """Kinds and bodies whose answers are the same each time."""
    games = {game: random_game(server, game, 24, 2) for game in ("xiangqi", "connect4", "othello")}
    jobs = []
    for n in range(count):
        game = list(games)[n % 3]
        budget = {"budget": {"nodes": 150_000}, "reproducible": True, "game": game}
        if n % 2:
            jobs.append(("review", {**budget, "moves": games[game][: 10 + n % 12]}))
        else:
            plies = range(12)
            jobs.append(("batch", {"questions": [{**budget, "moves": games[game][:p], "seed": n} for p in plies]}))
    return jobs


def patiently(ask):
    """What `ask` answers as soon as the service is there again."""
    while True:
        try:
            return ask()
        except urllib.error.HTTPError:
            raise
        except (OSError, RuntimeError):
            time.sleep(0.05)


def chaos(program, nats):
    draw = random.Random(7)
    with Store(nats) as store:
        calm = Process(program, None)
        jobs = reproducible_jobs(calm, 50)
        expected = [calm.ask(f"/v1/{kind}", body) for kind, body in jobs]
        calm.end()
        api = Process(program, store, "--role", "api")
        port = api.url.rsplit(":", 1)[1]
        api.command[api.command.index("127.0.0.1:0")] = f"127.0.0.1:{port}"
        worker = lambda: Process(program, store, "--role", "worker", "--slots", "1", "--lease-ms", "1000")
        workers = [worker() for _ in range(3)]
        paths = [api.create(kind, body) for kind, body in jobs]
        over = threading.Event()
        killed = {"worker": 0, "service": 0, "stopped worker": 0} | ({"nats-server": 0} if nats else {})

        def disturb():
            for what in itertools.cycle(killed):
                if over.wait(2):
                    return
                place = draw.randrange(len(workers))
                killed[what] += 1
                if what == "service":
                    api.end()
                    api.start()
                elif what == "nats-server":
                    store.kill()
                    store.start()
                elif what == "worker":
                    workers[place].end()
                    workers[place] = worker()
                else:
                    workers[place].signal(signal.SIGSTOP)
                    over.wait(3)
                    workers[place].signal(signal.SIGCONT)

        thread = threading.Thread(target=disturb)
        thread.start()
        begun = time.monotonic()
        wrong = 0
        for path, (kind, _), right in zip(paths, jobs, expected):
            job = patiently(lambda: api.until_over(path))
            events = patiently(lambda: api.ask(f"{path}/events")).decode()
            told = [json.loads(line) for line in events.splitlines()]
            ids = [one["data"]["id"] for one in told if one["event"] == "item"]
            once = ids == list(range(1, job["items"] + 1))
            answer = patiently(lambda: api.ask(f"{path}/result"))
            if job["state"] != "done" or job["failed"] or not once or answer != right:
                wrong += 1
                print(f"{path} {kind}: {job['state']}, {job['failed']} failed, once each: {once}, equal: {answer == right}")
        over.set()
        thread.join()
        print(f"50 jobs in {time.monotonic() - begun:.0f} s, {killed}: {wrong} wrong")
        for process in [api, *workers]:
            process.end()


def writes(program, nats):
    draw = random.Random(11)
    with Store(False) as store:
        question = {"game": "nim", "state": "1;2;3"}
        paths, lost = [], 0
        for n in range(200):
            server = Process(program, store, "--lease-ms", "300", "--max-jobs", "1000000")
            try:
                timer = threading.Timer(draw.uniform(0.0, 0.05), server.process.kill)
                timer.start()
                while True:
                    questions = [{**question, "seed": m} for m in range(100)]
                    paths.append(server.create("batch", {"questions": questions}))
            except (OSError, ValueError, urllib.error.URLError, json.JSONDecodeError):
                pass
            except Exception as why:  # what is left of an answer
                assert "IncompleteRead" in repr(why) or "RemoteDisconnected" in repr(why), repr(why)
            server.process.wait()
        server = Process(program, store, "--lease-ms", "300")
        for path in paths:
            job = server.until_over(path)
            answers = server.json(f"{path}/result")["answers"]
            lost += job["done"] != 100 or len(answers) != 100
        print(f"killed 200 times in the middle of writes: {len(paths)} jobs taken, {lost} lost or incomplete")
        server.end()


PARTS = {"scaling": scaling, "interactive": interactive, "cancel": cancel, "chaos": chaos, "writes": writes}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--nats", action="store_true")
    args = parser.parse_args()
    for part in args.parts or PARTS:
        PARTS[part](os.path.abspath(args.program), args.nats)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
