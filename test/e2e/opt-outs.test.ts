import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, rowsOf, type Desk } from '../helpers/callsheet.ts';
import { talked, voiceServer } from '../helpers/services/voice-server.ts';

const ASKED = '+12125550100';
const OTHER = '+12125550101';
const LIST = `name,phone\nAl,${ASKED}\nBo,${OTHER}\n`;

/** Runs the same list in a campaign of this name; results are in `<name>.csv`. */
const campaign = (at: Desk, name: string, ...flags: string[]) =>
  at.run([
    ...['run', 'leads.csv', '--name', name, '--agent', 'ag_1', '-o', `${name}.csv`],
    ...['--set', 'polling.floor=20ms', ...flags],
  ]);

/** A service whose calls with `ASKED` have `said` beside their transcript. */
async function aServiceThatSays(said: Record<string, unknown>) {
  const service = await voiceServer({
    analytics: (_callId, phone) => ({
      body: { ...talked(phone), ...(phone === ASKED && said) },
    }),
  });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', LIST);
  return { service, at };
}

const rowOf = (at: Desk, name: string, phone = ASKED) =>
  rowsOf(at.read(`${name}.csv`)).find((row) => row['call_phone'] === phone);

describe('a person who opted out in a call is not rung by a second campaign', () => {
  it.each<Record<string, unknown>>([
    { analysis: { opt_out: true } },
    { outcome: 'answered', disposition: 'DNC' },
    { status: 'do_not_call' },
  ])('%j', async (said) => {
    const { service, at } = await aServiceThatSays(said);

    await campaign(at, 'first');
    await campaign(at, 'second');

    expect(service.dialled).toEqual([ASKED, OTHER, OTHER]);
    expect(rowOf(at, 'first')).toMatchObject({
      call_result: 'opted_out',
      call_result_source: 'service',
    });
    expect(rowOf(at, 'second')).toMatchObject({ call_result: 'suppressed' });
    expect(rowOf(at, 'second')?.['call_reason']).toContain('campaign first');
  });
});

describe('nobody is silenced who asked for nothing', () => {
  it.each<Record<string, unknown>>([
    { dnc: 'N', opted_out: 'none', opt_out: 'not_requested', do_not_call: 'false' },
    { outcome: 'wrong_number' },
  ])('%j', async (said) => {
    const { service, at } = await aServiceThatSays(said);

    await campaign(at, 'first');
    await campaign(at, 'second');

    expect(service.dialled).toEqual([ASKED, OTHER, ASKED, OTHER]);
    expect(rowOf(at, 'first')).toMatchObject({ call_result: 'answered' });
  });
});

it.each(['wrong_number', 'Wrong Person'])('the word "%s" is kept in the results', async (word) => {
  const { at } = await aServiceThatSays({ outcome: word });

  const { err } = await campaign(at, 'first');

  const row = { call_result: 'answered', call_result_source: 'service', call_outcome: word };
  expect(rowOf(at, 'first')).toMatchObject(row);
  expect(rowOf(at, 'first', OTHER)).toMatchObject({ call_outcome: '' });
  expect(err).not.toContain('does not know');
});

