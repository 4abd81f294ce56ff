import { ServerError, Wire as RealWire, type Answer } from '../../../src/store/postgres/wire.ts';
import { hostOfWire } from './machine.ts';
import { Gone } from './process.ts';

export { ServerError };

type Question = Parameters<RealWire['ask']>[0];

/** Connections whose process has ended: the server has planned their statements. */
const idle: { wire: RealWire; connected: Answer }[] = [];
/** One name for each text, so that a later process may use what was planned for an earlier one. */
const names = new Map<string, string>();

/** What the program gets for the way to a PostgreSQL server, see `run-typescript.mjs`. */
export class Wire {
  readonly #host = hostOfWire(this);
  #real: (typeof idle)[number] | undefined;
  #connect: Question = { end: true };
  #isClosed = false;

  ask(question: Question): Answer {
    if (this.#isClosed && 'end' in question) return { id: 0 };
    if (this.#isClosed) throw new Gone();
    if ('end' in question) return this.#leave();
    if ('connect' in question) return this.#connectTo(question);
    return this.#host?.(question, () => this.#ask(question)) ?? this.#ask(question);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** The connection is lost, and the server undoes what was begun: a new one takes its place. */
  lose(): void {
    this.#real?.wire.ask(this.#connect);
  }

  /** Its process has ended. */
  end(): void {
    if (!this.#isClosed) this.#leave();
    this.close();
  }

  #connectTo(question: Question): Answer {
    this.#connect = question;
    this.#real ??= idle.pop();
    if (this.#real !== undefined) return this.#real.connected;
    const wire = new RealWire();
    this.#real = { wire, connected: wire.ask(question) };
    return this.#real.connected;
  }

  #ask(question: Question): Answer {
    if (this.#real === undefined) throw new Error('there is no connection');
    if (!('statements' in question)) return this.#real.wire.ask(question);
    const statements = question.statements.map((one) =>
      typeof one === 'string' ? one : { ...one, name: nameOf(one.text) },
    );
    return this.#real.wire.ask({ statements });
  }

  #leave(): Answer {
    if (this.#real !== undefined) {
      this.#real.wire.ask({ statements: ['ROLLBACK'] });
      idle.push(this.#real);
    }
    this.#real = undefined;
    return { id: 0 };
  }
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
