import type { Database } from 'better-sqlite3';

/** The table `proven_services`: fingerprints of services that have answered one dial as their profile expects. */
export function provenServiceTable(db: Database) {
  const insert = db.prepare('INSERT INTO proven_services VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = db
    .prepare<[string], 1>('SELECT 1 FROM proven_services WHERE fingerprint = ?')
    .pluck();
  return {
    has: (fingerprint: string): boolean => select.get(fingerprint) === 1,
    add: (fingerprint: string, at: number): void => {
      insert.run(fingerprint, at);
    },
  };
}

export type ProvenServiceTable = ReturnType<typeof provenServiceTable>;
