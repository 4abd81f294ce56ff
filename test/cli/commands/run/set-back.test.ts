import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aDesk, json, PHONES, RUN } from '../desk.ts';

const [PHONE = ''] = PHONES;

describe('a command that changes a database which was set back', () => {
  it.each([
    [['suppress', 'add', PHONE]],
    [['suppress', 'import', 'leads.csv']],
    [['pause', '--all']],
    [['pause', 'leads']],
    [['collect']],
    [['cancel', 'leads']],
    [['import', 'leads', 'leads.csv', '--agent', 'ag_1']],
  ])('says what came back: %j', async (argv) => {
    const { at } = await aDesk();
    await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
    const database = at.path('data/callsheet.db');
    copyFileSync(database, `${database}.before`);
    await at.run([...RUN, '--limit', '1']);
    copyFileSync(`${database}.before`, database);

    const { err } = await at.run(argv);

    expect(err).toContain(
      'The database was replaced by an older copy, or has lost its last commits: 1 call that it no longer knew came back as unknown.',
    );
    expect(await json(at, ['status', 'leads'])).toMatchObject({ unknown: 1 });
  });
});
