import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { desk, rowsOf } from '../../../helpers/callsheet.ts';
import { callingDesk, CALL } from '../../../helpers/services/calling-desk.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const [ANN = '', BEN = '', COY = ''] = [0, 1, 2].map(livePhone);
const HERE = ['--db', 'calls.db'];
const ALWAYS = ['--rules', 'always', '--country', 'US', ...HERE];
const CONSENT = ['--map', 'mayCall=Consent'];
const POLITE = `about: hours of our own, on all weekdays
hours:
  mon-sun: 08:00-20:00
  source: 'our works council'
  grade: J
  checked: 2026-11-23
`;
/** 07:00 in Los Angeles, 10:00 in New York. */
const SEVEN_PACIFIC = Date.parse('2026-11-23T15:00:00Z');

/** A desk at a live service with hours of 08:00 to 20:00, whose clock goes on from `start`. */
async function aDeskAt(start: number) {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('polite.yaml', POLITE);
  let begun = systemClock.now();
  let from = start;
  const clock = { ...systemClock, now: () => from + systemClock.now() - begun };
  const connect = leadTo({ [LIVE]: service.url });
  const run = async (argv: string[], typed = 'yes\n') => {
    const { code, out, err } = await at.run(argv, { clock, connect, typed });
    return { code, out, err: err.replaceAll(/\s+/g, ' ') };
  };
  const goTo = (moment: number) => {
    begun = systemClock.now();
    from = moment;
  };
  return { at, service, run, goTo };
}
const POLITELY = ['--agent', 'ag_1', '--service-url', LIVE, '--timezone', 'America/New_York'];
const SET = ['--set', 'polling.floor=20ms', '--rules', 'polite.yaml', ...HERE];

