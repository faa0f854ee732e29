#!/usr/bin/env python3
"""Memory and descriptors of the service under mixed load for a long time.

    python3 benches/soak.py BESTMOVE [--minutes 20]

Eight clients: questions of every game and method with random budgets, some of which leave before their answer, positions,
bad bodies, silent connections. Prints resident memory and open descriptors once a minute, when all clients have paused for
two seconds, and the slopes of the second half: a leak grows, a cache does not.
"""
import argparse
import asyncio
import json
import os
import random
import subprocess
import time

PORT = 18074


async def exchange(head, body, patience):
    """Bytes of an answer; nothing if the client leaves first."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    try:
        writer.write(head + b"host: soak\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        return await asyncio.wait_for(reader.read(-1), patience)
    except (asyncio.TimeoutError, ConnectionError):
        return b""
    finally:
        writer.close()


async def get(path):
    answer = await exchange(f"GET {path} HTTP/1.1\r\n".encode(), b"", 10)
    return json.loads(answer.partition(b"\r\n\r\n")[2])


async def client(rng, games, until, counts, working):
    while time.monotonic() < until:
        await working.wait()
        game = rng.choice(games)
        kind = rng.random()
        question = {"game": game["name"], "algorithm": rng.choice(game["algorithms"])}
        path, patience = "/v1/bestmove", 20
        if kind < 0.1:
            path, question = "/v1/position", {"game": game["name"]}
        elif kind < 0.15:
            question = {"game": "x" * rng.randrange(60_000)}
        elif kind < 0.2:
            await silent(rng.random())
            continue
        else:
            question["budget"] = {"time_ms": rng.choice([1, 10, 50, 200])}
            patience = rng.choice([20, 20, 20, 0.02])
        answer = await exchange(f"POST {path} HTTP/1.1\r\n".encode(), json.dumps(question).encode(), patience)
        status = answer[9:12].decode() or "left"
        counts[status] = counts.get(status, 0) + 1


async def silent(seconds):
    _, writer = await asyncio.open_connection("127.0.0.1", PORT)
    writer.write(b"P" * random.randrange(3))
    await asyncio.sleep(seconds)
    writer.close()


def resources(pid):
    with open(f"/proc/{pid}/status") as status:
        resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return resident / 1024, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))


def slope(samples):
    """Growth a minute, least squares."""
    n = len(samples)
    mean = (n - 1) / 2
    average = sum(samples) / n
    return sum((x - mean) * (y - average) for x, y in enumerate(samples)) / sum((x - mean) ** 2 for x in range(n))


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--minutes", type=int, default=20)
    given = parser.parse_args()
    process = subprocess.Popen([given.binary, "serve", "--listen", f"127.0.0.1:{PORT}", "--log", "error"])
    try:
        while True:
            try:
                games = (await get("/v1/games"))["games"]
                break
            except OSError:
                await asyncio.sleep(0.1)
        counts, samples = {}, []
        until = time.monotonic() + 60 * given.minutes
        working = asyncio.Event()
        working.set()
        clients = [asyncio.create_task(client(random.Random(n), games, until, counts, working)) for n in range(8)]
        for minute in range(given.minutes):
            await asyncio.sleep(57)
            working.clear()
            await asyncio.sleep(3)
            samples.append(resources(process.pid))
            working.set()
            resident, descriptors, threads = samples[-1]
            print(f"{minute + 1} min: {resident:.0f} MiB, {descriptors} descriptors, {threads} threads, {counts}", flush=True)
        await asyncio.gather(*clients)
        half = samples[len(samples) // 2:]
        print(
            f"second half: {slope([s[0] for s in half]):+.2f} MiB and {slope([s[1] for s in half]):+.2f} descriptors a minute; "
            f"peak {max(s[0] for s in samples):.0f} MiB"
        )
    finally:
        process.terminate()
        process.wait()


asyncio.run(main())
