import { signal } from '@preact/signals';
import type { ProblemBody } from '../../contract/common.ts';
import { pageOrigin } from './addresses.ts';

/**
 * What the console refused, or why there was no answer: `problem` says it as the command line would. `code`
 * CONNECTION_LOST: the console could not be reached, so nobody knows whether the request arrived.
 */
export class Refusal extends Error {
  readonly problem: ProblemBody;

  constructor(problem: ProblemBody) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** False while the console does not answer. */
export const isConnected = signal(true);
/** Counts the times that the way to the data was free again; what shows data reads it anew. */
export const reconnections = signal(0);
/** Called when an answer says that nobody is signed in. */
export const whenSignedOut = { call: (): void => undefined };

/** @throws Refusal */
export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask<T>('GET', path, undefined, signal);
}

/**
 * Sends a change. It is sent once: whoever lost the connection looks at what is there now, and then decides.
 *
 * @throws Refusal
 */
export function send<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  return ask<T>(method, path, body);
}

/** As `send`, for an answer that is a file; all of it is in memory. @throws Refusal */
export async function sendForFile(path: string, body: unknown): Promise<Blob> {
  const answer = await answerTo('POST', path, body);
  if (!answer.ok) throw new Refusal(await problemOf(answer));
  return answer.blob().catch(() => {
    throw noAnswer('POST');
  });
}

async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return contentOf<T>(await answerTo(method, path, body, signal));
}

function answerTo(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${pageOrigin}/api/v1${path}`, {
    method,
    ...(signal !== undefined && { signal }),
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw noAnswer(method);
  });
}

/** What an answer brings. @throws Refusal */
export async function contentOf<T>(answer: Response): Promise<T> {
  if (!isConnected.value) connectionBack();
  if (answer.ok) return (await answer.json()) as T;
  throw new Refusal(await problemOf(answer));
}

/** For a request that was not answered. */
export function noAnswer(method: string): Refusal {
  connectionLost();
  return new Refusal(lost(method));
}

async function problemOf(answer: Response): Promise<ProblemBody> {
  const problem = (await answer.json().catch(() => undefined)) as ProblemBody | undefined;
  if (problem?.code === 'NOT_SIGNED_IN') whenSignedOut.call();
  return (
    problem ?? {
      ...lost('GET'),
      status: answer.status,
      detail: `The console answered ${answer.status} ${answer.statusText}.`,
    }
  );
}

function lost(method: string): ProblemBody {
  const isChange = method !== 'GET';
  return {
    type: 'urn:callsheet:CONNECTION_LOST',
    title: 'connection lost',
    status: 0,
    code: 'CONNECTION_LOST',
    detail: 'The console does not answer.',
    hint: isChange
      ? 'nobody knows whether the change arrived: look at what is shown when the connection is back, then decide'
      : 'it is asked again by itself',
  };
}

const ASK_AGAIN_MS = 1_000;
let asking: ReturnType<typeof setTimeout> | undefined;

/** Asks until there is an answer; any answer is one, also a refusal. */
export function connectionLost(): void {
  isConnected.value = false;
  asking ??= setTimeout(() => {
    asking = undefined;
    fetch(`${pageOrigin}/api/v1/session`).then(connectionBack, connectionLost);
  }, ASK_AGAIN_MS);
}

function connectionBack(): void {
  if (isConnected.value) return;
  isConnected.value = true;
  readAgain();
}

/** Lets everything that shows data read it anew. */
export function readAgain(): void {
  reconnections.value += 1;
}