describe('a later list', () => {
  it('corrects where people who wait are: nobody rings at 07:00 of their own clock', async () => {
    const { at, service, run, goTo } = await aDeskAt(SEVEN_PACIFIC - 86_400_000 / 2);
    at.write('a.csv', `Name,Phone,State,Time zone\nAnn,${ANN},NY,\nBen,${BEN},NY,\n`);
    at.write(
      'b.csv',
      `Name,Phone,State,Time zone\nAnn,${ANN},CA,America/Los_Angeles\nBen,${BEN},NY,\n`,
    );
    await run(['import', 'spring', 'a.csv', ...POLITELY, ...SET]);
    const { err } = await run(['import', 'spring', 'b.csv', ...HERE]);
    expect(err).toContain('1 person of earlier lists corrected');
    goTo(SEVEN_PACIFIC);
    await run(['run', 'spring', ...HERE]);
    expect(service.dialled).toEqual([BEN]);
    goTo(SEVEN_PACIFIC + 4_000_000);
    await run(['run', 'spring', ...HERE]);
    expect(service.dialled).toEqual([BEN, ANN]);
  });

  it('of another campaign that knows another place closes the hours there, too', async () => {
    const { at, service, run, goTo } = await aDeskAt(SEVEN_PACIFIC);
    at.write('a.csv', `Name,Phone,State\nAnn,${ANN},NY\nBen,${BEN},NY\n`);
    at.write('b.csv', `Name,Phone,State\nAnn,${ANN},CA\n`);
    await run(['import', 'other', 'b.csv', ...POLITELY, ...SET]);
    await run(['import', 'spring', 'a.csv', ...POLITELY, ...SET]);
    await run(['run', 'spring', ...HERE]);
    expect(service.dialled).toEqual([BEN]);
    const { out, err } = await run(['explain', ANN, ...HERE]);
    expect(out + err).toContain('08:00');
    goTo(SEVEN_PACIFIC + 4_000_000);
    await run(['run', 'spring', ...HERE]);
    expect(service.dialled).toEqual([BEN, ANN]);
  });

  it('stops people whose row is damaged and says that they are not to be called', async () => {
    const { at, service, run } = await aDeskAt(SEVEN_PACIFIC);
    at.write('a.csv', `Name,Phone,Status\nAnn,${ANN},Open\nBen,${BEN},Open\n`);
    const half = Buffer.from('é').subarray(0, 1);
    const rest = `nn,${ANN},Deceased\nBén,${BEN},Open\n`;
    at.write('b.csv', Buffer.concat([Buffer.from('Name,Phone,Status\n'), half, Buffer.from(rest)]));
    await run(['import', 'spring', 'a.csv', ...POLITELY, ...SET]);
    const { err } = await run(['import', 'spring', 'b.csv', ...HERE]);
    expect(err).toContain('cannot be read as UTF-8');
    await run(['run', 'spring', ...HERE]);
    expect(service.dialled).toEqual([BEN]);
  });

  it.each([
    ['emptied', 'Name,Phone,Consent', `Ann,${ANN},`],
    ['emptied in a list with other columns', 'Name,Note,Phone,Consent', `Ann,x,${ANN},`],
    ['emptied in a list that lacks a column', 'Phone,Consent', `${ANN},`],
    ['withdrawn', 'Name,Phone,Consent', `Ann,${ANN},no`],
  ])('in which the consent is %s stops the call', async (_, headers, row) => {
    const { at, rang } = await callingDesk();
    at.write('a.csv', `Name,Phone,Consent\nAnn,${ANN},yes\nBen,${BEN},yes\n`);
    at.write('b.csv', `${headers}\n${row}\n`);
    expect((await at.run(['import', 'spring', 'a.csv', ...CALL, ...ALWAYS, ...CONSENT])).code).toBe(
      0,
    );
    const { err } = await at.run(['import', 'spring', 'b.csv', ...HERE]);
    await at.run(['run', 'spring', '--yes', ...HERE]);
    expect(rang(), err).toEqual([BEN]);
  });

  it('that lets a person be called again, and mended, gives them back', async () => {
    const { at, rang } = await callingDesk();
    at.write('a.csv', `Name,Phone,Consent\nAnn,${ANN},yes\nBen,${BEN},yes\n`);
    at.write('b.csv', `Name,Phone,Consent\nAnn,${ANN},\nBen,${BEN},yes\n`);
    at.write('c.csv', `Name,Phone,Consent\nAnna,${ANN},yes\nBen,${BEN},yes\n`);
    await at.run(['import', 'spring', 'a.csv', ...CALL, ...ALWAYS, ...CONSENT]);
    const stopped = await at.run(['import', 'spring', 'b.csv', ...HERE]);
    expect(stopped.err.replaceAll(/\s+/g, ' ')).toContain(
      '1 person of earlier lists no longer called',
    );
    await at.run(['import', 'spring', 'c.csv', ...HERE]);
    await at.run(['run', 'spring', '--yes', ...HERE]);
    expect(rang()).toEqual([ANN, BEN]);
    await at.run(['export', 'spring', '-o', 'out.csv', ...HERE]);
    expect(rowsOf(at.read('out.csv')).map((row) => row['Name'])).toEqual(['Anna', 'Ben']);
  });

  it('corrects people who wait for a retry, and each call keeps what it was made with', async () => {
    const NOON = Date.parse('2026-11-23T20:00:00Z');
    const { at, service, run, goTo } = await aDeskAt(NOON);
    service.behave({ analytics: () => ({ body: { status: 'completed', outcome: 'no_answer' } }) });
    at.write('a.csv', `Name,Phone,State\nAnn,${ANN},NY\nBen,${BEN},NY\n`);
    at.write('b.csv', `Name,Phone,State\nAnna,${ANN},CA\nBen,${BEN},NY\n`);
    const retry = ['--set', 'retry.attempts=2', '--set', 'retry.gap=1h'];
    await run(['run', 'a.csv', '--name', 'spring', ...POLITELY, ...SET, ...retry]);
    expect(service.dialled).toEqual([ANN, BEN]);
    expect((await run(['import', 'spring', 'b.csv', ...HERE])).err).toContain(
      '1 person of earlier',
    );
    goTo(SEVEN_PACIFIC + 86_400_000);
    await run(['run', 'spring', ...HERE]);
    expect(service.dialled).toEqual([ANN, BEN, BEN]);
    goTo(SEVEN_PACIFIC + 86_400_000 + 4_000_000);
    await run(['run', 'spring', ...HERE]);
    expect(service.dialled).toEqual([ANN, BEN, BEN, ANN]);
    await run(['export', 'spring', '--per', 'attempt', '-o', 'calls.csv', ...HERE]);
    const calls = rowsOf(at.read('calls.csv')).map((row) => [row['Name'], row['State']]);
    expect(calls).toEqual([
      ['Ann', 'NY'],
      ['Ben', 'NY'],
      ['Ben', 'NY'],
      ['Anna', 'CA'],
    ]);
  });

  it('with other columns keeps the cells that it lacks, and adds its own', async () => {
    const { at } = await callingDesk();
    at.write('a.csv', `Name,Phone,Offer\nAnn,${ANN},gold\nBen,${BEN},tin\n`);
    at.write('b.csv', `Phone,Name,Agent name\n${ANN},Anna,Kim\n${COY},Coy,Lee\n`);
    await at.run(['import', 'spring', 'a.csv', ...CALL, ...ALWAYS]);
    await at.run(['import', 'spring', 'b.csv', ...HERE]);
    await at.run(['export', 'spring', '-o', 'out.csv', ...HERE]);
    const rows = rowsOf(at.read('out.csv')).map((row) => [
      row['Name'],
      row['Offer'],
      row['Agent name'],
    ]);
    expect(rows).toEqual([
      ['Anna', 'gold', 'Kim'],
      ['Ben', 'tin', ''],
      ['Coy', '', 'Lee'],
    ]);
  });
});
