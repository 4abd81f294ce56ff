import { ServerError, Wire as RealWire, type Answer } from '../../../src/store/postgres/wire.ts';
import { hostOfWire } from './machine.ts';
import { Gone } from './process.ts';

export { ServerError };

type Question = Parameters<RealWire['ask']>[0];

/** What the program gets for the way to a PostgreSQL server, see `run-typescript.mjs`. */
export class Wire extends RealWire {
  readonly #host = hostOfWire(this);
  #connect: Question = { end: true };
  #isClosed = false;

  override ask(question: Question): Answer {
    if (this.#isClosed && 'end' in question) return { id: 0 };
    if (this.#isClosed) throw new Gone();
    if ('connect' in question) this.#connect = question;
    return this.#host?.(question, () => super.ask(question)) ?? super.ask(question);
  }

  override close(): void {
    if (!this.#isClosed) super.close();
    this.#isClosed = true;
  }

  /** The connection is lost, and the server undoes what was begun: a new one takes its place. */
  lose(): void {
    super.ask(this.#connect);
  }

  /** Its process has ended. */
  end(): void {
    if (!this.#isClosed) super.ask({ end: true });
    this.close();
  }
}
