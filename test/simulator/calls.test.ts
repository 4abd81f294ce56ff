import { describe, expect, it } from 'vitest';
import { aService, everybody, KEY, matching, OTHER_KEY, phone } from './service.ts';

const HOUR = 3_600_000;

describe('calls', () => {
  it('rings, talks, ends and then has analytics, which are 409 with the status until then', async () => {
    const service = await aService({ mix: everybody('voicemail'), processingLagMs: 60_000 });
    const placed = await service.dial(phone(0));
    expect(placed.status).toBe(201);
    expect(placed.json).toEqual({
      call_id: matching(/^call_[0-9a-f]{24}$/),
      status: 'queued',
      agent_id: 'ag_demo',
      phone_number: phone(0),
      created_at: '2026-01-05T15:00:00.000Z',
    });
    const id = placed.json.call_id;

    const early = await service.analytics(id);
    expect(early.status).toBe(409);
    expect(early.json).toEqual({
      error: { code: 'call_not_completed', message: 'The call is not completed yet.' },
      call_id: id,
      status: 'ringing',
    });
    // A machine picks up after 8 to 30 s and is spoken to for 18 to 35 s.
    await service.clock.advance(7_900);
    expect((await service.analytics(id)).json.status).toBe('ringing');
    const statuses: string[] = [];
    for (let second = 0; second < 60; second++) {
      await service.clock.advance(1_000);
      const { status } = (await service.analytics(id)).json;
      if (statuses.at(-1) !== status) statuses.push(status);
    }
    expect(statuses.slice(-2)).toEqual(['in_progress', 'ended']);
    await service.clock.advance(60_000);

    const ready = await service.analytics(id);
    expect(ready.status).toBe(200);
    expect(ready.json).toMatchObject({
      call_id: id,
      agent_id: 'ag_demo',
      phone_number: phone(0),
      started_at: '2026-01-05T15:00:00.000Z',
    });
    const upMs = Date.parse(ready.json.ended_at) - Date.parse(ready.json.started_at);
    expect(ready.json.duration_seconds).toBeGreaterThanOrEqual(18);
    expect(upMs).toBeGreaterThanOrEqual(ready.json.duration_seconds * 1_000 + 8_000);
    expect(upMs).toBeLessThanOrEqual(ready.json.duration_seconds * 1_000 + 30_000);
  });

  it('cost what the price says of their length, and nothing where nobody took them', async () => {
    const price = (talkMs: number) => (talkMs === 0 ? 0 : 0.5 + 0.1 * Math.ceil(talkMs / 60_000));
    for (const [own, cost] of [
      [{ price, fixedCallMs: 61_000 }, '0.7'],
      [{ price, mix: everybody('busy') }, '0'],
      [{}, undefined],
    ] as const) {
      const service = await aService(own);
      const id = (await service.dial(phone(0))).json.call_id;
      await service.clock.advance(HOUR);
      expect((await service.analytics(id)).json.cost).toBe(cost);
    }
  });

  it('runs as many times faster as the time scale says, with durations in simulated seconds', async () => {
    const slow = await aService({ mix: everybody('voicemail') });
    const fast = await aService({ mix: everybody('voicemail'), timeScale: 100 });
    const spans = [];
    for (const service of [slow, fast]) {
      const id = (await service.dial(phone(0))).json.call_id;
      await service.clock.advance(HOUR);
      const { json } = await service.analytics(id);
      spans.push({
        upMs: Date.parse(json.ended_at) - Date.parse(json.started_at),
        duration: json.duration_seconds,
      });
    }
    expect(spans[1]?.duration).toBe(spans[0]?.duration);
    expect((spans[1]?.upMs ?? 0) * 100).toBeGreaterThan((spans[0]?.upMs ?? 0) - 200);
    expect((spans[1]?.upMs ?? 0) * 100).toBeLessThan((spans[0]?.upMs ?? 0) + 200);
  });

  it('lasts exactly as long as a fixed length says, always answered, without ring or lag', async () => {
    const service = await aService({ mix: 'cold', fixedCallMs: 50 });
    const id = (await service.dial(phone(0))).json.call_id;
    await service.clock.advance(49);
    expect((await service.analytics(id)).json.status).toBe('in_progress');
    await service.clock.advance(1);
    const { status, json } = await service.analytics(id);
    expect(status).toBe(200);
    expect(json.duration_seconds).toBe(0.05);
    expect(json.turns.some((turn) => turn.role === 'person')).toBe(true);
  });

  it.each([
    [{ agent_id: 'ag_demo' }, 422, 'phone_number'],
    [{ phone_number: '212-555-0123', agent_id: 'ag_demo' }, 422, 'phone_number'],
    [{ phone_number: '+02125550123', agent_id: 'ag_demo' }, 422, 'phone_number'],
    [{ phone_number: 12125550123, agent_id: 'ag_demo' }, 400, 'phone_number'],
    [{ phone_number: '+12125550123' }, 422, 'agent_id'],
    [{ phone_number: '+12125550123', agent_id: 'ag_nobody' }, 422, 'agent_id'],
    [{ phone_number: '+12125550123', agent_id: {} }, 400, 'agent_id'],
  ])(
    'refuses the dial %j with %i, naming the field %s, and rings no phone',
    async (body, status, field) => {
      const service = await aService();
      const answer = await service.post('/v1/calls/outbound', body);
      expect(answer.status).toBe(status);
      expect(answer.json.error.field).toBe(field);
      expect(service.ledger()).toEqual([]);
    },
  );

  it('answers 404 for the analytics of a call that it does not know', async () => {
    const service = await aService();
    const answer = await service.analytics('call_unknown');
    expect(answer.status).toBe(404);
    expect(answer.json.error.code).toBe('call_not_found');
  });

  it('holds no more calls at once than its capacity, per account, until the line is down', async () => {
    const service = await aService({ capacity: 2, fixedCallMs: 3_000, processingLagMs: HOUR });
    expect((await service.dial(phone(0))).status).toBe(201);
    await service.clock.advance(1_000);
    expect((await service.dial(phone(1))).status).toBe(201);
    const refused = await service.dial(phone(2));
    expect(refused.status).toBe(429);
    expect(refused.json.error.code).toBe('capacity');
    expect(refused.headers['retry-after']).toBe('2');
    expect((await service.dial(phone(3), { authorization: `Bearer ${OTHER_KEY}` })).status).toBe(
      201,
    );
    await service.clock.advance(1_999);
    expect((await service.dial(phone(2))).status).toBe(429);
    await service.clock.advance(1);
    expect((await service.dial(phone(2))).status).toBe(201);
    expect(service.ledger(KEY).map((entry) => entry.phone_number)).toEqual([0, 1, 2].map(phone));
    expect(service.peak()).toBe(2);
  });

  it('never asks to wait longer than a few seconds for a free line', async () => {
    const service = await aService({ capacity: 1, fixedCallMs: HOUR });
    await service.dial(phone(0));
    expect((await service.dial(phone(1))).headers['retry-after']).toBe('5');
  });

  it('rings again for the same Idempotency-Key unless it is honoured', async () => {
    const service = await aService();
    const first = await service.dial(phone(0), { 'idempotency-key': 'k1' });
    const second = await service.dial(phone(0), { 'idempotency-key': 'k1' });
    expect(second.json.call_id).not.toBe(first.json.call_id);
    expect(service.ledger()[0]?.rings.map((ring) => ring.attempt_key)).toEqual(['k1', 'k1']);
  });

  it('answers a repeated Idempotency-Key as the first time, without a second ring, where it is honoured', async () => {
    const service = await aService({ idempotency: true, capacity: 1 });
    const first = await service.dial(phone(0), { 'idempotency-key': 'k1' });
    await service.clock.advance(1);
    const second = await service.dial(phone(0), { 'idempotency-key': 'k1' });
    expect({ status: second.status, text: second.text }).toEqual({ status: 201, text: first.text });
    expect(service.ledger()[0]?.rings).toHaveLength(1);

    const other = await service.dial(phone(1), { 'idempotency-key': 'k1' });
    expect(other.status).toBe(422);
    expect(other.json.error.code).toBe('idempotency_mismatch');
    expect(service.ledger()).toHaveLength(1);
    const foreign = { authorization: `Bearer ${OTHER_KEY}`, 'idempotency-key': 'k1' };
    expect((await service.dial(phone(1), foreign)).status).toBe(201);
  });

  it.each(['empty', 'never'] as const)(
    'of a machine are completed and have its greeting and the message, unanswered: %s',
    async (unanswered) => {
      const service = await aService({ mix: everybody('voicemail'), unanswered });
      const id = (await service.dial(phone(0))).json.call_id;
      await service.clock.advance(HOUR);
      const { status, json } = await service.analytics(id);
      expect({ status, word: json.status, turns: json.turns.length }).toEqual({
        status: 200,
        word: 'completed',
        turns: 2,
      });
    },
  );

  it('say who wants no more calls and who wants to be called again, in the shares that were asked for', async () => {
    const ask = { mix: everybody('answered'), unanswered: 'outcome' as const };
    const service = await aService({ ...ask, optOuts: 0.2, callbacks: 0.5 });
    const ids: string[] = [];
    for (let n = 0; n < 100; n++) ids.push((await service.dial(phone(n))).json.call_id);
    await service.clock.advance(HOUR);
    const told = await Promise.all(ids.map(async (id) => (await service.analytics(id)).text));
    const out = told.filter((text) => text.includes('"outcome":"opted_out"'));
    const again = told.filter((text) => text.includes('"callback_at":"2026-01-0'));
    expect(out.length).toBeGreaterThan(10);
    expect(out.length).toBeLessThan(32);
    expect(again.length).toBeGreaterThan(25);
    expect(again.length).toBeLessThan(55);
    expect(again.filter((text) => out.includes(text))).toEqual([]);
  });

  it.each([{ optOuts: 1.5 }, { callbacks: -1 }, { callbacks: NaN }])(
    'refuses %j, which is no share',
    async (shares) => {
      await expect(aService(shares)).rejects.toMatchObject({ code: 'SIMULATOR_OPTION_INVALID' });
    },
  );

  describe('that nobody answers', () => {
    const missed = ['no_answer', 'busy', 'declined', 'failed', 'invalid_number'] as const;

    it.each(missed)('show an empty transcript and no outcome word: %s', async (outcome) => {
      const service = await aService({ mix: everybody(outcome), unanswered: 'empty' });
      const id = (await service.dial(phone(0))).json.call_id;
      await service.clock.advance(HOUR);
      const { status, text, json } = await service.analytics(id);
      expect(status).toBe(200);
      expect(json).toMatchObject({
        status: 'completed',
        transcript: '',
        turns: [],
        duration_seconds: 0,
        sentiment: null,
      });
      expect(text).not.toContain(outcome);
    });

    it.each([...missed, 'voicemail'] as const)(
      'show their outcome as status: %s',
      async (outcome) => {
        const service = await aService({ mix: everybody(outcome), unanswered: 'status' });
        const id = (await service.dial(phone(0))).json.call_id;
        await service.clock.advance(HOUR);
        const { status, json } = await service.analytics(id);
        expect({ status, word: json.status }).toEqual({ status: 200, word: outcome });
      },
    );

    it.each([...missed, 'voicemail', 'answered'] as const)(
      'name their outcome, as answered ones do: %s',
      async (outcome) => {
        const mix = everybody(outcome);
        const service = await aService({ mix, unanswered: 'outcome', optOuts: 0 });
        const id = (await service.dial(phone(0))).json.call_id;
        await service.clock.advance(HOUR);
        const { status, json } = await service.analytics(id);
        expect({ status, json }).toMatchObject({
          status: 200,
          json: { status: 'completed', outcome },
        });
        expect(json).not.toHaveProperty('callback_at');
      },
    );

    it.each(missed)('never have analytics: %s', async (outcome) => {
      const service = await aService({ mix: everybody(outcome), unanswered: 'never' });
      const id = (await service.dial(phone(0))).json.call_id;
      await service.clock.advance(1_000 * HOUR);
      const { status, json } = await service.analytics(id);
      expect({ status, word: json.status }).toEqual({ status: 409, word: 'ended' });
    });
  });
});
