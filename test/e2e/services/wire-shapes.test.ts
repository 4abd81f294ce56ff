import { expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { talked, voiceServer, type Behaviour } from '../../helpers/services/voice-server.ts';

const PHONES = ['+12125550100', '+12125550101'];

/** One campaign against a service that answers in its own way, with the profile of the package. */
const resultsFrom = async (behaviour: Behaviour) => {
  const service = await voiceServer(behaviour);
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `name,phone\nAl,${PHONES[0] ?? ''}\nBo,${PHONES[1] ?? ''}\n`);
  const flags = ['--agent', 'ag_1', '-o', 'out.csv', '--set', 'polling.floor=20ms'];
  const { code, err } = await at.run(['run', 'leads.csv', ...flags]);
  expect(err).toContain('Every lead is final.');
  expect(code).toBe(0);
  expect(service.dialled).toEqual(PHONES);
  return rowsOf(at.read('out.csv'));
};

it('a service that answers in camelCase is understood', async () => {
  const rows = await resultsFrom({
    agents: () => ({ body: { agents: [{ agentId: 'ag_1', displayName: 'Renewals' }] } }),
    dial: (_, callId) => ({ status: 201, body: { callId, callStatus: 'queued' } }),
    analytics: (callId, phone) => ({
      body: {
        callId,
        callStatus: 'completed',
        fullTranscript: `Assistant: Hello ${phone}.\nHuman: Good morning.`,
        durationSeconds: '42.5',
        overallSentiment: { label: 'Positive', score: 0.75 },
        callSummary: 'They said good morning.',
      },
    }),
  });
  expect(rows).toMatchObject(
    PHONES.map((phone, i) => ({
      name: ['Al', 'Bo'][i],
      call_phone: phone,
      call_result: 'answered',
      call_id: `call-${i + 1}`,
      call_duration_seconds: '42.5',
      call_sentiment: 'positive',
      call_sentiment_score: '0.75',
      call_summary: 'They said good morning.',
    })),
  );
  expect(rows[1]?.['call_transcript']).toContain('Hello +12125550101.');
});

it('a service that nests everything under data, and is not ready at once, is understood', async () => {
  const looks = new Map<string, number>();
  const rows = await resultsFrom({
    agents: () => ({ body: { data: { items: [{ id: 'ag_1' }] }, meta: { total: 1 } } }),
    dial: (_, callId) => ({ body: { success: true, data: { call: { id: callId } } } }),
    analytics: (callId, phone) => {
      const look = (looks.get(callId) ?? 0) + 1;
      looks.set(callId, look);
      if (look === 1) return { status: 409, body: { error: { message: 'not completed' } } };
      const { status, ...rest } = talked(phone);
      if (look === 2) return { body: { success: true, data: { status: 'in_progress' } } };
      return { body: { success: true, data: { status, ...rest } } };
    },
  });
  expect([...looks.values()]).toEqual([3, 3]);
  expect(rows).toMatchObject(
    PHONES.map((phone, i) => ({
      call_phone: phone,
      call_id: `call-${i + 1}`,
      call_result: 'answered',
      call_duration_seconds: '12.5',
      call_sentiment: 'positive',
    })),
  );
});

it('a service that gives transcripts as turns and durations in ms is understood', async () => {
  const rows = await resultsFrom({
    analytics: (_callId, phone) =>
      phone === PHONES[0]
        ? {
            body: {
              status: 'ended',
              transcript: [
                { role: 'agent', content: 'Hello, this is Renewals.' },
                { role: 'user', content: 'Hello, "yes"?' },
              ],
              duration_ms: 61_250,
              sentiment: -0.5,
            },
          }
        : { body: { status: 'ended', transcript: [], duration_ms: 0, sentiment: null } },
  });
  expect(rows[0]).toMatchObject({
    call_result: 'answered',
    call_duration_seconds: '61.25',
    call_sentiment_score: '-0.5',
  });
  expect(rows[0]?.['call_transcript']).toMatch(/Hello, this is Renewals\.\n.*Hello, "yes"\?/);
  expect(rows[1]).toMatchObject({
    call_result: 'no_answer',
    call_result_source: 'derived',
    call_duration_seconds: '0',
    call_transcript: '',
  });
});
