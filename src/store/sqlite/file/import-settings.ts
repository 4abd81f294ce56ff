import type { Database } from 'better-sqlite3';

/** A page cache of 8 MB; 16 MB is no faster. */
const CACHE_SIZE = -8_000;

/**
 * Pages of the write-ahead log after which a checkpoint is made. A checkpoint writes each page once more, so fewer are
 * better: with SQLite's default of 1,000 the import of a million unordered rows takes 55 s instead of 40 s on a busy
 * machine. While a runner is active, its commits would wait for a large checkpoint, so the default applies.
 */
const PAGES_ALONE = 20_000;
const PAGES_BESIDE = 1_000;

/** While a runner is active, at most this many rows are written at a time. */
const ROWS_BESIDE = 100;

/** The settings of a connection while a list is imported through it. */
export function importSettings(db: Database) {
  let usual: { wal_autocheckpoint: number; cache_size: number } | undefined;
  let pages = 0;

  const get = (name: string) => Number(db.pragma(name, { simple: true }));
  const set = (name: string, value: number) => db.pragma(`${name} = ${value}`);

  return {
    begin(): void {
      usual ??= {
        wal_autocheckpoint: get('wal_autocheckpoint'),
        cache_size: get('cache_size'),
      };
      set('cache_size', CACHE_SIZE);
    },
    /** Call before writing this number of rows. */
    write(rows: number): void {
      const wanted = rows > ROWS_BESIDE ? PAGES_ALONE : PAGES_BESIDE;
      if (usual === undefined || pages === wanted) return;
      pages = wanted;
      set('wal_autocheckpoint', pages);
    },
    end(): void {
      if (usual === undefined) return;
      pages = 0;
      for (const [name, value] of Object.entries(usual)) set(name, value);
    },
  };
}
