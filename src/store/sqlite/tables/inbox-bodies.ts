import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { OldBodies } from '../../port.ts';

/** At most so many in one transaction: the webhook receiver must not wait for long. */
const AT_ONCE = 500;

/** Bodies of old deliveries that are not due any more are deleted; that they came is kept. */
export function inboxBodyStatements(db: Database) {
  const selectOld = db.prepare<OldBodies & { until: number }, { id: string; received_at: number }>(
    `SELECT id, received_at FROM inbox INDEXED BY inbox_newest
     WHERE received_at >= @from AND received_at < @until AND service = @service AND try_at IS NULL
       AND received_at < iif(state IN ('applied', 'hint', 'ignored'), @before, @uselessBefore)
       AND body_sha256 IS NULL
     ORDER BY received_at LIMIT ${AT_ONCE}`,
  );
  const selectBody = db.prepare<[string], Buffer>('SELECT body FROM inbox WHERE id = ?').pluck();
  const dropBody = db.prepare(
    "UPDATE inbox SET body = x'', headers = '{}', body_sha256 = ? WHERE id = ?",
  );
  const countRepeated = db.prepare(
    'UPDATE inbox SET times = times + 1 WHERE service = ? AND key = ? AND body_sha256 = ?',
  );

  return {
    /** @returns where to go on; null: there are no more */
    drop: (query: OldBodies): number | null => {
      const until = Math.max(query.before, query.uselessBefore);
      const old = selectOld.all({ ...query, until });
      for (const { id } of old) dropBody.run(bodyHash(selectBody.get(id) ?? Buffer.of()), id);
      return old.length < AT_ONCE ? null : (old.at(-1)?.received_at ?? null);
    },
    /** Counts what came again after its body was dropped. */
    isRepeated: (service: string, key: string, sha256: string): boolean =>
      countRepeated.run(service, key, sha256).changes === 1,
  };
}

export function bodyHash(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
