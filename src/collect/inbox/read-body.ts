import type { Readable } from 'node:stream';
import type { DeliveryProtocol } from '../../service/port.ts';

/** What a request brought. */
export type Body =
  | { kind: 'whole'; bytes: Buffer }
  /** Longer than what is kept, and of a type that nobody needs: nothing of it is here any more. */
  | { kind: 'unneeded' }
  /** Longer than what is taken. */
  | { kind: 'too_large' };

export interface BodyRules {
  /** So many bytes are kept. */
  limit: number;
  /** As the request says; NaN where it does not. */
  length: number;
  /** What may be longer, because it is dropped; null: nothing. */
  unneeded: DeliveryProtocol['unneeded'];
  /** Told after every piece how many bytes are kept. */
  onHeld?: ((bytes: number) => void) | undefined;
}

/**
 * Reads a body of up to `limit` bytes. Where the profile names types that are unneeded, a longer one goes by in
 * pieces: none of them is kept, and only the type is looked for.
 *
 * @throws what broke the request off
 */
export function readBody(stream: Readable, rules: BodyRules): Promise<Body> {
  const { length, limit, unneeded, onHeld } = rules;
  const most = Math.max(limit, unneeded?.largestBytes ?? 0);
  if (length > most) return Promise.resolve({ kind: 'too_large' });

  return new Promise((resolve, reject) => {
    let size = 0;
    let pieces: Buffer[] = [];
    // Not begun before it is needed, unless the request says at once that it will be.
    let scan = length > limit ? unneeded?.scan() : undefined;

    const done = (body: Body) => {
      stream.off('data', onData).off('end', onEnd).off('error', reject);
      resolve(body);
    };
    const onData = (piece: Buffer) => {
      size += piece.length;
      if (size > most) {
        done({ kind: 'too_large' });
        return;
      }
      pieces.push(piece);
      if (size > limit) scan ??= unneeded?.scan();
      if (scan !== undefined) {
        for (const each of pieces) scan.add(each);
        pieces = [];
      }
      onHeld?.(scan?.held ?? size);
    };
    const onEnd = () => {
      // Copied, as a piece may be a part of what the connection reads into.
      if (scan === undefined) done({ kind: 'whole', bytes: Buffer.concat(pieces, size) });
      else done({ kind: scan.isUnneeded() ? 'unneeded' : 'too_large' });
    };
    stream.on('data', onData).on('end', onEnd).on('error', reject);
  });
}
