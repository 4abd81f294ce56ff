import { describe, expect, it, onTestFinished, test } from 'vitest';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import {
  CALL_STATUSES,
  DISCONNECTION_REASONS,
  SENTIMENTS,
} from '../../helpers/providers/schemas/retell.ts';
import { startProvider } from '../../helpers/providers/start.ts';
import { connect, DIAL, fakeService, yes } from '../helpers.ts';
import { builtIn, dialAnswered, meaningOf, tableOf, wordFor } from './table.ts';

const RETELL = builtIn('retell');
const REASONS = tableOf('retell-reasons.tsv');
const meaning = (call: object) => meaningOf(RETELL, call);

/** A PhoneCallResponse with its required fields. */
const CALL = {
  agent_id: 'agent_1',
  agent_version: 1,
  call_id: 'call_1',
  call_type: 'phone_call',
  direction: 'outbound',
  from_number: '+12125550199',
  to_number: '+12125550123',
};
const ANALYSIS = { in_voicemail: false, user_sentiment: 'Unknown', call_successful: false };
const AGENT = { role: 'agent', content: 'Hello?', words: [] };
const USER = { role: 'user', content: 'Yes, speaking.', words: [] };

function ended(reason: string | undefined, status = 'ended', turns: object[] = []) {
  const talked = { duration_ms: 7_000, transcript: 'Agent: Hello?\n', transcript_object: turns };
  return {
    ...CALL,
    call_status: status,
    disconnection_reason: reason,
    ...(turns.length === 0 ? {} : talked),
    ...(turns.length > 0 || status === 'ended' ? { call_analysis: ANALYSIS } : {}),
  };
}

describe('how a call ended', () => {
  test('is known for every published reason', () => {
    expect(REASONS.map(([reason]) => reason)).toEqual([...DISCONNECTION_REASONS]);
  });

  // Of an ended call, on whose line somebody was, what the agent said is there, too.
  test.each(REASONS)('%s without a word of the person means %s', (reason, means, status) => {
    const said = status === 'ended' ? [AGENT] : [];
    expect(meaning(ended(reason, status, said))).toBe(means === 'transcript' ? 'no_answer' : means);
  });

  test.each(REASONS)('%s after the person spoke is no failure', (reason, means = '', status) => {
    const givesWay = ['failed', 'not_called', 'not_called_pause', 'transcript'].includes(means);
    const call = ended(reason, status, [AGENT, USER]);
    expect(meaning(call)).toBe(givesWay ? 'answered' : means);
  });

  it('is voicemail where the analysis says so, whoever hung up', () => {
    const call = ended('user_hangup', 'ended', [AGENT, USER]);
    expect(meaning(call)).toBe('answered');
    const analysis = { ...ANALYSIS, in_voicemail: true };
    expect(meaning({ ...call, call_analysis: analysis })).toBe('voicemail');
    const agentOnly = ended('agent_hangup', 'ended', [AGENT]);
    expect(meaning({ ...agentOnly, call_analysis: analysis })).toBe('voicemail');
  });

  it('waits for the analysis where somebody talked before an error', () => {
    const { call_analysis, ...call } = ended('error_asr', 'error', [AGENT, USER]);
    expect(meaning(call)).toBe('ended');
    expect(meaning({ ...call, call_analysis })).toBe('answered');
    const analysis = { ...ANALYSIS, in_voicemail: true };
    expect(meaning({ ...call, call_analysis: analysis })).toBe('voicemail');
    expect(meaning(ended('error_retell', 'error'))).toBe('failed');
  });

  it('is a failure for a call that did not come about for a reason of tomorrow', () => {
    expect(meaning(ended('network_blocked', 'not_connected'))).toBe('failed');
  });

  it('is told by the scrubbed transcript of an account that keeps nothing personal', () => {
    const call = ended('user_hangup');
    const said = [
      AGENT,
      { role: 'node_transition', former_node_id: 'a', new_node_id: 'b' },
      { role: 'tool_call_invocation', tool_call_id: 't1', name: 'look', arguments: '{}' },
      { role: 'tool_call_result', tool_call_id: 't1', content: 'found' },
    ];
    const agentOnly = { ...call, duration_ms: 7_000, scrubbed_transcript_with_tool_calls: said };
    expect(meaning(agentOnly)).toBe('no_answer');
    const both = { ...agentOnly, scrubbed_transcript_with_tool_calls: [...said, USER] };
    expect(meaning(both)).toBe('answered');
  });
});

