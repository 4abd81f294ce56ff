import { describe, expect, it, onTestFinished } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { fakeService } from '../../service/helpers.ts';

const PERSONA = '12345678-1234-1234-1234-123456789012';
const PHONES = Array.from({ length: 4 }, (_, n) => aPhone(n));
const REFUSED = aPhone(1);

/** Bland's API, as it is documented: dials to one number are refused until the refusal is taken back; the others answer. */
async function aDesk(told: object = {}) {
  const dialled: string[] = [];
  const bland: { refusal: { status: number; body: object } | null } = { refusal: null };
  const server = await fakeService(({ method, url, body }) => {
    if (url.startsWith('/v1/personas')) {
      const data = [{ id: PERSONA, name: 'Renewals', deleted_at: null }];
      return { body: { data, errors: null } };
    }
    if (method === 'POST') {
      const { phone_number } = JSON.parse(body) as { phone_number: string };
      dialled.push(phone_number);
      if (phone_number === REFUSED && bland.refusal !== null) return bland.refusal;
      const message = 'Call successfully queued.';
      return { body: { status: 'success', message, call_id: `call-${phone_number}` } };
    }
    if (url.startsWith('/v1/calls?')) return { body: { count: 0, total_count: 0, calls: [] } };
    const call_id = decodeURIComponent(url.split('/').at(-1) ?? '');
    return { body: { ...CALL, ...told, call_id, to: call_id.replace('call-', '') } };
  });
  onTestFinished(() => server.stop());
  const at = desk({ VOICE_API_URL: server.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  const flags = ['--profile', 'bland', '--agent', PERSONA, '--concurrency', '1', '-o', 'out.csv'];
  return {
    dialled,
    bland,
    run: () => at.run(['run', 'leads.csv', ...flags, '--set', 'polling.floor=20ms']),
    rows: () => rowsOf(at.read('out.csv')),
  };
}

const CALL = {
  completed: true,
  status: 'completed',
  queue_status: 'complete',
  error_message: null,
  answered_by: 'human',
  call_length: 0.5,
  corrected_duration: '30',
  variables: { city: 'San Francisco' },
  analysis: null,
  transcripts: [
    { id: 1, user: 'assistant', text: 'Hello?' },
    { id: 2, user: 'user', text: 'Yes, go ahead.' },
  ],
  concatenated_transcript: 'assistant: Hello? \n user: Yes, go ahead. \n ',
};

const said = (message: string) => ({ status: 'error', message });

describe('a run with Bland', () => {
  it.each([
    [429, 'This number is blacklisted.'],
    [400, 'Number found in DNC list. You cannot dial sensitive numbers.'],
    [400, 'Cannot dial sensitive numbers. More attempts will result in being blocked.'],
  ])('dials a number once that is answered %i %s, and ends', async (status, message) => {
    const { dialled, bland, run, rows } = await aDesk();
    bland.refusal = { status, body: said(message) };
    expect((await run()).code).toBe(0);
    expect(dialled).toEqual(PHONES);
    expect(rows().map((row) => row['call_result'])).toEqual([
      'answered',
      'rejected',
      'answered',
      'answered',
    ]);
  });

  it.each([
    [400, said("Invalid 'from' - must be a phone number string with 10 or 12 digits.")],
    [402, said('Insufficient balance.')],
    [418, { error: 'OBJECTIVE_VALIDATION_ERROR', details: 'no objective' }],
  ])(
    "pauses at once for a %i that is nobody's, and goes on once it is mended",
    async (status, body) => {
      const { dialled, bland, run, rows } = await aDesk();
      bland.refusal = { status, body };
      const paused = await run();
      expect(paused.code).toBe(5);
      expect(paused.err).toContain(`HTTP ${status}`);
      expect(dialled).toEqual(PHONES.slice(0, 2));
      bland.refusal = null;
      expect((await run()).code).toBe(0);
      expect(dialled.toSorted()).toEqual([...PHONES, REFUSED].toSorted());
      expect(rows().map((row) => row['call_result'])).toEqual(PHONES.map(() => 'answered'));
    },
  );

  it('keeps a conversation after which a webhook of the service failed', async () => {
    const { run, rows } = await aDesk({ queue_status: 'complete_error', answered_by: null });
    expect((await run()).code).toBe(0);
    for (const row of rows()) {
      expect(row).toMatchObject({ call_result: 'answered', call_extracted: '' });
    }
  });
});
