"""A Python client generated from openapi.yaml: plays whole games without rules of its own, and meets problems.

    play.py FOLDER_OF_THE_PACKAGE BASE
"""

import sys

sys.path.insert(0, sys.argv[1])

from bestmove_client import Client
from bestmove_client.api.rules import games, position
from bestmove_client.api.search import best_move
from bestmove_client.models import (
    AlgorithmChoice, Answer, Budget, GameName, Games, PositionAnswer, PositionQuestion, Problem, ProblemCode, Question,
    Win,
)

client = Client(base_url=sys.argv[2])


def play(game: GameName) -> None:
    moves: list[str] = []
    while True:
        question = Question(game=game, moves=moves, budget=Budget(time_ms=10), ratings=3)
        answer = best_move.sync(client=client, body=question)
        assert isinstance(answer, Answer), answer
        if answer.outcome:
            print(f"{game}: {len(moves)} moves, {answer.outcome.result} by {answer.outcome.reason}")
            return
        rules = position.sync(client=client, body=PositionQuestion(game=game, moves=moves))
        assert isinstance(rules, PositionAnswer) and answer.best_move in rules.legal_moves, rules
        assert not isinstance(answer.score, Win) or answer.score.plies > 0
        assert 1 <= len(answer.ratings) <= 3
        moves.append(answer.best_move)


def meets(code: ProblemCode, question: Question) -> None:
    problem = best_move.sync(client=client, body=question)
    assert isinstance(problem, Problem) and problem.code == code and problem.errors, problem


listed = games.sync(client=client)
assert isinstance(listed, Games)
for name in (GameName.CONNECT4, GameName.OTHELLO, GameName.NIM, GameName.TICTACTOE):
    assert any(game.name == name for game in listed.games)
    play(name)
meets(ProblemCode.ILLEGAL_MOVE, Question(game=GameName.CONNECT4, moves=["9"]))
meets(ProblemCode.UNSUPPORTED_ALGORITHM, Question(game=GameName.GENIUS, algorithm=AlgorithmChoice.TABLEBASE))
meets(ProblemCode.INVALID_REQUEST, Question(game=GameName.NIM, budget=Budget(depth=251)))