describe('the state of a call', () => {
  const STATES: Record<(typeof CALL_STATUSES)[number], string> = {
    registered: 'not_begun',
    ongoing: 'pending',
    not_connected: 'busy',
    ended: 'ended',
    error: 'busy',
  };
  test.each(CALL_STATUSES)('%s', (status) => {
    const call = { ...CALL, call_status: status, disconnection_reason: 'dial_busy' };
    // Of an ended one the analysis is still to come.
    expect(meaning(call)).toBe(STATES[status]);
  });
});

describe('what a call brings', () => {
  const read = (call: object) => {
    const reading = createAnalyticsReader(RETELL.analytics).read(call);
    if (reading.kind !== 'settled') throw new Error(reading.kind);
    return reading.analytics;
  };

  test.each(SENTIMENTS)('the sentiment %s', (word) => {
    const call = ended('user_hangup', 'ended', [AGENT, USER]);
    const { sentiment } = read({ ...call, call_analysis: { ...ANALYSIS, user_sentiment: word } });
    const label = { Negative: 'negative', Positive: 'positive', Neutral: 'neutral' };
    expect(sentiment?.label ?? null).toBe(word === 'Unknown' ? null : label[word]);
  });

  test('its cost, which is told in cents', () => {
    const costs = { product_costs: [], total_duration_seconds: 60, total_duration_unit_price: 1 };
    const { cost, costCurrency } = read({
      ...ended('user_hangup', 'ended', [AGENT, USER]),
      call_cost: { combined_cost: 70, ...costs },
    });
    expect([Number(cost), costCurrency]).toEqual([0.7, 'USD']);
  });

  test('its recording, even if only the scrubbed one is kept', () => {
    const call = ended('user_hangup', 'ended', [AGENT, USER]);
    const scrubbed_recording_url = 'https://recordings.example.com/1.wav';
    expect(read({ ...call, scrubbed_recording_url }).recordingUrl).toBe(scrubbed_recording_url);
  });
});

describe('a refused dial', () => {
  test.each(tableOf('retell-refusals.tsv'))(
    'HTTP %s with %s "%s" is %s',
    async (status, field = '', message = '', means = '') => {
      const body = { status: 'error', [field]: message };
      expect(wordFor(await dialAnswered(RETELL, Number(status), body))).toBe(means);
    },
  );
});

describe('the agents of an account', () => {
  it('are those that can call: chat agents are neither asked for nor shown', async () => {
    const provider = await startProvider('retell', { agentCount: 120 });
    onTestFinished(() => provider.close());
    const service = connect(provider.url, { profile: RETELL, key: provider.key });
    onTestFinished(() => service.close());

    const { agents, complete } = await service.listAgents();

    expect([agents.length, complete, provider.invalid()]).toEqual([120, true, []]);
    expect(agents.map(({ name }) => name)).not.toContain('Chat agent');
  });

  it('are those that can call, even if the account answers with all', async () => {
    const item = (agent_id: string, channel: string) => ({ agent_id, agent_name: 'Ana', channel });
    const items = [item('agent_1', 'voice'), item('agent_2', 'chat'), { agent_id: 'agent_3' }];
    const server = await fakeService(() => ({ body: { items, has_more: false } }));
    const service = connect(server.url, { profile: RETELL });
    onTestFinished(async () => {
      await service.close();
      await server.stop();
    });

    const { agents } = await service.listAgents();

    expect(agents.map(({ id }) => id)).toEqual(['agent_1', 'agent_3']);
  });
});

describe('the stand-in', () => {
  it('tells of a request that is not as published, and of no other', async () => {
    const provider = await startProvider('retell');
    onTestFinished(() => provider.close());
    const { url, key, from, agent } = provider;
    const good = connect(url, { profile: RETELL, key, from });
    onTestFinished(() => good.close());

    expect(await good.startCall({ ...DIAL, agent, variables: { note: 'x' } }, yes)).toMatchObject({
      kind: 'placed',
    });
    await good.freeSlots?.();
    await good.callList?.read({ since: 0 });
    expect(provider.invalid()).toEqual([]);

    const bad = connect(url, { profile: RETELL, key, from: '' });
    onTestFinished(() => bad.close());
    expect(await bad.startCall({ ...DIAL, agent }, yes)).toMatchObject({ kind: 'rejected' });
    expect(provider.invalid()).toEqual([
      expect.stringContaining('from_number must NOT have fewer than 1 characters'),
    ]);
  });
});
