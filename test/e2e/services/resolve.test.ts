import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../src/runtime/clock.ts';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { leadTo, LIVE, livePhone } from '../../helpers/services/live-service.ts';
import { voiceServer, type VoiceServer } from '../../helpers/services/voice-server.ts';

const PHONES = ['+12125550100', '+12125550101', '+12125550102'];
const BO = '+12125550101';
const LIST = `name,phone\nAl,+12125550100\nBo,${BO}\nCy,+12125550102\n`;
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
/** The longest call is over. */
const later: Clock = { ...systemClock, now: () => systemClock.now() + 16 * 60_000 };

describe('a call whose answer was lost', () => {
  it('ends the run with exit 5, and is listed with all that is needed to look it up', async () => {
    const { at, service } = await aLostCall();

    const { code, out, err } = await at.run(['resolve', 'leads']);

    expect(code).toBe(0);
    const [head = '', row = ''] = out.split('\n');
    expect(head.split(/ {2,}/)).toEqual(
      'LINE|NAME|NUMBER|EXTERNAL ID|ATTEMPT|SENT|SLOT HELD UNTIL|WHAT FAILED'.split('|'),
    );
    const dialled = service.asked.filter(({ body }) => body['phone_number'] === BO);
    expect(dialled).toHaveLength(1);
    const [line, name, number, key, attempt, sent, until, failed] = row.split(/ {2,}/);
    expect([line, name, number]).toEqual(['3', 'Bo', BO]);
    expect(attempt).toMatch(/^a\d+$/);
    expect(key).toMatch(/^\w{10,}$/);
    expect(sent).toMatch(/^\w{3} \d{4}-\d\d-\d\d \d\d:\d\d America\/New_York$/);
    expect(until).toMatch(/America\/New_York$/);
    expect(failed).toContain('HTTP 500');
    expect(err).toContain('callsheet resolve leads --lead NUMBER --as placed --call-id ID\n');

    const shown = await at.run(['resolve', 'leads', '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({
      items: [{ line: 3, name: 'Bo', phone: BO, externalId: key, attempt, answered2xx: false }],
    });
  });

  it('is told by run and status with the time until which it holds its slot', async () => {
    const { at, ran } = await aLostCall();
    const held =
      /1 call in doubt holds a slot, until \w{3} \d{4}-.{11} America\/New_York; `npx callsheet resolve leads` shows what to do\./;
    expect(ran.err).toMatch(held);
    expect(ran.err).toContain('`npx callsheet resolve leads` lists and settles it.');
    const { err } = await at.run(['status', 'leads']);
    expect(err).toMatch(held);
    expect(err).toContain('settle it with `npx callsheet resolve leads`.');
  });

  it('that is acknowledged with a note lets the next run end with exit 0, and stays unconfirmed', async () => {
    const { at, service } = await aLostCall();

    const settled = await at.run(settling('--all', '--as', 'unconfirmed', '--note', 'no log kept'));
    expect(settled.code).toBe(0);
    expect(settled.err).toContain('No call of "leads" is in doubt any more.');

    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    const bo = rowsOf(at.read('data/results/leads.csv'))[1];
    expect(bo).toMatchObject({ call_phone: BO, call_result: 'unconfirmed', call_state: 'done' });
    expect(bo?.['call_reason']).toContain('no log kept');
    const { history } = JSON.parse((await at.run(['status', 'leads', '--json'])).out) as {
      history: { what: string; who: string; detail: object }[];
    };
    const entry = history.find(({ what }) => what === 'attempt.resolved');
    expect(entry).toMatchObject({ who: 'operator', detail: { phone: BO, note: 'no log kept' } });
  });

  it('that was made brings its transcript into the export once its call id is told', async () => {
    const { at, service } = await aLostCall();
    const callId = `call-${service.dialled.indexOf(BO) + 1}`;

    const settled = await at.run(settling('--lead', BO, '--as', 'placed', '--call-id', callId));
    expect(settled.code).toBe(0);
    expect(settled.err).toContain('`npx callsheet collect leads` brings their results in.');

    expect((await at.run(['collect', 'leads'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    expect(rowsOf(at.read('data/results/leads.csv'))[1]).toMatchObject({
      call_phone: BO,
      call_id: callId,
      call_result: 'answered',
      call_transcript: `agent: Hello ${BO}.\nperson: Hello.`,
    });
  });

  it('cannot be told the call id of somebody else', async () => {
    const { at, service } = await aLostCall();
    const other = `call-${service.dialled.indexOf('+12125550100') + 1}`;

    const told = await at.run(settling('--lead', BO, '--as', 'placed', '--call-id', other));

    expect(told.code).toBe(5);
    expect(told.err).toMatch(/is not settled: this call id belongs to attempt a\d+ already\./);
    expect((await at.run(['run', 'leads'])).code).toBe(5);
  });

  it('that was not made is called again exactly once, and not before the longest call is over', async () => {
    const { at, service } = await aLostCall();
    const notPlaced = settling('--lead', BO, '--as', 'not-placed');

    const early = await at.run(notPlaced);
    expect(early.code).toBe(5);
    expect(early.err).toContain('the call may still be on the line; it can be settled as not');
    await at.run(['run', 'leads']);
    expect(service.dialled).toHaveLength(3);

    const settled = await at.run(notPlaced, { clock: later });
    expect(settled.code).toBe(0);
    expect(settled.err).toContain('1 person may be called a second time');
    expect(settled.err).toContain('`npx callsheet run leads` calls 1 person again.');
    expect((await at.run(['run', 'leads'], { clock: later })).code).toBe(0);
    expect((await at.run(['run', 'leads'], { clock: later })).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual([PHONES[0], BO, BO, PHONES[2]]);
    expect(rowsOf(at.read('data/results/leads.csv'))[1]).toMatchObject({
      call_result: 'answered',
      call_attempts: '2',
    });
  });

  it('is looked for by collect without a dial, and is unconfirmed when nothing was found in time', async () => {
    const { at, service } = await aLostCall();
    const collected = await at.run(['collect'], { clock: later });
    expect(collected.code).toBe(5);
    expect(service.dialled).toHaveLength(3);
    const [, bo] = rowsOf(at.read('data/results/leads.csv'));
    expect(bo).toMatchObject({ call_phone: BO, call_result: 'unconfirmed' });
    expect(bo?.['call_reason']).toMatch(
      /^the answer was lost \(POST .*HTTP 500.*\), and no evidence/,
    );
    const listed = await at.run(['resolve', 'leads', '--json']);
    expect(JSON.parse(listed.out)).toMatchObject({ items: [{ phone: BO, state: 'unconfirmed' }] });
  });

  it('is found in the log of the service by number and time', async () => {
    const { at, service } = await aLostCall();
    const callId = `call-${service.dialled.indexOf(BO) + 1}`;
    const now = new Date(systemClock.now()).toISOString();
    const yesterday = new Date(systemClock.now() - 86_400_000).toISOString();
    at.write(
      'calls.csv',
      `To,Call ID,Started At\n${BO},old,${yesterday}\n${BO},${callId},${now}\n`,
    );

    const settled = await at.run(settling('--from', 'calls.csv'));

    expect(settled.code).toBe(0);
    expect(settled.err).toContain(`is call ${callId} (`);
    expect((await at.run(['collect', 'leads'])).code).toBe(0);
    expect(rowsOf(at.read('data/results/leads.csv'))[1]).toMatchObject({ call_id: callId });
  });
});

describe('a call on a live service', () => {
  const RUN_LIVE = [
    ...['run', 'leads.csv', '--agent', 'ag_1', '--service-url', LIVE, '--rules', 'always'],
    ...['--set', 'polling.floor=20ms', '--yes', '--new-db', '--db', 'calls.db'],
  ];
  const NOT_PLACED = ['resolve', 'leads', '--all', '--as', 'not-placed', '--db', 'calls.db'];

  it.each([
    ['off a terminal without --yes', NOT_PLACED, undefined, 2],
    ['after a plain yes', NOT_PLACED, 'yes\n', 2],
    ['after the number of people typed', NOT_PLACED, 'yes 2\n', 0],
    ['with --yes', [...NOT_PLACED, '--yes'], undefined, 0],
  ])('may be repeated only when its person is counted: %s', async (_, argv, typed, code) => {
    const service = await voiceServer({ dial: lostFor([livePhone(1), livePhone(2)]) });
    const at = desk({ VOICE_API_KEY: 'k' });
    at.write('leads.csv', `phone\n${[0, 1, 2].map(livePhone).join('\n')}\n`);
    const connect = leadTo({ [LIVE]: service.url });
    expect((await at.run(RUN_LIVE, { connect })).code).toBe(5);

    const given = { connect, clock: later };
    const settled = await at.run(argv, typed === undefined ? given : { ...given, typed });

    expect(settled.code).toBe(code);
    expect(settled.err).toContain('2 people may be called a second time');
    const { out } = await at.run(['resolve', 'leads', '--json', '--db', 'calls.db']);
    expect((JSON.parse(out) as { items: object[] }).items).toHaveLength(code === 0 ? 0 : 2);
  });
});

function settling(...words: string[]): string[] {
  return ['resolve', 'leads', ...words];
}

/** A run of three in which the answer to Bo's dial was no answer. */
async function aLostCall(): Promise<{ at: Desk; service: VoiceServer; ran: { err: string } }> {
  const service = await voiceServer({ dial: lostFor([BO]) });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', LIST);
  const ran = await at.run(RUN);
  expect(ran.code).toBe(5);
  expect(service.dialled.toSorted()).toEqual(PHONES);
  return { at, service, ran };
}

/** The first dial to each of them is answered with an error that says nothing. */
function lostFor(phones: string[]) {
  const lost = new Set(phones);
  return ({ body }: { body: Record<string, unknown> }, callId: string) =>
    lost.delete(String(body['phone_number']))
      ? { status: 500, body: 'oops' }
      : { body: { call_id: callId } };
}
