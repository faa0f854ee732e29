#!/usr/bin/env python3
"""Game files for `bestmove calibrate`, from a checkout or bare clone of the Chinese Chess Practical Dataset (CC BY 4.0,
github.com/Yvonne761/Chinese-Chess-Practical-Dataset); see docs/win-probability.md.

    benches/xiangqi_records.py CLONE masters masters.pgn
    benches/xiangqi_records.py CLONE programs programs.pgn

`masters`: 1,400 games of tournaments, drawn with seed 1. `programs`: all games of programs against each other. Files are in
Big5 or GB 18030. Where the result is missing it is read from the event's title; a game of masters without one, and the
second of two equal games, are left out.
"""

import argparse
import random
import re
import subprocess

FOLDERS = {"masters": "以賽事分類/", "programs": "電腦對局競賽/"}
DRAWN = 1400
TITLES = {"R_win": "1-0", "先勝": "1-0", "先胜": "1-0", "B_win": "0-1", "先負": "0-1", "先负": "0-1",
          "draw": "1/2-1/2", "Draw": "1/2-1/2", "先和": "1/2-1/2"}
SHORTEST = 80  # characters of moves, about eight


def git(clone, *args, **options):
    return subprocess.run(["git", "-C", clone, "-c", "core.quotepath=false", *args], check=True, capture_output=True,
                          **options).stdout


def names(clone, kind):
    """Files of games, those of masters drawn."""
    listed = git(clone, "ls-tree", "-r", "HEAD", "--name-only").decode().splitlines()
    found = [name for name in listed if FOLDERS[kind] in name and name.endswith(".pgn")]
    return random.Random(1).sample(sorted(found), DRAWN) if kind == "masters" else found


def decoded(data):
    for encoding in ("big5", "cp950", "gb18030"):
        try:
            return data.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    raise ValueError("neither Big5 nor GB 18030")


def with_result(game):
    """The game with the result that its header or its title tells; `*` where neither does."""
    title = re.search("|".join(TITLES), game)
    told = TITLES[title[0]] if title else "*"
    return game.replace('[Result "*"]', f'[Result "{told}"]')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone")
    parser.add_argument("kind", choices=FOLDERS)
    parser.add_argument("file")
    args = parser.parse_args()
    seen = set()
    with open(args.file, "w", encoding="utf-8") as file:
        for name in names(args.clone, args.kind):
            game = with_result(decoded(git(args.clone, "cat-file", "blob", f"HEAD:{name}")))
            moves = "".join(game[game.rindex("]") + 1:].split())
            unknown = args.kind == "masters" and '[Result "*"]' in game
            if not unknown and moves not in seen and len(moves) >= SHORTEST:
                seen.add(moves)
                file.write(game.strip() + "\n\n")
    print(f"{len(seen)} games")


if __name__ == "__main__":
    main()
