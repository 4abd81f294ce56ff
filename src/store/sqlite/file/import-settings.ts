import type { Database } from 'better-sqlite3';

/** 8 MB of pages at hand: 16 are no faster. */
const CACHE_SIZE = -8_000;

/**
 * Pages of log at which a checkpoint is made. Each page is then written once more, so that seldom is better: with
 * SQLite's own 1,000 the import of a million rows in no order takes 55 s instead of 40 s on a busy machine. Beside a
 * runner, whose commits would wait for a large checkpoint, it is made as often as usual.
 */
const PAGES_ALONE = 20_000;
const PAGES_BESIDE = 1_000;

/** Beside a runner rows come so few at a time, at most. */
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
    /** Before so many rows are written. */
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
