import { describe, expect, it } from 'vitest';
import { KEY, aService, phone } from './service.ts';

describe('the ledger', () => {
  it('says per number when it rang, which call it was and what was said, as analytics do', async () => {
    const service = await aService({ fixedCallMs: 30_000 });
    const first = await service.dial(phone(0), { 'idempotency-key': 'k1' });
    await service.clock.advance(10_000);
    const other = await service.dial(phone(1));
    await service.clock.advance(30_000);
    const again = await service.dial(phone(0));

    const { status, json } = await service.get('/ledger');
    expect(status).toBe(200);
    const { json: analytics } = await service.analytics(first.json.call_id);
    expect(json).toEqual({
      calls: 3,
      peak: 2,
      numbers: [
        {
          phone_number: phone(0),
          rings: [
            {
              call_id: first.json.call_id,
              agent_id: 'ag_demo',
              attempt_key: 'k1',
              rang_at: '2026-01-05T15:00:00.000Z',
              ended_at: '2026-01-05T15:00:30.000Z',
              outcome: 'answered',
              duration: analytics.duration_seconds,
              sentiment: analytics.sentiment,
              transcript: analytics.transcript,
              captured_lead: null,
            },
            {
              call_id: again.json.call_id,
              agent_id: 'ag_demo',
              attempt_key: null,
              rang_at: '2026-01-05T15:00:40.000Z',
              ended_at: null,
              outcome: null,
              duration: null,
              sentiment: null,
              transcript: null,
              captured_lead: null,
            },
          ],
        },
        expect.objectContaining({ phone_number: phone(1) }),
      ],
      events: [],
    });
    expect(json.numbers[1]?.rings[0]?.call_id).toBe(other.json.call_id);
    expect(service.ledger(KEY)).toEqual(json.numbers);
  });

  it('counts calls as simultaneous only while their lines are up', async () => {
    const service = await aService({ fixedCallMs: 1_000 });
    for (let index = 0; index < 30; index++) {
      await service.dial(phone(index));
      await service.clock.advance(index < 10 ? 100 : 500);
    }
    expect(service.peak()).toBe(10);
  });
});
