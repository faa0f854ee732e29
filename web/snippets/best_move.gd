# Best move in Godot 4: a node that asks the service and tells the game.
extends HTTPRequest

signal best_move_found(move: String)

@export var service := "http://127.0.0.1:8080"

func ask(moves: Array) -> void:
    request_completed.connect(_on_answer, CONNECT_ONE_SHOT)
    var question := {"game": "connect4", "moves": moves, "level": 3}
    request(service + "/v1/bestmove", ["content-type: application/json"], HTTPClient.METHOD_POST, JSON.stringify(question))

func _on_answer(_result: int, code: int, _headers: PackedStringArray, body: PackedByteArray) -> void:
    var answer: Dictionary = JSON.parse_string(body.get_string_from_utf8())
    if code == 200:
        best_move_found.emit(answer["best_move"])
    else:
        push_error(answer["detail"])
