import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { LIVE, leadTo } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const NEW_YORK = '+12125550201';
const MIAMI = '+13055550201';
const HERE = ['--db', 'calls.db'];
const FRIDAY = Date.parse('2026-11-27T16:00:00Z');

async function aDesk(phones: string[], rules = 'us-federal') {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone,call consent\n${phones.join(',yes\n')},yes\n`);
  at.write('none.txt', '212,5550299\n');
  const begun = systemClock.now();
  const clock = { ...systemClock, now: () => FRIDAY + systemClock.now() - begun };
  const connect = leadTo({ [LIVE]: service.url });
  const call = (argv: string[]) => at.run([...argv, ...HERE], { clock, connect });
  const load = (...flags: string[]) =>
    call(['suppress', 'import', 'none.txt', '--as-of', '2026-11-20', ...flags]);
  const run = (...more: string[]) =>
    call([
      ...[
        'run',
        'leads.csv',
        '--agent',
        'ag_1',
        '--service-url',
        LIVE,
        '--yes',
        '--new-db',
        '--rules',
        rules,
      ],
      ...['--set', 'polling.floor=20ms', ...more],
    ]);
  return { service, load, run };
}

describe('an age of lists', () => {
  it('is met by a file of the registry that the rule names, and by no other', async () => {
    const { service, load, run } = await aDesk([NEW_YORK]);
    await load();
    await load('--registry', 'uk-tps');
    const refused = await run();
    expect(refused.err).toContain('has no dated file of us-national');
    expect(refused.err).toContain('--registry us-national --as-of DAY');
    expect([refused.code, service.dialled]).toEqual([2, []]);
    await load('--registry', 'us-national', '--areas', '212,646');
    expect((await run()).err).toContain('Every lead is final');
    expect(service.dialled).toEqual([NEW_YORK]);
  });

  it('of a registry that is sold by area asks for the areas of all people', async () => {
    const { service, load, run } = await aDesk([NEW_YORK, MIAMI]);
    await load('--registry', 'us-national', '--areas', '212');
    await run();
    expect(service.dialled).toEqual([]);
    const again = await run();
    expect(again.err).toContain('no dated file of us-national for area 305');
    expect(again.err).toContain('--registry us-national --areas 305 --as-of DAY');
    await load('--registry', 'us-national', '--areas', '305');
    await run();
    expect(service.dialled.toSorted()).toEqual([NEW_YORK, MIAMI]);
  });

  it('is a duty that is named, not a refusal, under local', async () => {
    const { service, run } = await aDesk([NEW_YORK], 'local');
    expect((await run()).err).toContain('check the numbers against us-national, at most 31d old');
    expect(service.dialled).toEqual([NEW_YORK]);
  });

  it.each([
    [['--registry', 'us-national'], '', '--registry needs --as-of'],
    [['--areas', '212', '--as-of', '2026-11-20'], '', '--registry is missing beside --areas'],
    [['--registry', 'US DNC', '--as-of', '2026-11-20'], '', '"US DNC" is not the name of one'],
    [
      ['--registry', 'us-national', '--areas', '21', '--as-of', '2026-11-20'],
      '',
      '--areas "21" is not an area code',
    ],
  ])('%j is refused', async (flags, _, why) => {
    const at = desk();
    at.write('none.txt', '212,5550299\n');
    const { code, err } = await at.run(['suppress', 'import', 'none.txt', ...flags, ...HERE]);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });
});
