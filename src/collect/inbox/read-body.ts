import type { Readable } from 'node:stream';
import type { DeliveryProtocol } from '../../service/port.ts';

/** The body of a request. */
export type Body =
  | { kind: 'whole'; bytes: Buffer }
  /** Longer than the limit, and of a type that the profile calls unneeded: no byte was kept. */
  | { kind: 'unneeded' }
  /** Longer than any body that is accepted. */
  | { kind: 'too_large' };

export interface BodyRules {
  /** How many bytes are kept at most. */
  limit: number;
  /** The length that the request states; NaN if it states none. */
  length: number;
  /** Which deliveries may be longer, because they are dropped; null: none. */
  unneeded: DeliveryProtocol['unneeded'];
  /** Called after every chunk with the number of bytes that are kept. */
  onHeld?: ((bytes: number) => void) | undefined;
}

/**
 * Reads a body of up to `limit` bytes. Where the profile names unneeded types, a longer body is scanned chunk by
 * chunk for its type, and no chunk is kept.
 *
 * @throws the error that interrupted the request
 */
export function readBody(stream: Readable, rules: BodyRules): Promise<Body> {
  const { length, limit, unneeded, onHeld } = rules;
  const most = Math.max(limit, unneeded?.largestBytes ?? 0);
  if (length > most) return Promise.resolve({ kind: 'too_large' });

  return new Promise((resolve, reject) => {
    let size = 0;
    let pieces: Buffer[] = [];
    // The scan begins only when the body exceeds the limit, or at once if the request says that it will.
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
      // `concat` copies: a chunk may be a view of the buffer that the connection reads into.
      if (scan === undefined) done({ kind: 'whole', bytes: Buffer.concat(pieces, size) });
      else done({ kind: scan.isUnneeded() ? 'unneeded' : 'too_large' });
    };
    stream.on('data', onData).on('end', onEnd).on('error', reject);
  });
}
