import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const PHONES = [0, 1, 2].map(livePhone);
const RUN = [
  ...['run', 'leads.csv', '--agent', 'ag_1', '--service-url', LIVE, '--rules', 'always'],
  ...['--set', 'polling.floor=20ms', '--timezone', 'America/New_York'],
];
/** 18:00 in New York. */
const EVENING = Date.parse('2026-11-22T23:00:00Z');

/** A desk at a live service, on an evening. */
async function anEvening() {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('leads.csv', `Name,Mobile\nAl,${PHONES.join('\nBo,')}\n`);
  const begun = systemClock.now();
  const clock = { ...systemClock, now: () => EVENING + systemClock.now() - begun };
  const connect = leadTo({ [LIVE]: service.url });
  const run = async (argv: string[], typed?: string) => {
    const given = typed === undefined ? {} : { typed };
    const { code, err } = await at.run(argv, { clock, connect, ...given });
    return { code, err: err.replaceAll(/\s+/g, ' ') };
  };
  return { at, service, run };
}

describe('before anybody is called', () => {
  it('the columns with samples stand before the question, and not again after it', async () => {
    const { run } = await anEvening();
    const { code, err } = await run(RUN, 'yes\n');
    expect(code).toBe(0);
    const [before = '', after = ''] = err.split('Type yes to start:');
    expect(before).toContain(`numbers from "Mobile" ("${PHONES[0] ?? ''}", `);
    expect(after).toContain('3 rows, 3 added');
    expect(after).not.toContain('numbers from "Mobile" (');
  });

  it('they stand there also where the list came in before, by somebody else perhaps', async () => {
    const { run } = await anEvening();
    const flags = [...RUN.slice(2), '--new-db', '--db', 'calls.db'];
    await run(['import', 'spring', 'leads.csv', ...flags]);
    for (const verb of ['resume', 'run']) {
      const { err } = await run([verb, 'spring', '--db', 'calls.db'], 'no\n');
      const [before = ''] = err.split('Type yes to start:');
      expect(before).toContain(`numbers from "Mobile" ("${PHONES[0] ?? ''}", `);
      expect(before).toContain('name from "Name" ("Al", "Bo", "Bo").');
    }
    await run(['resume', 'spring', '--db', 'calls.db', '--yes']);
    const begun = await run(['run', 'spring', '--db', 'calls.db'], 'no\n');
    expect(begun.err).not.toContain('numbers from');
  });

  it('a database that a flag names and that is not there is said to know nobody', async () => {
    const { at, run } = await anEvening();
    const { err } = await run([...RUN, '--db', 'mistyped.db'], 'no\n');
    const [before = ''] = err.split('Type yes to start:');
    expect(before).toContain(
      `There is no database at ${at.path('mistyped.db')} yet: a new one does not know who was called before.`,
    );
  });

  it('the question names as many people as --limit lets be called', async () => {
    const { service, run } = await anEvening();
    const { err } = await run([...RUN, '--limit', '2'], 'no\n');
    expect(err).toContain('3 to call now (--limit: 2 of them in this run);');
    expect(err).toContain('This calls 2 of 3 real people (--limit 2). Type yes to start:');
    expect((await run([...RUN, '--limit', '2'], 'yes\n')).code).toBe(3);
    expect(service.dialled).toHaveLength(2);
    const rest = await run(['run', 'leads', '--limit', '2'], 'no\n');
    expect(rest.err).toContain('This calls 1 real person. Type yes to start:');
  });

  it('the question names whom --skip-called leaves to be called', async () => {
    const { at, run } = await anEvening();
    await run([...RUN, '--limit', '2'], 'yes\n');
    at.write('more.csv', `Mobile\n${PHONES.join('\n')}\n${livePhone(7)}\n`);
    const more = ['run', 'more.csv', ...RUN.slice(2)];
    const { err } = await run([...more, '--skip-called', 'ever'], 'no\n');
    expect(err).toContain('This calls 2 real people. Type yes to start:');
    const limited = await run([...more, '--limit', '3'], 'no\n');
    expect(limited.err).toContain('Called before: 2 of these people were called');
    expect(limited.err).toContain('This calls 3 of 4 real people (--limit 3).');
    at.write('same.csv', `Mobile\n${PHONES.slice(0, 2).join('\n')}\n`);
    const same = ['run', 'same.csv', ...RUN.slice(2), '--skip-called', 'ever'];
    const nobody = await run(same, 'no\n');
    expect(nobody.err).toContain('This calls nobody: all who wait were called before');
  });

  it('the moment of --until stands there with its day and its zone', async () => {
    const { run } = await anEvening();
    const { err } = await run([...RUN, '--until', '20:30'], 'no\n');
    expect(err.split('Type yes')[0]).toContain(
      'No call begins after Sun 2026-11-22 20:30 America/New_York (--until).',
    );
  });

  it('--until that has passed is an error, and nothing is written', async () => {
    const { at, service, run } = await anEvening();
    const argv = [...RUN, '--until', '17:59', '--yes', '--new-db', '--db', 'calls.db'];
    const { code, err } = await run(argv);
    expect([code, service.dialled, at.has('calls.db')]).toEqual([2, [], false]);
    expect(err).toContain('--until "17:59" has passed today: it is Sun 2026-11-22 18:00');
  });
});
