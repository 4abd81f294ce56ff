import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { breakOff } from '../../helpers/files/broken-import.ts';
import { aPhone } from '../../helpers/factory.ts';
import { LIVE, leadTo, livePhone } from '../../helpers/services/live-service.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

const SET = ['--agent', AGENT, '--set', 'polling.floor=20ms', '--rules', 'always'];
const [ANN, BEN, CARL] = [aPhone(1), aPhone(2), aPhone(3)];

const EXTENSIONS = `phone,DNC\n${ANN} ext. 20,yes\n${BEN} ext. 7,yes\n`;

async function aDesk() {
  const service = await simulatedService({ fixedCallMs: 10 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  return { at, rang: () => service.ledger().map((entry) => entry.phone_number) };
}

/** Nobody who asked rings by a later list that does not say it; Carl does. */
async function laterListRings({ at, rang }: Awaited<ReturnType<typeof aDesk>>) {
  at.write('later.csv', `phone\n${ANN}\n${BEN}\n${CARL}\n`);
  await at.run(['run', 'later.csv', '--again', ...SET]);
  expect(rang()).toEqual([CARL]);
}

const suppressed = async (at: Desk) => (await at.run(['suppress', 'list'])).out;

describe('people on a list in which nobody can be called, who ask not to be called, are not called later', () => {
  const RUN = ['run', 'leads.csv'];
  const IMPORT = ['import', 'spring', 'leads.csv'];
  it.each([
    ['by a column', RUN, `name,phone,DNC\nAnn,${ANN},yes\nBen,${BEN},yes\n`],
    ['by a status', IMPORT, `name,phone,status\nAnn,${ANN},do not call\nBen,${BEN},opted out\n`],
    ['beside a bad row', RUN, `name,phone,DNC\nAnn,${ANN},yes\nBen,${BEN},yes\nDora,12,no\n`],
    ['by rows with numbers that cannot be dialled', IMPORT, EXTENSIONS],
  ])('%s', async (_, words, list) => {
    const all = await aDesk();
    const { at } = all;
    at.write('leads.csv', list);

    const { code, err } = await at.run([...words, ...SET]);

    expect(code).toBe(2);
    expect(err).toContain('2 new');
    const listed = await suppressed(at);
    for (const phone of [ANN, BEN]) expect(listed).toContain(phone);
    await laterListRings(all);
  });

  it('in a campaign that calls already, where the list is refused for another reason', async () => {
    const all = await aDesk();
    const { at } = all;
    at.write('first.csv', `phone\n${aPhone(9)}\n`);
    await at.run(['import', 'spring', 'first.csv', ...SET]);
    at.write('leads.csv', `name,phone,DNC\nAnn,${ANN},yes\nBen,${BEN},yes\nEd,${aPhone(5)},\n`);

    const { code, err } = await at.run(['run', 'leads.csv', '--name', 'spring', ...SET]);

    expect(code).toBe(2);
    expect(err).toContain('it has changed since');
    expect(err).toContain('2 new');
    await laterListRings(all);
  });

  it('from a folder', async () => {
    const all = await aDesk();
    const { at } = all;
    mkdirSync(at.path('in'));
    at.write('in/a.csv', EXTENSIONS);
    at.write('in/a.csv.done', '');

    await at.run(['run', 'in/', '--name', 'spring', ...SET]);

    expect(readdirSync(join(at.cwd, 'in/refused'))).toContain('a.csv');
    await laterListRings(all);
  });
});

it('a list that is refused without anybody who asks makes no database', async () => {
  const { at } = await aDesk();
  at.write('bad.csv', 'phone\n12\n');
  expect(await at.run(['run', 'bad.csv', ...SET])).toMatchObject({ code: 2 });
  expect(existsSync(at.path('data'))).toBe(false);
});

it('a list on which everybody asks not to be called is not to be mended', async () => {
  const { at } = await aDesk();
  at.write('leads.csv', `phone,DNC\n${ANN},yes\n${BEN},yes\n`);
  const { code, err } = await at.run(['check', 'leads.csv', ...SET]);
  expect(code).toBe(2);
  expect(err).toContain('next: give another list');
  expect(err).not.toContain('mend these rows');
});

it('what a person is asked and says no to suppresses nobody: it may be the columns that were wrong', async () => {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone,DNC\n${livePhone(0)},yes\n${livePhone(1)},no\n`);
  const live = ['--agent', 'ag_1', '--service-url', LIVE, '--rules', 'always'];

  const { code, err } = await at.run(['run', 'leads.csv', ...live], {
    connect: leadTo({ [LIVE]: service.url }),
    typed: 'no\n',
  });

  expect(err).toContain('Type yes to start');
  expect([code, service.dialled]).toEqual([2, []]);
  expect(existsSync(at.path('data/callsheet.db'))).toBe(false);
});

describe('a further list that is refused keeps who asks not to be called', () => {
  async function aCampaign() {
    const all = await aDesk();
    all.at.write('first.csv', `phone\n${[ANN, BEN, CARL].join('\n')}\n`);
    await all.at.run(['import', 'spring', 'first.csv', ...SET]);
    return all;
  }

  it('by import --sync, as none of its numbers can be dialled', async () => {
    const { at, rang } = await aCampaign();
    at.write('new.csv', EXTENSIONS);
    const { code } = await at.run(['import', 'spring', 'new.csv', '--sync']);
    expect(code).toBe(2);
    await at.run(['run', 'spring', ...SET]);
    expect(rang()).toEqual([CARL]);
  });

  it('by import --sync off a terminal, where nobody can be asked', async () => {
    const { at, rang } = await aCampaign();
    at.write('new.csv', `phone,DNC\n${ANN},yes\n${BEN},yes\n${aPhone(50)},\n`);
    const others = Array.from({ length: 60 }, (_, n) => aPhone(100 + n));
    at.write('many.csv', `phone\n${others.join('\n')}\n`);
    await at.run(['import', 'spring', 'many.csv', ...SET]);
    const { code, err } = await at.run(['import', 'spring', 'new.csv', '--sync']);
    expect([code, err]).toEqual([2, expect.stringContaining('2 new')]);
    const listed = await suppressed(at);
    for (const phone of [ANN, BEN]) expect(listed).toContain(phone);
    expect(rang()).toEqual([]);
  });

  it('while the import of another one is broken off', async () => {
    const { at } = await aCampaign();
    breakOff(at, 2);
    rmSync(at.path('first.csv'));
    at.write('new.csv', `phone,DNC\n${ANN},yes\n${BEN},yes\n`);
    const { code, err } = await at.run(['import', 'spring', 'new.csv']);
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining('2 new')]);
    expect(code).not.toBe(0);
  });
});
