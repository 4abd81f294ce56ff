import { describe, expect, it } from 'vitest';
import { until } from '../../helpers/until.ts';
import { aReceiver } from '../webhooks/receiver.ts';
import { aService, phone } from '../service.ts';

describe('a captured lead', () => {
  it('is told once, while its line is up, with the fields that the ledger has', async () => {
    const receiver = await aReceiver();
    const service = await aService({
      mix: 'reminder',
      webhooks: { url: receiver.url, secret: null },
    });
    for (let index = 0; index < 100; index++) {
      await service.dial(phone(index), { 'idempotency-key': `k${index}` });
    }
    await service.clock.advance(3_600_000);
    await until(() => service.events().every(({ state }) => state === 'acknowledged'));
    const rings = service.ledger().flatMap((entry) => entry.rings);
    const captured = rings.filter((ring) => ring.captured_lead !== null);
    expect(captured.length).toBeGreaterThan(5);
    expect(captured.every((ring) => ring.outcome === 'answered')).toBe(true);
    expect(captured.every((ring) => ring.sentiment?.label === 'positive')).toBe(true);

    const told = receiver.got.filter(({ json }) => json.type === 'lead.captured');
    expect(told).toHaveLength(captured.length);
    for (const ring of captured) {
      const event = told.find(({ json }) => json.data['call_id'] === ring.call_id);
      expect(event?.json.data).toMatchObject({
        agent_id: 'ag_demo',
        idempotency_key: ring.attempt_key,
        status: 'in_progress',
        lead: ring.captured_lead,
      });
      expect(event?.json.timestamp.localeCompare(ring.rang_at)).toBe(1);
      expect(event?.json.timestamp.localeCompare(ring.ended_at ?? '')).toBe(-1);
    }
  });

  it('has a name and an interest always, and other fields now and then', async () => {
    const service = await aService({ mix: 'reminder', seed: 'fields' });
    for (let index = 0; index < 300; index++) await service.dial(phone(index));
    await service.clock.advance(3_600_000);
    const leads = service
      .ledger()
      .flatMap((entry) => entry.rings.map((ring) => ring.captured_lead))
      .filter((lead) => lead !== null);
    const share = (field: string) => leads.filter((lead) => field in lead).length / leads.length;
    expect([share('name'), share('interest'), share('score')]).toEqual([1, 1, 1]);
    for (const field of ['email', 'callback_time', 'callback_number', 'notes', 'preferences']) {
      expect(share(field), field).toBeGreaterThan(0.1);
      expect(share(field), field).toBeLessThan(0.95);
    }
    const emails = leads.flatMap(({ email }) => (email === undefined ? [] : [email]));
    for (const email of emails) expect(email).toMatch(/^[a-z]+\.[a-z]+@example\.com$/);
  });
});
