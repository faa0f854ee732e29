"""Best move with the standard library. First argument: address of the service."""
import json
import sys
import urllib.request

service = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
question = {"game": "connect4", "moves": ["4", "4"], "level": 3, "seed": 1}
request = urllib.request.Request(
    f"{service}/v1/bestmove",
    data=json.dumps(question).encode(),
    headers={"content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(answer["best_move"], answer["score"])
