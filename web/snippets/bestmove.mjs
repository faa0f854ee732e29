// Best move with fetch. First argument: address of the service.
const service = process.argv[2] ?? 'http://127.0.0.1:8080';
const response = await fetch(`${service}/v1/bestmove`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ game: 'connect4', moves: ['4', '4'], level: 3, seed: 1 }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
console.log(answer.best_move, answer.score);
