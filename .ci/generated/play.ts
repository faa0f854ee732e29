// A client with types generated from openapi.yaml: plays whole games without rules of its own, and meets problems.

import type { components } from "./api.js";

type Schemas = components["schemas"];

const base = process.argv[2] ?? "http://127.0.0.1:8080";

class Refused extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(problem.detail);
  }
}

async function send<T>(path: string, body?: unknown): Promise<T> {
  const init = body === undefined
    ? {}
    : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(base + path, init);
  const json: unknown = await response.json();
  if (!response.ok) throw new Refused(json as Schemas["Problem"]);
  return json as T;
}

const bestMove = (question: Schemas["Question"]) => send<Schemas["Answer"]>("/v1/bestmove", question);
const position = (question: Schemas["PositionQuestion"]) => send<Schemas["PositionAnswer"]>("/v1/position", question);

// Every kind has its own members: a misspelt kind or member does not compile.
function words(score: Schemas["Score"]): string {
  switch (score.kind) {
    case "win":
    case "loss":
      return `${score.kind} in ${score.plies}`;
    case "payoff":
    case "heuristic":
      return `${score.value} (${score.unit})`;
    case "estimate":
      return `${score.value} +- ${score.stderr}`;
    case "draw":
    case "unknown":
      return score.kind;
  }
}

async function play(game: Schemas["GameName"]): Promise<void> {
  const moves: string[] = [];
  for (;;) {
    const answer = await bestMove({ game, moves, budget: { time_ms: 10 }, ratings: 3 });
    if (answer.outcome) {
      console.log(`${game}: ${moves.length} moves, ${answer.outcome.result} by ${answer.outcome.reason}`);
      return;
    }
    const { legal_moves } = await position({ game, moves });
    if (!answer.best_move || !legal_moves.includes(answer.best_move)) throw new Error(`${answer.best_move} in ${game}`);
    if (!answer.score || answer.ratings.some((rated) => words(rated.score) === "")) throw new Error("no score");
    moves.push(answer.best_move);
  }
}

async function meets(code: Schemas["ProblemCode"], question: Schemas["Question"]): Promise<void> {
  try {
    await bestMove(question);
  } catch (why) {
    if (why instanceof Refused && why.problem.code === code && why.problem.errors[0]) return;
    throw why;
  }
  throw new Error(`${code} expected`);
}

const { games } = await send<Schemas["Games"]>("/v1/games");
const wanted: Schemas["GameName"][] = ["connect4", "othello", "nim", "tictactoe"];
for (const name of wanted) {
  const game = games.find((game) => game.name === name);
  if (!game) throw new Error(`${name} is not listed`);
  await play(game.name);
}
await meets("illegal_move", { game: "connect4", moves: ["9"] });
await meets("unsupported_algorithm", { game: "genius", algorithm: "tablebase" });
await meets("invalid_request", { game: "nim", budget: { depth: 251 } });
