#!/usr/bin/env python3
"""Hostile neighbours and overload: what a polite client gets, on this machine, with server and clients together.

    python3 benches/hostile.py BESTMOVE [--only endless,greedy] [--seconds 20]

The polite client asks for 100 ms of thinking and pauses as long. Each attack stands beside the figures without it.
Clients are told apart by the header of a trusted proxy.
"""
import argparse
import asyncio
import json
import os
import resource
import subprocess
import time

POLITE = {"game": "othello", "budget": {"time_ms": 100}, "ratings": "none"}
RENJU = {
    "game": "gomoku_swap2", "options": {"rules": "renju"},
    "moves": "e12 m5 l7 stay j15 m8 n15 g4 k2 c10 b7 b12 i15 c13 c8 g8 c2 i9 d9 d6 m1 d14 d8 h14 e5 o8 f10 k7 n6 e13 n12 h15 e7 "
    "a5 h1 h3 l4 a11 a8 l11 g11 j7 b2 a14 h7 g7 i13 n3 l15 m15 d12 b10 m12 j5 j8".split(),
}


class Server:
    def __init__(self, binary, port, args=(), descriptors=None):
        limit = lambda: descriptors and resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
        command = [binary, "serve", "--listen", f"127.0.0.1:{port}", "--trusted-proxies", "127.0.0.1", *args]
        env = {**os.environ, "BESTMOVE_LOG": "error"}
        self.port, self.process = port, subprocess.Popen(command, env=env, preexec_fn=limit)

    async def ready(self):
        while True:
            try:
                if (await get(self.port, "/readyz"))[0] == 200:
                    return self
            except OSError:
                pass
            await asyncio.sleep(0.05)

    def stop(self):
        self.process.terminate()
        self.process.wait()


async def exchange(port, head, body=b""):
    """Status, seconds and body of one request on a connection of its own."""
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head + b"host: bench\r\nconnection: close\r\n\r\n" + body)
        answer = await reader.read(-1)
        return int(answer[9:12]), time.monotonic() - begun, answer.partition(b"\r\n\r\n")[2]
    finally:
        writer.close()


async def get(port, path):
    return await exchange(port, f"GET {path} HTTP/1.1\r\n".encode())


async def ask(port, client, question, path="/v1/bestmove"):
    body = json.dumps(question).encode()
    head = f"POST {path} HTTP/1.1\r\nx-forwarded-for: 192.0.2.{client}\r\ncontent-type: application/json\r\n"
    return await exchange(port, (head + f"content-length: {len(body)}\r\n").encode(), body)


def at(values, share):
    values = sorted(values)
    return 1e3 * values[round((len(values) - 1) * share)] if values else float("nan")


async def polite(port, seconds):
    """Share answered, median and 99th percentile in ms."""
    end, asked, took = time.monotonic() + seconds, 0, []
    while time.monotonic() < end:
        asked += 1
        status, time_taken, _ = await ask(port, 250, {**POLITE, "seed": asked})
        if status == 200:
            took.append(time_taken)
        await asyncio.sleep(0.1)
    return len(took) / asked, at(took, 0.5), at(took, 0.99)


async def for_ever(ask_once, pause=0.1):
    while True:
        try:
            status = (await ask_once())[0]
        except OSError:
            status = 0
        if status != 200:
            await asyncio.sleep(pause)


def endless(port):
    """Two searches of a minute without an end, and four by depth alone."""
    searches = [{"game": "connect4", "budget": {"time_ms": 60_000}, "seed": n, "options": {"evaluation": "none"}} for n in range(2)]
    searches += [{"game": "xiangqi", "budget": {"depth": 250}, "seed": n} for n in range(4)]
    return [for_ever(lambda search=search: ask(port, 1, search)) for search in searches]


def renju(port):
    """Sixteen connections that ask for dear work of the rules."""
    refused = {**RENJU, "search_moves": ["zz"]}
    questions = [(RENJU, "/v1/position"), (refused, "/v1/bestmove")] * 8
    return [for_ever(lambda q=q, path=path: ask(port, 1, q, path), 0) for q, path in questions]


