import { expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { talked, voiceServer, type Behaviour } from '../../helpers/services/voice-server.ts';

const [AL, BO] = ['+12125550100', '+12125550101'] as const;
const SOON = ['--set', 'polling.floor=20ms', '--set', 'polling.ceiling=50ms'];
const ONE_BY_ONE = ['--concurrency', '1'];
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '-o', 'out.csv', ...SOON];

/** Al and then Bo are called at a service that answers in its own way. */
async function called(behaviour: Behaviour, flags: string[] = []) {
  const service = await voiceServer(behaviour);
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `name,phone\nAl,${AL}\nBo,${BO}\n`);
  const ended = await at.run([...RUN, ...flags], { clock: hastyClock(5) });
  return { at, service, ended, rows: () => rowsOf(at.read('out.csv')) };
}

it('analytics that name another call are told, read again, and never kept as this call’s', async () => {
  const { at, ended, rows } = await called(
    { analytics: () => ({ body: { call_id: 'call-1', ...talked(AL) } }) },
    ['--set', 'polling.deadline=1s', ...ONE_BY_ONE],
  );

  expect(ended.err).toContain('answered about a different call from the one that was asked for');
  expect(rows()).toMatchObject([
    { call_phone: AL, call_result: 'answered', call_id: 'call-1' },
    { call_phone: BO, call_result: 'no_result', call_id: 'call-2', call_transcript: '' },
  ]);
  expect(rows()[1]?.['call_reason']).toContain(
    'it names call call-1, and call call-2 was asked for',
  );
  const shown = await at.run(['explain', '--calls', BO]);
  expect(shown.out + shown.err).not.toContain(`Hello ${AL}`);
});

it('analytics that name this call after all are kept when they are read again', async () => {
  let wrong = 3;
  const { ended, rows } = await called({
    analytics: (callId, phone) => {
      const isWrong = callId === 'call-2' && wrong-- > 0;
      return { body: { ...talked(isWrong ? AL : phone), to_number: isWrong ? AL : phone } };
    },
  });

  expect(ended.code).toBe(0);
  expect(rows()[1]?.['call_transcript']).toContain(`Hello ${BO}`);
});

it.each([
  ['its number', { to_number: BO }],
  ['the agent', { agent_id: 'ag_9' }],
  ['the key of its dial', { idempotency_key: 'of-another-dial' }],
])('analytics that name another call by %s are not kept', async (_, named) => {
  const { rows } = await called(
    {
      analytics: (callId, phone) => ({
        body: { ...talked(phone), ...(callId === 'call-1' && named) },
      }),
    },
    ['--set', 'polling.deadline=1s', '--limit', '1'],
  );

  expect(rows()[0]).toMatchObject({ call_result: 'no_result', call_transcript: '' });
});

it.each<[string, boolean, string]>([
  ['is told of both, and neither has what may be the other’s', false, ''],
  ['leaves each what the answer says is its own', true, `Hello ${AL}`],
])('one call id for two dials %s', async (_, isNamed, transcript) => {
  let dials = 0;
  // A result that is there before the second dial is answered belongs to the first: nothing speaks against it yet.
  let looks = 0;
  const { at, service, ended, rows } = await called(
    {
      dial: () => {
        dials += 1;
        return { body: { call_id: 'call-1' } };
      },
      analytics: () =>
        dials === 2 && ++looks > 10
          ? { body: { ...talked(AL), ...(isNamed && { to_number: AL }) } }
          : { status: 409, body: {} },
    },
    ['--concurrency', '2', '--set', 'polling.deadline=5s'],
  );

  expect(ended.code).toBe(5);
  expect(service.dialled).toEqual([AL, BO]);
  const [al, bo] = rows();
  expect(al?.['call_transcript']).toEqual(
    transcript === '' ? '' : expect.stringContaining(transcript),
  );
  expect(bo?.['call_transcript']).toBe('');
  if (!isNamed) expect(al?.['call_reason']).toContain('gave call id call-1 to 2 dials');
  expect((await at.run(['explain', '--calls', BO])).out).toContain(
    'call id call-1, which attempt a1 has already',
  );
});

it('a call id of 300 kB is none: that call is in doubt, and nobody is called again for it', async () => {
  const { service, ended, rows } = await called(
    { dial: () => ({ body: { call_id: 'x'.repeat(300_000), id: 'req_1' } }) },
    ['--set', 'unknown.reconcileFor=1s'],
  );

  expect(ended.code).toBe(5);
  expect(service.dialled).toEqual([AL]);
  expect(ended.err).toContain('has 300000 signs, and at most 512 are taken');
  expect(rows()[0]).toMatchObject({ call_id: '' });
});
