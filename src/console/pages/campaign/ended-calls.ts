import type { EndedCall } from '../../contract/campaigns.ts';

const SHOWN = 20;

/**
 * The calls that ended last, the newest first. A stream that begins anew brings the last ones once more: they are not
 * shown twice.
 *
 * @param calls what the stream brings, in the order in which they ended
 */
export function withEnded(
  before: readonly EndedCall[],
  calls: readonly EndedCall[],
): readonly EndedCall[] {
  const known = new Set(calls.map(endedKey));
  const others = before.filter((call) => !known.has(endedKey(call)));
  return [...calls.toReversed(), ...others].slice(0, SHOWN);
}

export function endedKey({ phone, line, endedAt }: EndedCall): string {
  return `${phone} ${line} ${endedAt ?? ''}`;
}
