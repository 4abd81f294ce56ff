import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone, OTHER_LIVE } from '../../helpers/services/live-service.ts';
import { until } from '../../helpers/until.ts';
import { talked, voiceServer, type VoiceServer } from '../../helpers/services/voice-server.ts';

const PHONES = Array.from({ length: 5 }, (_, i) => `+1212555010${i}`);
const listOf = (phones: readonly string[]) => `phone\n${phones.join('\n')}\n`;
const QUICK = ['--set', 'polling.floor=20ms'];

const aDesk = async (): Promise<{ at: Desk; service: VoiceServer }> => {
  const service = await voiceServer({
    agents: () => ({ body: [{ id: 'ag_1' }, { id: 'ag_2' }] }),
  });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', listOf(PHONES.slice(0, 3)));
  return { at, service };
};
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', ...QUICK];

describe('a list under the name of a campaign that was made from another', () => {
  it('is refused, and joins with --add, which says who is not on it', async () => {
    const { at, service } = await aDesk();
    expect((await at.run([...RUN, '--limit', '1'])).code).toBe(3);
    at.write('leads.csv', listOf([PHONES[2] ?? '', PHONES[3] ?? '', PHONES[4] ?? '']));
    const refused = await at.run(RUN);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(
      `${at.path('leads.csv')} is not the list that campaign "leads" was made from, or it has changed since.`,
    );
    expect(refused.err).toContain('  next: give --add to let its new rows join, or --name');
    expect(service.dialled).toHaveLength(1);

    const checked = await at.run(['check', 'leads.csv']);
    expect(checked.err).toContain('`run` needs --add');
    expect(checked.err).toContain('4 to call now');

    const added = await at.run([...RUN, '--add']);
    expect(added.code).toBe(0);
    expect(added.err).toContain('4 to call now, 1 done already');
    expect(added.err).toContain('1 waiting lead is not on this list and will still be called');
    expect(added.err).toContain('`npx callsheet cancel leads --lead NUMBER` withdraws one');
    expect(service.dialled.toSorted()).toEqual(PHONES);
    expect(rowsOf(at.read('data/results/leads.csv'))).toHaveLength(5);
  });

  it('begins another campaign with --name, which calls its own people', async () => {
    const { at, service } = await aDesk();
    await at.run(RUN);
    at.write('leads.csv', listOf(PHONES.slice(3)));
    expect((await at.run([...RUN, '--name', 'second'])).code).toBe(0);
    expect(service.dialled).toEqual(PHONES);
    const listed = await at.run(['list']);
    expect(listed.out).toMatch(/^CAMPAIGN +STATE +RUNNER.*\nleads +completed.*\nsecond +completed/);
  });

  it('is read on without --add when its own import was broken off', async () => {
    const { at, service } = await aDesk();
    at.write('leads.csv', `${listOf(PHONES.slice(0, 3))}n/a\n`);
    // The folder of the rejects cannot be made: the import stops before its end.
    mkdirSync(at.path('sub'));
    at.write('sub/rejects', 'in the way');
    const argv = [...RUN, '--db', 'sub/calls.db'];
    const broken = await at.run(argv);
    expect(broken.code).toBe(2);
    expect(broken.err).toContain('The rows that were not taken cannot be kept');
    expect(service.dialled).toEqual([]);
    rmSync(at.path('sub/rejects'));
    const again = await at.run(argv);
    expect(again.code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES.slice(0, 3));
  });

  it('gives rows that lacked a country a second chance when a country comes', async () => {
    const { at, service } = await aDesk();
    at.write('leads.csv', 'phone\n+12125550100\n212-555-0101\n');
    const first = await at.run(RUN);
    expect(first.code).toBe(0);
    expect(first.err).toContain('2 rows, 1 added, 1 rejected');
    const second = await at.run([...RUN, '--country', 'US']);
    expect(second.err).toContain('country none -> US (flag --country)');
    expect(second.err).toContain('1 to call now, 1 done already');
    expect(second.code).toBe(0);
    expect(service.dialled).toEqual(PHONES.slice(0, 2));
  });
});