def greedy(port):
    """A hundred connections of one client that ask for what the polite one asks for."""
    seeds = iter(range(1_000, 10**9))
    return [for_ever(lambda: ask(port, 1, {**POLITE, "seed": next(seeds)})) for _ in range(100)]


ATTACKS = {"endless": endless, "renju": renju, "greedy": greedy}


async def probe(port, took):
    while True:
        took.append((await get(port, "/healthz"))[1])
        await asyncio.sleep(0.05)


async def attacked(port, seconds, attack):
    tasks = [asyncio.create_task(task) for task in attack(port)]
    await asyncio.sleep(1)
    health = []
    tasks.append(asyncio.create_task(probe(port, health)))
    answered = await polite(port, seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.5)
    return answered, at(health, 0.99)


async def overload(port, seconds, times):
    """Open-loop load of so many times the capacity, from 50 clients."""
    slots = os.cpu_count()
    rate, tasks, health = slots / 0.1 * times, [], []
    prober = asyncio.create_task(probe(port, health))
    begun = time.monotonic()
    n = 0
    while (now := time.monotonic() - begun) < seconds:
        while n < now * rate:
            n += 1
            tasks.append(asyncio.create_task(ask(port, n % 50, {**POLITE, "seed": n})))
        await asyncio.sleep(0.005)
    replies = await asyncio.gather(*tasks, return_exceptions=True)
    lasted = time.monotonic() - begun
    prober.cancel()
    other = [reply for reply in replies if isinstance(reply, BaseException) or reply[0] not in (200, 429, 503)]
    answers = [reply for reply in replies if reply not in other and reply[0] == 200]
    took = [reply[1] for reply in answers]
    # A question waits at most twice its budget.
    kept = sum(json.loads(reply[2])["stats"]["queue_ms"] <= 2 * 100 for reply in answers) / len(answers)
    goodput = len(took) / (lasted * slots / 0.1)
    print(
        f"{times} x capacity: {n} sent, {len(took)} answered, goodput {goodput:.0%}, p50 {at(took, 0.5):.0f} ms, "
        f"p99 {at(took, 0.99):.0f} ms, {kept:.1%} started in time; {len(other)} neither 200, 429 nor 503; /healthz p99 {at(health, 0.99):.0f} ms",
        flush=True,
    )


async def silent(binary, seconds):
    """5,000 connections that say nothing, on a server with 1,024 descriptors."""
    server = await Server(binary, 18_091, descriptors=1_024).ready()
    writers = []
    for _ in range(5_000):
        try:
            writers.append((await asyncio.open_connection("127.0.0.1", server.port))[1])
        except OSError:
            break
    answered, p50, p99 = await polite(server.port, seconds)
    print(f"{len(writers)} silent connections: polite {answered:.0%} answered, p50 {p50:.0f} ms, p99 {p99:.0f} ms", flush=True)
    for writer in writers:
        writer.close()
    server.stop()


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--only", default="endless,renju,greedy,2,20,silent")
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    server = await Server(args.binary, 18_090).ready()
    alone = await polite(server.port, args.seconds)
    print(f"alone: {alone[0]:.0%} answered, p50 {alone[1]:.0f} ms, p99 {alone[2]:.0f} ms", flush=True)
    for name in args.only.split(","):
        if name.isdigit():
            await overload(server.port, args.seconds, int(name))
        elif name != "silent":
            (answered, p50, p99), health = await attacked(server.port, args.seconds, ATTACKS[name])
            print(
                f"{name}: polite {answered:.0%} answered, p50 {p50:.0f} ms, p99 {p99:.0f} ms, {p99 / alone[2]:.2f} x alone; "
                f"/healthz p99 {health:.0f} ms",
                flush=True,
            )
    server.stop()
    if "silent" in args.only:
        await silent(args.binary, args.seconds)


resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
asyncio.run(main())
