import type { Socket } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import type { buildConnector as Build } from 'undici';

/**
 * Makes connections that skip interim answers (1xx), as a client must at any time (RFC 9110, 15.2). undici closes the
 * connection on a `100 Continue` that it did not ask for, which some proxies send: every dial through such a proxy
 * would be in doubt. The other 1xx answers would restart undici's time limits again and again.
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

/** Inspects the head of each answer before undici reads it; there is one answer at a time on a connection. */
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

/** @returns the bytes after all complete 1xx answers; `isPartial`: they may be the beginning of another 1xx */
function withoutInterim(bytes: Buffer): { bytes: Buffer; isPartial: boolean } {
  let rest = bytes;
  while (isInterim(rest.toString('latin1', 0, INTERIM.length + 2))) {
    const end = rest.indexOf('\r\n\r\n');
    // A head longer than any real one is passed on to undici, which refuses it.
    if (end < 0) return { bytes: rest, isPartial: rest.length < LARGEST_HEAD };
    rest = rest.subarray(end + 4);
  }
  return { bytes: rest, isPartial: false };
}

/** Whether the bytes are, or may become, the beginning of an interim answer; 101 is final, not interim. */
function isInterim(start: string): boolean {
  const line = start.replace('/1.0', '/1.1');
  return line.length < INTERIM.length
    ? INTERIM.startsWith(line)
    : line.startsWith(INTERIM) && !line.endsWith(' 101');
}

const INTERIM = 'HTTP/1.1 1';
const LARGEST_HEAD = 16_384;
