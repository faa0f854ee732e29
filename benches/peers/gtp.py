#!/usr/bin/env python3
"""Speaks the Go Text Protocol for a build that answers questions over HTTP only: an earlier build as an opponent in
`bestmove match`. Starts the program, and stops it at the end.

    gtp.py PROGRAM '{"game": "othello", "ratings": "none", "budget": {"time_ms": 20}}'
"""

import http.client
import json
import socket
import subprocess
import sys
import time


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """A program that serves on a port of its own, over one connection."""

    def __init__(self, program: str, question: dict) -> None:
        self.question = question
        port = free_port()
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([program, "--listen", f"127.0.0.1:{port}"], **quiet)
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(300):
            try:
                self.connection.connect()
                return
            except OSError:
                time.sleep(0.1)
        sys.exit(f"{program} does not answer on port {port}")

    def best_move(self, moves: list[str]) -> str:
        body = json.dumps({**self.question, "moves": moves})
        self.connection.request("POST", "/v1/bestmove", body, {"content-type": "application/json"})
        reply = self.connection.getresponse()
        answer = json.load(reply)
        if reply.status != 200:
            raise ValueError(json.dumps(answer))
        return answer["best_move"]


def main() -> None:
    program, question = sys.argv[1:]
    service = Service(program, json.loads(question))
    moves: list[str] = []
    for line in sys.stdin:
        match line.split():
            case ["quit"]:
                break
            case ["protocol_version"]:
                reply = "= 2"
            case ["clear_board"]:
                moves, reply = [], "="
            case ["play", _, move]:
                moves.append(move)
                reply = "="
            case ["genmove", _]:
                try:
                    moves.append(service.best_move(moves))
                    reply = f"= {moves[-1]}"
                except ValueError as why:
                    reply = f"? {why}"
            case _:
                reply = "? unknown command"
        print(f"{reply}\n", flush=True)
    service.process.kill()


if __name__ == "__main__":
    main()