describe('a word that no profile knows', () => {
  it('is told once a run with the line to write, kept in the results, and shown by status', async () => {
    const { at, service } = await aServiceThatSays({ outcome: 'gatekeeper reached' });
    service.behave({
      analytics: (_callId, phone) => ({
        body: { ...talked(phone), outcome: 'gatekeeper reached' },
      }),
    });

    const { err } = await campaign(at, 'first');

    const told = 'the outcome "gatekeeper reached", a word that the profile does not know';
    expect(err.split(told)).toHaveLength(2);
    expect(err).toContain('`"gatekeeper reached": answered`');
    expect(err).toContain('analytics.outcome.words');
    expect(rowOf(at, 'first')).toMatchObject({
      call_result: 'answered',
      call_result_source: 'derived',
      call_outcome: 'gatekeeper reached',
    });
    const { err: status } = await at.run(['status', 'first']);
    expect(status).toContain('outcome "gatekeeper reached" since');
    const { out } = await at.run(['status', 'first', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      unknownWords: [{ of: 'outcome', word: 'gatekeeper reached' }],
    });
    expect((await campaign(at, 'second')).err.split(told)).toHaveLength(2);
  });

  it('is told of a status, which counts as not over', async () => {
    const looks = new Map<string, number>();
    const service = await voiceServer({
      analytics: (callId, phone) => {
        looks.set(callId, (looks.get(callId) ?? 0) + 1);
        const status = ['ringing', 'in-progress', 'wrangling'][(looks.get(callId) ?? 0) - 1];
        return { body: status === undefined ? talked(phone) : { status } };
      },
    });
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
    at.write('leads.csv', LIST);

    const { err } = await campaign(at, 'first');

    expect(err.split('the status "wrangling"')).toHaveLength(2);
    expect(err).toContain('analytics.status.ended');
    expect(err).not.toMatch(/status "(ringing|in.progress)"/);
    expect(rowOf(at, 'first')).toMatchObject({ call_result: 'answered' });
  });

  it('is shown by call', async () => {
    const { at } = await aServiceThatSays({ outcome: 'gatekeeper' });

    const { out, err } = await at.run([
      'call',
      ASKED,
      '--agent',
      'ag_1',
      '--set',
      'polling.floor=20ms',
    ]);

    expect(out).toContain('outcome: gatekeeper');
    expect(err).toContain('`gatekeeper: answered`');
  });

  it('is shown by profile try', async () => {
    const at = desk();
    mkdirSync(at.path('answers'));
    at.write(
      'answers/analytics-done.json',
      JSON.stringify({ ...talked(ASKED), outcome: 'gatekeeper' }),
    );
    at.write('answers/analytics-running.json', '{ "status": "wrangling" }');

    const { code, out } = await at.run(['profile', 'try', 'voice-agent', '--samples', 'answers']);

    expect(code).toBe(0);
    expect(out).toContain('the outcome "gatekeeper", a word that the profile does not know');
    expect(out).toContain('`gatekeeper: answered`');
    expect(out).toContain('the status "wrangling", a word that the profile does not know');
  });

  it('is not a sentence', async () => {
    const { at } = await aServiceThatSays({
      result: `The customer agreed ${'and so on '.repeat(30)}`,
    });

    const { err } = await campaign(at, 'first');

    expect(err).not.toContain('does not know');
    expect(rowOf(at, 'first')?.['call_outcome']).toHaveLength(200);
  });
});

describe('a refusal that only the transcript has', () => {
  const refusing = (phone: string, words: string) => ({
    ...talked(phone),
    transcript: `agent: Say stop calling me and I will.\nuser: Hello. ${words}. Bye.`,
  });

  it.each([
    ['please don’t call me again', 'please don’t call me again'],
    ['もう電話しないでください', 'もう電話しないでください'],
    ['Call me tomorrow', ''],
  ])('is flagged in the words that were said, and silences nobody: %s', async (words, heard) => {
    const { at, service } = await aServiceThatSays(refusing(ASKED, words));

    await campaign(at, 'first');
    await campaign(at, 'second');

    expect(rowOf(at, 'first')).toMatchObject({
      call_result: 'answered',
      call_refusal_heard: heard,
    });
    expect(rowOf(at, 'first', OTHER)).toMatchObject({ call_refusal_heard: '' });
    expect(service.dialled).toEqual([ASKED, OTHER, ASKED, OTHER]);
  });

  it('is flagged when it was said in an earlier call than the one that stands for all', async () => {
    const { at, service } = await aServiceThatSays({});
    service.behave({
      analytics: (callId, phone) => ({
        body: {
          ...refusing(phone, 'do not call me again'),
          ...(callId === 'call-1' && {
            outcome: 'busy',
          }),
          ...(callId !== 'call-1' && talked(phone)),
        },
      }),
    });
    const again = ['retry.attempts=2', 'retry.gap=1s', 'retry.perDay=2', 'retry.after.busy=1s'];

    await campaign(at, 'first', '--wait', '1m', ...again.flatMap((set) => ['--set', set]));

    expect(rowOf(at, 'first')).toMatchObject({
      call_result: 'answered',
      call_attempts: '2',
      call_refusal_heard: 'do not call me again',
    });
  });
});
