import type { Statement } from 'better-sqlite3';

/** A prepared statement that is compiled at its first use; what is wrong with its text shows only then. */
export function lazily(compile: () => Statement): Lazy {
  return new Lazy(compile);
}

type Values = unknown[];

class Lazy {
  #compiled: Statement | undefined;
  #shape: 'pluck' | 'raw' | undefined;
  readonly #compile: () => Statement;

  constructor(compile: () => Statement) {
    this.#compile = compile;
  }

  run(...values: Values): unknown {
    return this.#statement().run(...values);
  }

  get(...values: Values): unknown {
    return this.#statement().get(...values);
  }

  all(...values: Values): unknown[] {
    return this.#statement().all(...values);
  }

  iterate(...values: Values): Iterable<unknown> {
    return this.#statement().iterate(...values);
  }

  pluck(): this {
    this.#shape = 'pluck';
    return this;
  }

  raw(): this {
    this.#shape = 'raw';
    return this;
  }

  #statement(): Statement {
    if (this.#compiled !== undefined) return this.#compiled;
    const compiled = this.#compile();
    if (this.#shape !== undefined) compiled[this.#shape]();
    this.#compiled = compiled;
    return compiled;
  }
}
