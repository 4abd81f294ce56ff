import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { aDesk, json } from '../../cli/commands/desk.ts';
import type { Desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { until } from '../../helpers/until.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const ROWS = 24_000;

interface Shown {
  state: string;
  waiting: number;
  heldUpBy: string | null;
  lists: {
    finishedAt: string | null;
    importer: { pid: number } | null;
    good: number;
    rejected: number;
  }[];
}

it('after kill -9 in the middle of an import the campaign says so, and the next command brings the rest in', async () => {
  const { at } = await aDesk();
  at.write('long.csv', `phone\n${Array.from({ length: ROWS }, (_, i) => aPhone(i)).join('\n')}\n`);
  const killed = spawnCallsheet(at, ['import', 'spring', 'long.csv', '--agent', 'ag_1']);
  const shown = async () => (await json(at, ['status', 'spring'])) as Shown;
  // A look that takes 1 ms, so that the import cannot end before it is killed.
  await until(() => hasLeads(at));
  killed.kill('SIGKILL');
  expect((await killed.ended).signal).toBe('SIGKILL');

  const after = await shown();
  expect(after.waiting).toBeLessThan(ROWS);
  expect(after.lists).toMatchObject([{ finishedAt: null, importer: { pid: killed.pid } }]);
  expect(after.heldUpBy).toContain('was broken off');
  expect((await at.run(['resume', 'spring'])).code).toBe(0);
  const { lists, ...all } = await shown();
  const { good = 0, rejected = 0 } = lists[0] ?? {};
  expect(good + rejected).toBe(ROWS);
  expect(all).toMatchObject({ state: 'running', waiting: good, heldUpBy: null });
});

function hasLeads(at: Desk): boolean {
  if (!at.has('data/callsheet.db')) return false;
  const db = new Sqlite(at.path('data/callsheet.db'), { readonly: true });
  try {
    return db.prepare('SELECT 1 FROM leads').get() !== undefined;
  } catch {
    return false;
  } finally {
    db.close();
  }
}
