import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';

import type { Clock } from '../runtime/clock.ts';
import { AppError, messageOf } from '../runtime/errors.ts';

interface FetchListOptions {
  /** An https address, or http on loopback. */
  address: string;
  /** Sent as `Authorization: Bearer` to the address's own origin; undefined: none is sent. */
  key: string | undefined;
  /** The version of the last answer; null: the address was not asked yet. */
  known: ListVersion | null;
  /** A longer answer is refused as soon as that is known. */
  maxBytes: number;
  /** The file that the list is written to, complete or not at all. */
  to: string;
  clock: Pick<Clock, 'after'>;
  signal?: AbortSignal | undefined;
}

/** The validators of an answer (RFC 9110 8.8); null: it had none. */
interface ListVersion {
  etag: string | null;
  lastModified: string | null;
}

const MOST_REDIRECTS = 3;
/** Until the status line. */
const SILENT_MS = 30_000;
/** From the start to the last byte, even if bytes keep coming. */
const WHOLE_MS = 10 * 60_000;

/**
 * Fetches the list of an address, unless it is unchanged. Follows no redirect to another origin, as the key is only for
 * the one that the operator named.
 * @returns the version of the list that was written to `to`; null: nothing is new (304)
 */
export async function fetchList(options: FetchListOptions): Promise<ListVersion | null> {
  const { address, clock, signal } = options;
  const { Agent } = await import('undici');
  const dispatcher = new Agent({ connect: { timeout: 10_000 }, headersTimeout: SILENT_MS });
  const late = new AbortController();
  const stopTimer = clock.after(WHOLE_MS, () =>
    late.abort(new Error(`it was not here in full within ${WHOLE_MS / 60_000} minutes`)),
  );
  const until = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
  try {
    return await ask(new URL(address), options, dispatcher, until);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw failed(address, messageOf(error));
  } finally {
    stopTimer();
    await dispatcher.destroy();
  }
}

async function ask(
  url: URL,
  options: FetchListOptions,
  dispatcher: Dispatcher,
  signal: AbortSignal,
  redirects = 0,
): Promise<ListVersion | null> {
  const { address, known, maxBytes } = options;
  const headers = headersOf(url, options);
  const { request } = await import('undici');
  const answer = await request(url, { dispatcher, headers, signal });
  const { statusCode: status, body } = answer;
  const header = (name: string) => {
    const value = answer.headers[name];
    return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
  };
  if (status === 200) {
    if (Number(header('content-length') ?? 0) > maxBytes) throw tooLarge(options);
    await write(body, options);
    return { etag: header('etag'), lastModified: header('last-modified') };
  }
  body.on('error', () => undefined).destroy();
  if (status === 304 && known !== null) return null;
  const location = header('location');
  if (status < 300 || status > 399 || location === null || status === 304)
    throw failed(address, `it answered with status ${status}`);
  const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
  if (next === null || next.origin !== url.origin) {
    const where = next === null ? 'something that is no address' : next.origin;
    throw failed(address, `it leads to ${where}, which is not followed: name that address itself`);
  }
  if (redirects === MOST_REDIRECTS)
    throw failed(address, `it leads on more than ${MOST_REDIRECTS} times`);
  return ask(next, options, dispatcher, signal, redirects + 1);
}

/** The key goes only to the origin that the operator has named. */
function headersOf(url: URL, { address, key, known }: FetchListOptions): Record<string, string> {
  const isOwn = url.origin === new URL(address).origin;
  return {
    'user-agent': 'callsheet',
    ...(key !== undefined && isOwn && { authorization: `Bearer ${key}` }),
    ...(known?.etag != null && { 'if-none-match': known.etag }),
    ...(known?.lastModified != null && { 'if-modified-since': known.lastModified }),
  };
}

/** Writes a `.part` file first, so that an answer that breaks off leaves nothing under the real name. */
async function write(body: Dispatcher.ResponseData['body'], options: FetchListOptions) {
  const part = `${options.to}.part`;
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > options.maxBytes) done(tooLarge(options));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(body, bounded, createWriteStream(part, { mode: 0o600 }));
    await rename(part, options.to);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function tooLarge({ address, maxBytes }: FetchListOptions): AppError {
  return failed(
    address,
    `it is larger than ${maxBytes / 1_000_000} MB`,
    'set leadsMaxMegabytes to more, if a list of that size is meant',
  );
}

function failed(address: string, why: string, hint?: string): AppError {
  const { origin, pathname } = new URL(address);
  return new AppError('LIST_ADDRESS_FAILED', `No list came from ${origin}${pathname}: ${why}.`, {
    hint: hint ?? 'open the address with the same key, and mend `leads` if it has moved',
  });
}
