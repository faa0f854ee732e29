// Requests to the service: typed by the contract, cancelled by a signal.

import type { components } from './contract';

type Schemas = components['schemas'];
export type GameInfo = Schemas['GameInfo'];
export type AlgorithmInfo = Schemas['AlgorithmInfo'];
export type BoardInfo = Schemas['BoardInfo'];
export type PieceInfo = Schemas['PieceInfo'];
export type Position = Schemas['PositionAnswer'];
export type Answer = Schemas['Answer'];
export type Score = Schemas['Score'];
export type MoveRating = Schemas['MoveRating'];
export type Review = Schemas['Review'];
export type MoveReview = Schemas['MoveReview'];
export type Rate = Schemas['Rate'];
export type TraceVisit = Schemas['TraceVisit'];
export type VisitedNode = Schemas['VisitedNode'];
export type DecidedBy = Schemas['DecidedBy'];
export type OutcomeReason = Schemas['OutcomeReason'];
export type Problem = Schemas['Problem'];

/** Why there is no answer. `wait` is in seconds until the next try; 0 where there is none. */
export type Failure =
  | { kind: 'offline' }
  | { kind: 'busy'; wait: number }
  | { kind: 'quota'; wait: number }
  | { kind: 'problem'; problem: Problem };

/** A failed request; a cancelled one throws the browser's `AbortError`. */
export class RequestError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.kind === 'problem' ? failure.problem.detail : failure.kind);
  }
}

/** The language of titles, as the browser sends it. */
let language = 'en';
export function speak(tag: string) {
  language = tag;
}

async function failureOf(response: Response): Promise<Failure> {
  const wait = Number(response.headers.get('retry-after') ?? 1);
  if (response.status === 503) return { kind: 'busy', wait };
  if (response.status === 429) return { kind: 'quota', wait };
  try {
    return { kind: 'problem', problem: (await response.json()) as Problem };
  } catch {
    return { kind: 'offline' };
  }
}

/** The failure that a stream ends with: others may have had more right to the place in the queue. */
function failureIn(problem: Problem): Failure {
  return problem.code === 'busy' ? { kind: 'busy', wait: Math.ceil((problem.retry_after_ms ?? 1000) / 1000) } : { kind: 'problem', problem };
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RequestError({ kind: 'offline' });
  }
  if (!response.ok) throw new RequestError(await failureOf(response));
  return response;
}

function posted(body: object, accept: string, signal?: AbortSignal): RequestInit {
  const headers = { 'content-type': 'application/json', accept, 'accept-language': language };
  return { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null };
}

/** Reads a document. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await send(path, { headers: { accept: 'application/json', 'accept-language': language }, signal: signal ?? null });
  return (await response.json()) as T;
}

/** Asks a question. */
export async function ask<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  const response = await send(path, posted(body, 'application/json', signal));
  return (await response.json()) as T;
}

/** A line of a stream. */
export type StreamLine<Progress, Result> =
  | { event: 'queued'; data: Schemas['QueueNews'] }
  | { event: 'begun'; data?: null }
  | { event: 'progress'; data: Progress }
  | { event: 'result'; data: Result }
  | { event: 'error'; data: Problem }
  | { event: 'heartbeat'; data?: null };

/** Asks a question and yields what the search has found so far, then its result. */
export async function* stream<Progress, Result>(path: string, body: object, signal: AbortSignal, onWait?: (expectedMs: number | null) => void) {
  const response = await send(path, posted(body, 'application/x-ndjson', signal));
  // The service answers when the search has a place, in a slot or in the queue.
  onWait?.(null);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.trim() === '') continue;
        const step = JSON.parse(line) as StreamLine<Progress, Result>;
        if (step.event === 'error') throw new RequestError(failureIn(step.data));
        if (step.event === 'queued') onWait?.(step.data.expected_ms);
        else if (step.event === 'begun') onWait?.(null);
        else if (step.event !== 'heartbeat') yield step;
      }
    }
  } catch (error) {
    if (error instanceof RequestError || signal.aborted) throw error;
    throw new RequestError({ kind: 'offline' });
  }
}
