#!/usr/bin/env python3
"""What happens when clients leave, and when the service is told to end.

    python3 benches/leaving.py BESTMOVE

Cancelled: for each game and method a client asks for 60 s and leaves after 150 ms; how long the process goes on using
its processor. Ended: SIGTERM under load; every accepted question must be answered. Deadlines: questions with
`deadline_ms` under load, answered or refused in time.
"""
import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time

PORT = 18075


class Server:
    def __init__(self, binary):
        command = [binary, "serve", "--listen", f"127.0.0.1:{PORT}", "--log", "error"]
        self.process = subprocess.Popen(command)
        # clock_getcpuclockid(3)
        self.clock = (~self.process.pid << 3) | 2
        while True:
            try:
                if call("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)

    def cpu(self):
        return time.clock_gettime(self.clock)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        return self.process.wait(), time.monotonic() - begun


def call(method, path, question=None, timeout=30):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=timeout)
    try:
        connection.request(method, path, question and json.dumps(question))
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        connection.close()


def at(figures, share):
    figures = sorted(figures)
    return figures[min(len(figures) - 1, int(len(figures) * share))]


def cancelled(server):
    games = call("GET", "/v1/games")[1]["games"]
    tails = []
    for game in games:
        for algorithm in game["algorithms"]:
            question = {"game": game["name"], "algorithm": algorithm, "budget": {"time_ms": 60_000}, "ratings": "none"}
            body = json.dumps(question).encode()
            with socket.create_connection(("127.0.0.1", PORT)) as client:
                client.sendall(b"POST /v1/bestmove HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
                client.settimeout(0.15)
                try:
                    client.recv(1)
                    continue  # It has its answer.
                except TimeoutError:
                    pass
            left, before = time.monotonic(), server.cpu()
            last = left
            # Idle: no time of a processor for 50 ms.
            while time.monotonic() - last < 0.05:
                time.sleep(0.001)
                spent = server.cpu()
                if spent - before > 0.0002:
                    last, before = time.monotonic(), spent
            tails.append((1e3 * (last - left), game["name"], algorithm))
    tails.sort()
    times = [tail[0] for tail in tails]
    print(f"cancelled: {len(tails)} pairs, p50 {at(times, 0.5):.1f} ms, p99 {at(times, 0.99):.1f} ms, worst {tails[-4:]}")


def deadlines(seconds=15):
    kept, late, refused = [], [], 0
    lock = threading.Lock()

    def client(number):
        nonlocal refused
        until, turn = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            turn += 1
            deadline = 100 * (1 + (number + turn) % 4)
            begun = time.monotonic()
            question = {"game": "othello", "deadline_ms": deadline, "seed": 1000 * number + turn, "ratings": "none"}
            question["budget"] = {"time_ms": 1_000}
            status, _ = call("POST", "/v1/bestmove", question)
            took = 1e3 * (time.monotonic() - begun)
            with lock:
                refused += status != 200
                (kept if took <= deadline else late).append(took - deadline)
            time.sleep(0.05)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    all_of_them = len(kept) + len(late)
    worst = max(late, default=0)
    print(f"deadlines: {all_of_them} questions, {refused} refused, {len(kept) / all_of_them:.2%} kept, worst {worst:.1f} ms late")


def ended(server):
    counts = {}

    def client(number):
        try:
            question = {"game": "xiangqi", "budget": {"time_ms": 3_000}, "seed": number, "ratings": "none"}
            status, answer = call("POST", "/v1/bestmove", question)
            what = f"{status} {answer['stats']['stopped_by'] if status == 200 else answer['code']}"
        except (OSError, http.client.HTTPException) as why:
            what = type(why).__name__
        counts[what] = counts.get(what, 0) + 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(40)]
    [thread.start() for thread in threads]
    time.sleep(0.5)
    status, took = server.end()
    [thread.join() for thread in threads]
    print(f"ended: status {status} after {took:.2f} s; {counts}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    server = Server(parser.parse_args().binary)
    cancelled(server)
    deadlines()
    ended(server)


main()
