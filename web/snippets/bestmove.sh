#!/bin/sh
# Best move with curl. $1: address of the service.
curl --silent --fail "${1:-http://127.0.0.1:8080}/v1/bestmove" \
  --header 'content-type: application/json' \
  --data '{"game": "connect4", "moves": ["4", "4"], "level": 3, "seed": 1}'
