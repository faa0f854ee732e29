#!/usr/bin/env python3
"""A simulation of many workers and one queue, from measured times.

    benches/scale.py [--piece 0.2] [--capacity 8400] [--trip 0.0005] [--seconds 20]

Each worker claims a piece, works on it, stores its result and ends it. The queue is one server that answers in turn:
a piece costs it 1 / CAPACITY seconds, spread over its four messages (fetch, claim, result, acknowledgement). A message
takes TRIP seconds on its way beside that. Pieces vary as searches with a time limit and a last iteration do: by a tenth.

Measured: --capacity and --trip by `cargo bench -p bestmove-jobs --features nats` ("workers at once end ... pieces/s",
"claim, store and end"), server and workers on the same two cores; --piece is what `src/jobs/kind.rs` cuts.
"""

import argparse
import heapq
import random

MESSAGES = 4
# Two cores shared by the server and 32 workers: a server alone ends more.
CAPACITY = 8_400.0
# A network; on one machine 0.18 ms.
TRIP = 0.0005


def simulate(workers, piece, capacity, trip, seconds, draw):
    """Pieces ended in a second, and how long a message waits for the queue on average."""
    service = 1.0 / capacity / MESSAGES
    free, ended, waited, messages = 0.0, 0, 0.0, 0
    # Time, worker, number of its next message within the piece.
    events = [(draw.random() * piece, worker, 0) for worker in range(workers)]
    heapq.heapify(events)
    while events:
        now, worker, message = heapq.heappop(events)
        if now > seconds:
            break
        begun = max(now, free)
        free = begun + service
        waited += begun - now
        messages += 1
        after = free + trip
        if message == 1:
            after += max(0.0, draw.gauss(piece, piece / 10))
        if message == MESSAGES - 1:
            ended += 1
        heapq.heappush(events, (after, worker, (message + 1) % MESSAGES))
    return ended / seconds, waited / messages


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--piece", type=float, default=0.2)
    parser.add_argument("--capacity", type=float, default=CAPACITY)
    parser.add_argument("--trip", type=float, default=TRIP)
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    print(f"pieces of {args.piece:g} s, a queue of {args.capacity:g} pieces/s, {1e3 * args.trip:g} ms a message")
    print(f"{'workers':>8} {'pieces/s':>9} {'of linear':>9} {'queue busy':>10} {'wait, ms':>9}")
    for workers in (1, 2, 4, 8, 100, 500, 1_000, 1_500, 2_000, 3_000):
        draw = random.Random(workers)
        rate, wait = simulate(workers, args.piece, args.capacity, args.trip, args.seconds, draw)
        linear = rate * args.piece / workers
        print(f"{workers:>8} {rate:>9.0f} {linear:>9.3f} {rate / args.capacity:>10.2f} {1e3 * wait:>9.2f}")
    print(f"saturated at about {args.capacity * (args.piece + MESSAGES * args.trip):.0f} workers")


if __name__ == "__main__":
    main()
