import { expect, it } from 'vitest';
import { desk } from '../helpers/callsheet.ts';
import { LIVE, leadTo } from '../helpers/services/live-service.ts';
import { voiceServer } from '../helpers/services/voice-server.ts';
import { clockFrom } from './moments.ts';

/** Free numbers beside those kept for fiction, which a live service refuses; the service of these tests rings nobody. */
const [MADRID, SEVILLE, OSLO] = ['+34910000001', '+34955000001', '+4721000001'];
/** Spain lets a consent to calls hold for 730 days; this is a Friday in the morning. */
const NOW = '2026-11-27T10:00:00Z';
const FRESH = '2024-11-28';
const STALE = '2024-11-25';

/** A desk with a list of the day on which each person consented. */
async function aDeskWith(days: Record<string, string>, header = 'Phone consent') {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  const rows = Object.entries(days).map(([phone, day]) => `${phone},${day}\n`);
  at.write('leads.csv', `phone,${header}\n${rows.join('')}`);
  const connect = leadTo({ [LIVE]: service.url });
  const live = ['--agent', 'ag_1', '--service-url', LIVE, '--new-db', '--db', 'calls.db'];
  const on = (moment: string, argv: string[]) =>
    at.run([...argv, '--set', 'polling.floor=20ms'], { clock: clockFrom(moment), connect });
  return {
    at,
    rung: () => service.dialled.toSorted(),
    importOn: (moment: string, ...rest: string[]) =>
      on(moment, ['import', 'leads', 'leads.csv', ...live, ...rest]),
    runOn: (moment: string, ...rest: string[]) =>
      on(moment, ['run', 'leads.csv', '--yes', ...live, ...rest]),
    goOn: (moment: string, ...rest: string[]) =>
      on(moment, ['run', 'leads', '--yes', '--db', 'calls.db', ...rest]),
  };
}

it.each(['Phone consent', 'Consent date', 'Fecha de consentimiento', 'Opt-in date'])(
  'who consented within the age of the rules rings, who did before does not: %s',
  async (header) => {
    const { runOn, rung } = await aDeskWith({ [MADRID]: FRESH, [SEVILLE]: STALE }, header);
    const { err } = await runOn(NOW, '--rules', 'es');
    expect(rung()).toEqual([MADRID]);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      `its consent is older than 730 days, the most that es allows ("${header}": "${STALE}")`,
    );
  },
);

it('a consent that grows too old while its person waits lets them be called no more', async () => {
  const people = { [MADRID]: '2024-11-30', [SEVILLE]: '2025-11-30' };
  const { at, importOn, goOn, rung } = await aDeskWith(people);
  await importOn(NOW, '--rules', 'es');
  await goOn('2026-12-04T10:00:00Z');
  expect(rung()).toEqual([SEVILLE]);
  const { out } = await at.run(['explain', MADRID, '--db', 'calls.db']);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'the consent in the list is older than 730 days, the most that es allows',
  );
});

it('an end that the list names counts where it is earlier than the age', async () => {
  const header = 'Phone consent,Consent valid until';
  const people = {
    [MADRID]: `${FRESH},2026-11-30`,
    [SEVILLE]: '2026-11-01,2027-11-30',
  };
  const { importOn, goOn, rung } = await aDeskWith(people, header);
  await importOn(NOW, '--rules', 'es');
  await goOn('2026-12-02T10:00:00Z');
  expect(rung()).toEqual([SEVILLE]);
});

it('under local the age holds for people of its country only', async () => {
  const { runOn, rung } = await aDeskWith({
    [MADRID]: STALE,
    [SEVILLE]: FRESH,
    [OSLO]: STALE,
  });
  await runOn(NOW, '--rules', 'local');
  expect(rung()).toEqual([SEVILLE, OSLO]);
});

it('an age that the campaign’s rules get after the import holds for those who wait', async () => {
  const { importOn, goOn, rung } = await aDeskWith({
    [MADRID]: FRESH,
    [SEVILLE]: STALE,
  });
  await importOn(NOW, '--rules', 'conservative');
  await goOn(NOW, '--rules', 'es');
  expect(rung()).toEqual([MADRID]);
});

it('no rule with an age lets any consent of the past count, and none of the future', async () => {
  const people = { [MADRID]: '2011-01-01', [SEVILLE]: '2027-03-01' };
  const { runOn, rung } = await aDeskWith(people);
  await runOn(NOW, '--rules', 'conservative');
  expect(rung()).toEqual([MADRID]);
});

it('a later list renews the consent of people who wait', async () => {
  const { at, importOn, goOn, rung } = await aDeskWith({
    [MADRID]: '2024-11-30',
  });
  await importOn(NOW, '--rules', 'es');
  at.write('leads.csv', `phone,Phone consent\n${MADRID},2026-11-26\n`);
  await importOn(NOW, '--rules', 'es');
  await goOn('2026-12-04T10:00:00Z');
  expect(rung()).toEqual([MADRID]);
});
