import type { Socket } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import type { buildConnector as Build } from 'undici';

/**
 * Makes connections on which answers that only say that the answer will come (1xx) are skipped, as a client must at
 * any time (RFC 9110, 15.2). Of `100 Continue`, which some proxies send unasked, undici closes the connection: every
 * dial through such a proxy would be in doubt. The others start its time limits anew, for ever.
 */
export function connector(options: Build.BuildOptions): Build.connector {
  const connect = buildConnector(options);
  return (where, done) => {
    connect(where, (...connected) => {
      if (connected[0] === null) skipInterim(connected[1]);
      done(...connected);
    });
  };
}

/** The head of each answer is looked at before undici reads it; one answer comes after the other. */
function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const write: Socket['write'] = socket.write.bind(socket);
  let held: Buffer | undefined;
  let isAtHead = true;
  socket.write = ((...given: Parameters<Socket['write']>) => {
    isAtHead = true;
    return write(...given);
  }) as Socket['write'];
  socket.read = () => {
    for (;;) {
      const chunk = read();
      if (chunk === null || !isAtHead) return chunk;
      const rest = withoutInterim(held === undefined ? chunk : Buffer.concat([held, chunk]));
      isAtHead = rest.isPartial;
      held = rest.isPartial ? rest.bytes : undefined;
      if (!rest.isPartial) return rest.bytes;
    }
  };
}

/** @returns the bytes after every whole 1xx; `isPartial`: they may be the beginning of another */
function withoutInterim(bytes: Buffer): { bytes: Buffer; isPartial: boolean } {
  let rest = bytes;
  while (isInterim(rest.toString('latin1', 0, INTERIM.length + 2))) {
    const end = rest.indexOf('\r\n\r\n');
    // What is longer than any head is left to undici, which refuses it.
    if (end < 0) return { bytes: rest, isPartial: rest.length < LARGEST_HEAD };
    rest = rest.subarray(end + 4);
  }
  return { bytes: rest, isPartial: false };
}

/** As far as can be seen; 101 is the last answer of its kind, and nobody asked for it. */
function isInterim(start: string): boolean {
  const line = start.replace('/1.0', '/1.1');
  return line.length < INTERIM.length
    ? INTERIM.startsWith(line)
    : line.startsWith(INTERIM) && !line.endsWith(' 101');
}

const INTERIM = 'HTTP/1.1 1';
const LARGEST_HEAD = 16_384;
