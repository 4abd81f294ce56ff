import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../helpers/callsheet.ts';
import { talked } from '../../../helpers/services/voice-server.ts';
import { aDesk, PHONES, RUN } from '../desk.ts';

describe('import', () => {
  it('makes a campaign and calls nobody; start confirms it, run calls', async () => {
    const { at, service } = await aDesk();
    const imported = await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain('5 rows, 3 added, 1 rejected, 1 duplicate;');
    expect(imported.err).toContain(
      'Campaign "spring" (draft): 3 leads wait; `npx callsheet run spring` calls them.',
    );
    const again = await at.run(['import', 'spring', 'leads.csv']);
    expect(again.err).toContain('All of leads.csv is in "spring" already.');
    const started = await at.run(['start', 'spring']);
    expect(started.err).toContain(
      'Campaign "spring" is started; `npx callsheet run spring` calls.',
    );
    expect(service.dialled).toEqual([]);
    expect((await at.run(['run', 'spring', '--set', 'polling.floor=20ms'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  it('takes the mended rows back from the rejects file that it named', async () => {
    const { at, service } = await aDesk();
    const { err } = await at.run(RUN);
    const path = / {2}npx callsheet import leads (\S+)\n/.exec(err)?.[1] ?? '';
    const name = path.slice(at.cwd.length + 1);
    at.write(name, at.read(name).replace('n/a', '+12125550109'));
    const imported = await at.run(['import', 'leads', path]);
    expect(imported.err).toContain('1 lead waits; `npx callsheet run leads` calls them');
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled).toHaveLength(4);
    expect(service.dialled).toContain('+12125550109');
  });

  it('leaves a paused campaign paused, and start says so', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    await at.run(['pause', 'spring']);
    const started = await at.run(['start', 'spring']);
    expect(started.code).toBe(3);
    expect(started.err).toContain('is paused; `npx callsheet resume spring` starts it');
  });
});

describe('export', () => {
  it('writes every lead, also before anybody was called, in the format of the ending', async () => {
    const { at } = await aDesk({ analytics: (_, phone) => ({ body: talked(phone) }) });
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    const csv = await at.run(['export', 'spring', '-o', 'all.csv']);
    expect(csv.err).toBe(`Results: ${at.path('all.csv')} (3 rows)\n`);
    expect(rowsOf(at.read('all.csv')).map((row) => row['call_state'])).toEqual(
      Array.from({ length: 3 }, () => 'waiting'),
    );
    await at.run(['export', 'spring', '-o', 'all.jsonl']);
    expect(at.read('all.jsonl').trim().split('\n')).toHaveLength(3);
    const piped = await at.run(['export', 'spring', '--format', 'jsonl', '-o', '-']);
    expect(piped.out).toBe(at.read('all.jsonl'));
    await at.run(['export', 'spring', '--format', 'jsonl']);
    expect(at.read('data/results/spring.jsonl')).toBe(at.read('all.jsonl'));
    await at.run(['export', 'spring']);
    expect(at.has('data/results/spring.csv')).toBe(true);
  });
});