describe('a campaign', () => {
  it('keeps its agent', async () => {
    const { at, service } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    const refused = await at.run(['run', 'leads', '--agent', 'ag_2']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Campaign "leads" calls with agent "ag_1", not "ag_2"');
    expect(service.dialled).toHaveLength(1);
  });

  it('keeps its settings until a flag differs, and says what changed', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1', '--concurrency', '20']);
    const changed = await at.run(['run', 'leads', '--concurrency', '10', '--limit', '1']);
    expect(changed.err).toContain('concurrency 20 -> 10 (flag --concurrency)\n');
    const after = await at.run(['list', '--json']);
    expect(JSON.parse(after.out)).toMatchObject({ items: [{ concurrency: 10 }] });
  });

  it('that was rehearsed on the embedded service refuses a real one, and the other way round', async () => {
    const { at, service } = await aDesk();
    const db = ['--db', 'one.db', ...QUICK];
    const rehearse = ['import', 'leads', 'leads.csv', '--service', 'simulated', ...db];
    expect((await at.run(rehearse)).code).toBe(0);
    const real = await at.run(['run', 'leads', '--service-url', service.url, ...db]);
    expect(real.code).toBe(2);
    expect(real.err).toContain(
      '"leads" is a rehearsal on the embedded service; rehearsed and real',
    );
    const other = ['--name', 'real', '--service-url', service.url, '--agent', 'ag_1', ...db];
    expect((await at.run(['run', 'leads.csv', ...other, '--limit', '1'])).code).toBe(3);
    const simulated = await at.run(['run', 'real', '--service', 'simulated', ...db]);
    expect(simulated.code).toBe(2);
    expect(simulated.err).toContain('"real" is of a real service');
    expect(service.dialled).toHaveLength(1);
  });

  it('may go on at another real service, which is kept, while open calls are read at the first', async () => {
    const first = await voiceServer({ analytics: () => ({ status: 409, body: {} }) });
    const second = await voiceServer();
    const phones = [0, 1, 2].map(livePhone);
    const at = desk({ VOICE_API_KEY: 'k', OTHER_KEY: 'other' });
    at.write('leads.csv', listOf(phones));
    at.write(
      'services.yaml',
      `one: { url: "${LIVE}" }\ntwo: { url: "${OTHER_LIVE}", keyEnv: OTHER_KEY }\n`,
    );
    const connect = leadTo({ [LIVE]: first.url, [OTHER_LIVE]: second.url });
    const common = ['--services', 'services.yaml', '--db', 'calls.db', '--yes'];
    const { io, ended } = at.begin(
      [
        'run',
        'leads.csv',
        '--new-db',
        '--agent',
        'ag_1',
        '--service',
        'one',
        ...common,
        '--rules',
        'always',
        '--limit',
        '1',
        ...QUICK,
      ],
      { connect },
    );
    const openCalls = async () =>
      JSON.parse((await at.run(['list', '--json', '--db', 'calls.db'])).out) as {
        items: { open: number }[];
      };
    await io.written('0 done');
    await until(async () => (await openCalls()).items[0]?.open === 1);
    io.signal();
    io.signal();
    const left = await ended;
    expect(left.code).toBe(130);
    expect(left.err).toContain(
      '`npx callsheet collect leads --services services.yaml --db calls.db` brings in 1 open call.',
    );

    const moving = at.begin(['run', 'leads', '--service', 'two', ...common], { connect });
    await moving.io.written(
      'service one -> two; calls that are open at one are still collected there',
    );
    first.behave({ analytics: (_, phone) => ({ body: talked(phone) }) });
    const moved = await moving.ended;
    expect(moved.code).toBe(0);
    expect(first.dialled).toHaveLength(1);
    expect([...first.dialled, ...second.dialled].toSorted()).toEqual(phones);
    expect(new Set(second.asked.map(({ key }) => key))).toEqual(new Set(['Bearer other']));
    const rows = rowsOf(at.read('results/leads.csv'));
    expect(rows.map((row) => row['call_service'])).toEqual(['one', 'two', 'two']);
    expect(rows.every((row) => row['call_result'] === 'answered')).toBe(true);
    const shown = await at.run(['status', 'leads', '--json', '--db', 'calls.db']);
    const { history } = JSON.parse(shown.out) as { history: { detail: unknown }[] };
    expect(history.map(({ detail }) => detail)).toContainEqual(
      expect.objectContaining({ service: { from: 'one', to: 'two' } }),
    );
  });
});
