import { describe, expect, it } from 'vitest';
import { desk } from '../helpers/callsheet.ts';
import { LIVE, leadTo } from '../helpers/services/live-service.ts';
import { voiceServer } from '../helpers/services/voice-server.ts';
import { clockFrom } from './moments.ts';

/**
 * Numbers of ranges that the numbering plans leave free beside those kept for fiction, which a live service refuses;
 * the service of these tests rings nobody.
 */
const PARIS = '+33199110001';
const MADRID = '+34910000001';
const PROVIDENCE = '+14015550201';
const PORTLAND_MAINE = '+12075550201';
const MUSCAT = '+96824000001';
const OSLO = '+4721000001';

const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--service-url', LIVE, '--yes', '--new-db'];
const SETTINGS = ['--set', 'polling.floor=20ms', '--db', 'calls.db'];

/** Who rings when a list is called at this moment; the clock stands still but for the polls. */
async function calledAt(moment: string, phones: readonly string[], rules: string[] = []) {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${phones.join('\n')}\n`);
  const clock = clockFrom(moment);
  const connect = leadTo({ [LIVE]: service.url });
  const { err } = await at.run([...RUN, ...SETTINGS, ...rules], { clock, connect });
  return { rang: service.dialled.toSorted(), err: err.replaceAll(/\s+/g, ' '), at, connect, clock };
}

describe('rules that nobody chose, on a live service,', () => {
  it.each([
    ['Paris on Saturday', PARIS, '2026-11-28T10:00:00Z', false],
    ['Paris at ten', PARIS, '2026-11-27T09:00:00Z', true],
    ['Maine at 17:30', PORTLAND_MAINE, '2026-11-30T22:30:00Z', false],
    ['Maine at 16:00', PORTLAND_MAINE, '2026-11-30T21:00:00Z', true],
  ])('%s', async (_, phone, moment, rings) => {
    const { rang, err } = await calledAt(moment, [phone]);
    expect(err).not.toContain('not taken');
    expect(rang).toEqual(rings ? [phone] : []);
  });

  it('are said in a line, with those of each place and how many people they are for', async () => {
    const people = [PARIS, MADRID, PROVIDENCE, PORTLAND_MAINE, MUSCAT];
    const { err } = await calledAt('2026-11-29T08:00:00Z', people);
    expect(err).toContain(
      'Rules by place: conservative for everybody, and us-states for 2 people, eu for 2 people, fr for 1 person, es for 1 person, nothing else for 1 person.',
    );
    expect(err).toContain(
      '1 person in Oman is called without regard to public holidays: callsheet has no table of them there;',
    );
  });

  it('name the duties of law for these people before the first start, and not again', async () => {
    const first = await calledAt('2026-11-27T16:00:00Z', [PARIS, PORTLAND_MAINE]);
    expect(first.err).toContain(
      'Duties of law that callsheet cannot check; your yes confirms them:',
    );
    for (const duty of [
      'us-states US-ME: say clearly that the person does not talk to a human (1 person; 10 M.R.S. 1500-DD',
      'eu: tell the person at the start that they talk to an AI system',
      'us-states: have the person’s prior consent',
      'us-states: check the numbers against us-national, at most 31d old',
      'fr: have the person’s prior consent',
    ])
      expect(first.err).toContain(duty);
    expect(first.err).not.toContain('US-CA');
    const { err } = await first.at.run(['run', 'leads', '--yes', ...SETTINGS], first);
    expect(err).not.toContain('Duties of law');
  });

  it('hold for nobody who was stored with other rules before', async () => {
    const chosen = ['--rules', 'conservative', '--limit', '1'];
    const { at, connect } = await calledAt('2026-11-27T13:30:00Z', [PARIS, OSLO], chosen);
    const shown = await at.run(['run', 'leads', '--dry-run', ...SETTINGS], { connect });
    expect(shown.err).toContain('rules conservative');
  });
});

/** As the service of these tests tells of a conversation, in the shape of the default profile. */
const REFUSAL = {
  status: 'completed',
  duration: 12,
  transcript: 'agent: Bonjour.\nuser: Non merci, je refuse ce démarchage.',
};

describe('a refusal in France', () => {
  const FRENCH = ['--rules', 'fr'];

  it.each([
    ['said in the conversation keeps every campaign from the person for 60 days', REFUSAL, 59, []],
    ['ends after 60 days', REFUSAL, 63, [PARIS]],
    [
      'is none where the call was rejected without a word',
      { status: 'completed', outcome: 'declined', transcript: '' },
      1,
      [PARIS],
    ],
  ])('%s', async (_, answer, days, rang) => {
    const service = await voiceServer();
    service.behave({ analytics: () => ({ body: answer }) });
    const at = desk({ VOICE_API_KEY: 'k' });
    at.write('first.csv', `phone,call consent\n${PARIS},yes\n`);
    at.write('second.csv', `phone,call consent,name\n${PARIS},yes,Ann\n`);
    let clock = clockFrom('2026-11-02T10:00:00Z');
    const connect = leadTo({ [LIVE]: service.url });
    const run = (list: string, ...rest: string[]) => {
      const argv = ['run', list, ...RUN.slice(2), ...SETTINGS, ...rest];
      return at.run(argv, { clock, connect });
    };
    const first = await run('first.csv', ...FRENCH);
    expect(first.err).toContain('Every lead is final');
    expect(service.dialled).toEqual([PARIS]);
    // Neither a weekend nor a holiday.
    const from = Date.parse('2026-11-02T10:00:00Z') + days * 86_400_000;
    clock = clockFrom(new Date(from).toISOString());
    const { err } = await run('second.csv', '--again');
    expect([err.includes('not taken'), service.dialled.slice(1)]).toEqual([false, rang]);
  });
});
