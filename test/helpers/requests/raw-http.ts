import { connect, type Socket } from 'node:net';

/** An answer as its bytes came. Header names are in lower case. */
export interface RawAnswer {
  /** 0: the connection was closed without one. */
  status: number;
  headers: Record<string, string>;
  /** As it came; in chunks, if it was sent so. */
  body: string;
}

/** A connection to a server of this machine, for requests that no client would send. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // What becomes of a connection that the server cuts off is seen by its end.
  socket.on('error', () => undefined);
  return socket;
}

/** Sends `text` as it is, and reads what comes until the server closes the connection. */
export function sendRaw(url: string, text: string | Buffer): Promise<RawAnswer> {
  const socket = openSocket(url);
  socket.write(text);
  return answerOf(socket);
}

/** Reads until the other side closes the connection. */
export function answerOf(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => (text += piece));
    socket.on('close', () => {
      resolve(read(text));
    });
  });
}

/** The lines of a request, which ends its connection. A header that is null is left out. */
export function requestText(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string | null> = {},
  body = '',
): string {
  const { host } = new URL(url);
  const all: Record<string, string | null> = {
    host,
    connection: 'close',
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

function read(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
