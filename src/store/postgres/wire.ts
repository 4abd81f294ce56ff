import { Worker } from 'node:worker_threads';
import { SyncMessagePort } from 'sync-message-port';

/** Where a server is, and who asks. */
export interface ServerAddress {
  /** In the order in which they are tried. */
  hosts: readonly { host: string; port: number }[];
  user: string;
  database: string;
  /** Undefined: the driver reads PGPASSWORD or ~/.pgpass. */
  password?: string | undefined;
  /** Undefined: no TLS, which only loopback gets. The server's certificate is checked, and its name. */
  ssl?: { rejectUnauthorized: true; ca?: string } | undefined;
  application_name: string;
}

/** A statement with its values, or a text that may hold several statements. */
export type Sent = string | { name: string; text: string; values: unknown[] };

export type Question = { id: number } & (
  { connect: ServerAddress } | { end: true } | { statements: readonly Sent[] }
);

/** What a statement has found, and how many rows it has changed. */
export interface Found {
  rows: unknown[][];
  columns: string[];
  changes: number;
}

export interface Answer {
  id: number;
  /** Of each statement. */
  found?: Found[];
  /** A standby did not confirm the commit in time. */
  isWarned?: boolean;
  server?: { host: string; isStandby: boolean; isPooled: boolean };
  /** `code`: SQLSTATE, or `AWAY` for a failure of the way there. */
  failed?: { message: string; code?: string | undefined; detail?: string | undefined };
}

/** A failure that the server reported, `AWAY`, `PASSWORD` or `TLS`. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** More than the other thread waits for the server. */
const PATIENCE_MS = 30_000;

let thread: Worker | undefined;

/** One thread talks for all connections of this one. */
function wireThread(): Worker {
  if (thread !== undefined) return thread;
  thread = new Worker(new URL('./wire-thread.js', import.meta.url));
  thread.unref();
  thread.once('exit', () => {
    thread = undefined;
  });
  return thread;
}

/** A way to the server: `ask` blocks this thread until its answer is there. */
export class Wire {
  readonly #port: SyncMessagePort;
  #asked = 0;

  constructor() {
    const { port1, port2 } = SyncMessagePort.createChannel();
    wireThread().postMessage(port2, [port2]);
    this.#port = new SyncMessagePort(port1);
  }

  /** @throws ServerError */
  ask(
    question: { connect: ServerAddress } | { end: true } | { statements: readonly Sent[] },
  ): Answer {
    const id = ++this.#asked;
    this.#port.postMessage({ ...question, id });
    const answer = this.#answerTo(id);
    if (answer.failed === undefined) return answer;
    const { message, code = '', detail } = answer.failed;
    throw new ServerError(detail === undefined ? message : `${message} (${detail})`, code);
  }

  /** An answer that came too late is passed over: it would be taken for this question's, and each later one, too. */
  #answerTo(id: number): Answer {
    for (;;) {
      const answer = this.#port.receiveMessage({
        timeout: PATIENCE_MS,
        timeoutValue: undefined,
      }) as Answer | undefined;
      if (answer === undefined)
        throw new ServerError(`no answer within ${PATIENCE_MS / 1_000} s`, 'AWAY');
      if (answer.id === id) return answer;
      if (answer.id > id) throw new Error(`answer ${answer.id} came to question ${id}`);
    }
  }

  close(): void {
    this.#port.close();
  }
}
