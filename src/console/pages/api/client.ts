import { signal } from '@preact/signals';

import type { Problem } from '../../../views/fields.ts';

/**
 * Waits before something is asked again: so long, and then until the page is visible. A page that is shown again waits
 * no longer, as what it shows may be old. A hidden page asks nothing.
 *
 * @param over ends the wait
 */
export function nextPoll(ms: number, over?: AbortSignal): Promise<void> {
  if (over?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      over?.removeEventListener('abort', end);
      resolve();
    };
    const look = () => {
      if (document.visibilityState === 'visible') end();
    };
    const timer = setTimeout(look, ms);
    document.addEventListener('visibilitychange', look);
    over?.addEventListener('abort', end);
  });
}

/**
 * What the console refused, or why there was no answer: `problem` says it as the command line would. `code`
 * CONNECTION_LOST: the console could not be reached, so nobody knows whether the request arrived.
 */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** False while the console does not answer. */
export const isConnected = signal(true);
/** Counts the times that the way to the data was free again; what shows data reads it anew. */
export const reconnections = signal(0);
/** How far the console's clock is ahead of this machine's, ms, to a second. */
const clockAhead = signal(0);
/** The console's clock, epoch ms: that of this machine may be wrong. */
export const consoleNow = (): number => Date.now() + clockAhead.value;
/** True after an answer that nobody is signed in, until somebody is. */
export const isSignedOut = signal(false);

/** The ETags of what was read. */
const tags = new WeakMap<object, string>();

/**
 * @param before what was read there the last time: while nothing has changed, the console sends nothing, and it is
 *   returned again
 * @throws Refusal
 */
export async function get<T extends object>(
  path: string,
  signal?: AbortSignal,
  before?: T,
): Promise<T> {
  const known = before && tags.get(before);
  const answer = await answerTo('GET', path, { signal, known });
  if (answer.status === 304 && before !== undefined) {
    connectionBack();
    return before;
  }
  const value = await contentOf<T>(answer);
  const tag = answer.headers.get('etag');
  if (tag !== null) tags.set(value, tag);
  return value;
}

/**
 * Sends a change. It is sent once: after a lost connection, a person looks at what is there now, and then decides.
 *
 * @throws Refusal
 */
export async function send<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  return contentOf<T>(await answerTo(method, path, { body }), method);
}

/** As `send`, for an answer that is a file; all of it is in memory. @throws Refusal */
export async function sendForFile(path: string, body: unknown): Promise<Blob> {
  const answer = await answerTo('POST', path, { body });
  if (!answer.ok) throw new Refusal(await problemOf(answer));
  return answer.blob().catch(() => {
    throw noAnswer('POST');
  });
}

async function answerTo(
  method: string,
  path: string,
  {
    body,
    signal,
    known,
  }: { body?: unknown; signal?: AbortSignal | undefined; known?: string | undefined },
): Promise<Response> {
  try {
    const answer = await fetch(`${pageOrigin()}/api/v1${path}`, {
      method,
      ...(signal !== undefined && { signal }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(known !== undefined && { 'if-none-match': known }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    compareClocks(answer);
    return answer;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw noAnswer(method);
  }
}

/** `Date` is in whole seconds; as long as it fits, the difference stays, so that ages do not jump. */
function compareClocks({ headers }: Response): void {
  const ahead = Date.parse(headers.get('date') ?? '') + 500 - Date.now();
  if (Math.abs(ahead - clockAhead.value) > 1_000) clockAhead.value = ahead;
}

/** What an answer brings. @throws Refusal */
export async function contentOf<T>(answer: Response, method = 'GET'): Promise<T> {
  connectionBack();
  if (!answer.ok) throw new Refusal(await problemOf(answer));
  return (await answer.json().catch((error: unknown) => {
    // Else the console has ended in the middle of its answer.
    throw (error as Error).name === 'AbortError' ? error : noAnswer(method);
  })) as T;
}

/** For a request that was not answered. */
export function noAnswer(method: string): Refusal {
  connectionLost();
  return new Refusal(lost(method));
}

async function problemOf(answer: Response): Promise<Problem> {
  const problem = (await answer.json().catch(() => undefined)) as Problem | undefined;
  if (problem?.code === 'NOT_SIGNED_IN') isSignedOut.value = true;
  return (
    problem ?? {
      ...lost('GET'),
      status: answer.status,
      detail: `The console answered ${answer.status} ${answer.statusText}.`,
    }
  );
}

function lost(method: string): Problem {
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
let isAsking = false;

/** Asks until there is an answer; any answer is one, also a refusal. */
function connectionLost(): void {
  isConnected.value = false;
  if (isAsking) return;
  isAsking = true;
  void nextPoll(ASK_AGAIN_MS).then(() => {
    isAsking = false;
    return fetch(`${pageOrigin()}/api/v1/session`).then(connectionBack, connectionLost);
  });
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

/** Where the pages came from; asked for with every request, so that a `<base>` could not send requests elsewhere. */
export const pageOrigin = (): string => location.origin;

/** A path of the API or of a page, its values encoded: path`/campaigns/${name}/pause`. */
export function path(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts.reduce((whole, text, i) => {
    const value = values[i - 1] ?? '';
    return `${whole}${encodeURIComponent(value)}${text}`;
  });
}

/** `?a=1&b=x` of what is set; empty where nothing is. */
export function query(
  values: Record<string, string | number | boolean | readonly string[] | null | undefined>,
): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(key, String(one));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
