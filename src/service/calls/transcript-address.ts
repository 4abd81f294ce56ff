import type { PollResult } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import { isSuccess } from '../http/exchange.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';
import { readTranscriptBody } from './transcript.ts';

/** Statuses that say that this address will never give a transcript. */
const NEVER = new Set([400, 401, 403, 410]);

/**
 * Reads the transcript that an answer gives by its address. The key goes to the service's own origin alone: another
 * address is told, and not read.
 *
 * @returns any other result as it is; with `transcriptAt`, the transcript is not there yet
 */
export async function withTranscript(
  polled: PollResult,
  context: { client: HttpClient; rules: Profile['analytics']; signal: AbortSignal | undefined },
): Promise<PollResult> {
  if (polled.kind !== 'settled' || polled.transcriptAt === undefined) return polled;
  const { client, rules, signal } = context;
  const { transcriptAt, ...rest } = polled;
  const { origin, pathname, search } = new URL(transcriptAt);
  const elsewhere = { of: 'elsewhere', word: origin + pathname } as const;
  const without = { ...rest, unknown: [...(polled.unknown ?? []), elsewhere] };
  if (origin !== client.origin) return without;
  let why: string;
  try {
    const { status, text } = await client.read('GET', pathname + search, null, signal);
    if (NEVER.has(status)) return without;
    const found = isSuccess(status) ? readTranscriptBody(text, rules.transcript) : undefined;
    if (found !== undefined) {
      const { text: transcript, turns } = found;
      return { ...rest, analytics: { ...rest.analytics, transcript, turns } };
    }
    if (status !== 429 && status < 500) return { ...without, transcriptAt };
    why = ` was answered with HTTP ${status}`;
  } catch (error) {
    why = `: ${causeOf(error)}`;
  }
  const detail = `GET ${origin}${pathname}${why}`;
  return { kind: 'failed', detail, retryAfterMs: null, keyRefused: false };
}
