import { describe, expect, it, onTestFinished, test } from 'vitest';
import { ANSWERED_BY, CALL_STATUSES } from '../../helpers/providers/schemas/twilio.ts';
import { startProvider } from '../../helpers/providers/start.ts';
import { connect, DIAL, yes } from '../helpers.ts';
import { builtIn, dialAnswered, meaningOf, tableOf, wordFor } from './table.ts';

const TWILIO = builtIn('twilio');
const STATES = tableOf('twilio-statuses.tsv');

describe('the state of a call', () => {
  test('is known for every published status and every published answered_by', () => {
    expect(new Set(STATES.map(([status]) => status))).toEqual(new Set(CALL_STATUSES));
    const answeredBy = STATES.map(([, word]) => word).filter((word) => word !== 'null');
    expect(new Set(answeredBy)).toEqual(new Set(ANSWERED_BY));
  });

  test.each(STATES)('%s, answered by %s, means %s', (status, answeredBy, means) => {
    const isAnswered = status === 'completed';
    const call = {
      sid: 'CA1',
      status,
      answered_by: answeredBy === 'null' ? null : answeredBy,
      duration: isAnswered ? '7' : null,
      price: isAnswered ? '-0.013' : null,
      price_unit: 'USD',
      end_time: isAnswered ? 'Sun, 22 Nov 2026 08:00:00 +0000' : null,
    };
    expect(meaningOf(TWILIO, call)).toBe(means);
  });

  test('is not final before its price is there, which comes later', () => {
    const call = { sid: 'CA1', status: 'completed', answered_by: 'human', duration: '7' };
    expect(meaningOf(TWILIO, { ...call, price: null })).toBe('ended');
    expect(meaningOf(TWILIO, { ...call, price: '-0.00' })).toBe('answered');
  });
});

describe('a refused dial', () => {
  test.each(tableOf('twilio-codes.tsv'))(
    'with code %s and HTTP %s is %s: %s',
    async (code, status, means, message) => {
      const more_info = `https://www.twilio.com/docs/errors/${code}`;
      const body = { code: Number(code), message, more_info, status: Number(status) };
      expect(wordFor(await dialAnswered(TWILIO, Number(status), body))).toBe(means);
    },
  );
});

describe('the applications of an account', () => {
  it('are those that can speak: one for messages only is not shown', async () => {
    const provider = await startProvider('twilio', { agentCount: 120 });
    onTestFinished(() => provider.close());
    const service = connect(provider.url, { profile: TWILIO, key: provider.key });
    onTestFinished(() => service.close());

    const { agents, complete } = await service.listAgents();

    expect([agents.length, complete, provider.invalid()]).toEqual([120, true, []]);
    expect(agents.map(({ name }) => name)).not.toContain('Messages');
  });
});

describe('the stand-in', () => {
  it('tells of a request that is not as published, and of no other', async () => {
    const provider = await startProvider('twilio');
    onTestFinished(() => provider.close());
    const { url, key, from, agent } = provider;
    const service = connect(url, { profile: TWILIO, key, from });
    onTestFinished(() => service.close());

    const call = await service.startCall({ ...DIAL, agent }, yes);
    expect(call).toMatchObject({ kind: 'placed' });
    await service.callList?.read({ since: 0 });
    await service.readAnalytics(call.kind === 'placed' ? call.callId : '');
    expect(provider.invalid()).toEqual([]);

    await service.startCall({ ...DIAL, agent: 'AP1' }, yes);
    expect(provider.invalid()).toEqual([expect.stringContaining('ApplicationSid must match')]);
  });
});
