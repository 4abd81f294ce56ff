import type { Database } from 'better-sqlite3';
import { openReally, type Connections } from './connections.ts';
import type { Process } from './process.ts';

interface ObservedWorld {
  readonly path: string;
  readonly living: ReadonlySet<Process>;
  /** The database at a path is kept open from one run to the next. */
  keeps(path: string): boolean;
}

/** Reads what is committed, beside the processes. */
export class Observer {
  readonly #world: ObservedWorld;
  readonly #connections: Connections;
  #own: Database | undefined;

  constructor(world: ObservedWorld, connections: Connections) {
    this.#world = world;
    this.#connections = connections;
  }

  /** Through somebody's connection, or one of its own. */
  look<T>(read: (db: Database) => T): T {
    const { living, path } = this.#world;
    for (const { databases } of living) {
      for (const connection of databases) {
        if (connection.open && !connection.inTransaction) return read(connection.db);
      }
    }
    if (this.#world.keeps(path)) return read(this.#connections.observer(path));
    return read((this.#own ??= openReally(path)));
  }

  lookAway(): void {
    const own = this.#own;
    this.#own = undefined;
    own?.close();
  }
}
