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
 * address is told, and not read. Until the transcript is there, the call's analytics are still to come.
 *
 * @returns any other result as it is
 */
export async function withTranscript(
  polled: PollResult,
  context: { client: HttpClient; rules: Profile['analytics']; signal: AbortSignal | undefined },
): Promise<PollResult> {
  if (polled.kind !== 'settled' || polled.transcriptAt === undefined) return polled;
  const { client, rules, signal } = context;
  const { origin, pathname, search } = new URL(polled.transcriptAt);
  const elsewhere = { of: 'elsewhere', word: origin + pathname } as const;
  const without = { ...polled, unknown: [...(polled.unknown ?? []), elsewhere] };
  if (origin !== client.origin) return without;
  try {
    const { status, text } = await client.read('GET', pathname + search, null, signal);
    if (NEVER.has(status)) return without;
    if (!isSuccess(status)) return { kind: 'ended', ...(polled.names && { names: polled.names }) };
    const { text: transcript, turns } = readTranscriptBody(text, rules.transcript);
    return { ...polled, analytics: { ...polled.analytics, transcript, turns } };
  } catch (error) {
    const detail = `GET ${origin}${pathname}: ${causeOf(error)}`;
    return { kind: 'failed', detail, retryAfterMs: null, keyRefused: false };
  }
}
