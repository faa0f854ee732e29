#!/usr/bin/env python3
"""A thousand streams whose clients leave when they like.

    python3 benches/streams.py BESTMOVE [--streams 1000] [--at-once 24]

Clients ask as server-sent events or as lines, many of them the same question, and stay to the end or leave: before the
head, after some events, or with their half of the connection closed. Checked: a stream that is read to its end has
exactly one result, after interim answers only; a refusal is a plain problem; in the end no search runs or waits, no
request is open, and the process has no more descriptors of files than before.
"""
import argparse
import collections
import concurrent.futures
import http.client
import json
import os
import random
import socket
import subprocess
import time

PORT = 18076
FORMS = ["text/event-stream", "application/x-ndjson"]
COUNTS = collections.Counter()


def start(binary, streams):
    command = [binary, "serve", "--listen", f"127.0.0.1:{PORT}", "--log", "error", "--slots", "4", "--max-wait-ms", "3000"]
    command += ["--max-client-connections", str(streams), "--max-connections", str(streams)]
    process = subprocess.Popen(command)
    while True:
        try:
            if get("/readyz")[0] == 200:
                return process
        except OSError:
            time.sleep(0.05)


def get(path):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        return reply.status, reply.read().decode()
    finally:
        connection.close()


def figures(name):
    lines = [line for line in get("/metrics")[1].splitlines() if line.startswith(name)]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


def question(rng):
    """Path and body of a question: two of three for a move, one for the review of a game."""
    body = {"game": rng.choice(["xiangqi", "othello", "connect4", "gomoku"]), "seed": rng.randrange(5)}
    body["budget"] = {"time_ms": rng.choice([5, 50, 200])}
    if rng.randrange(3):
        body["ratings"] = rng.choice(["none", "all"])
        return "/v1/bestmove", json.dumps(body).encode()
    body |= {"game": "connect4", "moves": list("44443333")[: rng.randrange(1, 9)]}
    return "/v1/review", json.dumps(body).encode()


def events(form, reply):
    """Names of the events of a body, as they come."""
    for line in reply:
        line = line.decode().rstrip("\n")
        if form == FORMS[1]:
            yield json.loads(line)["event"]
        elif line.startswith("event: "):
            yield line.removeprefix("event: ")
        elif line.startswith("data: "):
            json.loads(line.removeprefix("data: "))


def client(number):
    rng = random.Random(number)
    while (end := visit(rng)) is None:
        COUNTS["refused"] += 1
        time.sleep(rng.uniform(0.05, 0.3))
    return end


def visit(rng):
    """What becomes of a stream; None if it is refused for load."""
    form, plan = rng.choice(FORMS), rng.choice(["stay", "head", "events", "time", "half"])
    path, body = question(rng)
    head = f"POST {path} HTTP/1.1\r\nhost: a\r\naccept: {form}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", PORT), timeout=60) as stream:
        stream.sendall(head + body)
        if plan == "time":
            time.sleep(rng.uniform(0, 0.3))
            return "left before reading"
        if plan == "half":
            stream.shutdown(socket.SHUT_WR)
        reply = http.client.HTTPResponse(stream)
        reply.begin()
        if reply.status != 200:
            problem = json.loads(reply.read())
            assert (reply.status, problem["code"]) == (503, "busy"), problem
            return None
        assert reply.headers["content-type"] == form, reply.headers["content-type"]
        if plan == "head":
            return "left after the head"
        told, most = [], rng.randrange(1, 4) if plan == "events" else None
        for event in events(form, reply):
            told.append(event)
            if len(told) == most and event != "result":
                return "left after some events"
        *interim, last = told
        assert last == "result" and set(interim) <= {"queued", "begun", "progress", "heartbeat"}, told
        COUNTS["events"] += len(told)
        COUNTS[path] += 1
        return "read to the end"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--streams", type=int, default=1_000)
    parser.add_argument("--at-once", type=int, default=24)
    args = parser.parse_args()
    process = start(args.binary, args.streams)
    try:
        descriptors = lambda: len(os.listdir(f"/proc/{process.pid}/fd"))
        threads = lambda: len(os.listdir(f"/proc/{process.pid}/task"))
        # The connection that has asked whether it is ready may be open still.
        time.sleep(0.2)
        before, begun = descriptors(), time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(args.at_once) as pool:
            ends = collections.Counter(pool.map(client, range(args.streams)))
        took, left = time.monotonic() - begun, time.monotonic()
        while figures("bestmove_work_running") + figures("bestmove_work_waiting") or figures("bestmove_connections ") > 1:
            assert time.monotonic() - left < 5, "a search or a connection outlives its clients"
        quiet = time.monotonic() - left
        while descriptors() > before:
            assert time.monotonic() - left < 5, f"{before} descriptors before, {descriptors()} after"
        assert sum(ends.values()) == args.streams
        print(
            f"{args.streams} streams in {took:.1f} s: {dict(sorted(ends.items()))}; {COUNTS['events']} events read to the end, "
            f"{COUNTS['refused']} refusals; all quiet {1e3 * quiet:.0f} ms after the last; descriptors {before} before, {descriptors()} after; "
            f"{threads()} threads"
        )
    finally:
        process.terminate()
        process.wait()


main()
