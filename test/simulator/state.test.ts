import {
  appendFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../helpers/clock.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { aService, containing, everybody, KEY, OTHER_KEY, phone } from './service.ts';

describe('a state file', () => {
  it('lets calls be read after a restart, on the same time line and with the same words', async () => {
    const state = aPath();
    const clock = new VirtualClock();
    const before = await aService({ state, clock, mix: 'warm' });
    const made = await before.post('/v1/agents', {
      name: 'Mine',
      systemPrompt: 'Ask about the plan.',
    });
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) {
      const headers = { 'idempotency-key': `k${index}` };
      ids.push((await before.dial(phone(index), headers, made.json.id)).json.call_id);
    }
    await clock.advance(40_000);
    const halfway = await Promise.all(ids.map(async (id) => (await before.analytics(id)).text));
    await before.close();

    // Another seed, pace and mix: what is under way does not change.
    const after = await aService({ state, clock, mix: everybody('busy'), seed: 'x', timeScale: 9 });
    expect(await Promise.all(ids.map(async (id) => (await after.analytics(id)).text))).toEqual(
      halfway,
    );
    expect((await after.get('/v1/agents')).json.data[1]).toEqual(made.json);
    expect(after.peak()).toBe(20);
    await clock.advance(10_000_000);
    const told = await Promise.all(ids.map(async (id) => (await after.analytics(id)).text));
    await after.close();

    const last = await aService({ state, clock });
    expect(await Promise.all(ids.map(async (id) => (await last.analytics(id)).text))).toEqual(told);
    const rings = last.ledger().map((entry) => entry.rings.map((ring) => ring.attempt_key));
    expect(rings).toEqual(ids.map((_, index) => [`k${index}`]));
    expect((await last.get('/v1/agents')).json.data).toHaveLength(2);
  });

  it('keeps accounts apart, remembers idempotency keys and counts lines still in use', async () => {
    const state = aPath();
    const clock = new VirtualClock();
    const options = { state, clock, idempotency: true, capacity: 1, fixedCallMs: 5_000 };
    const before = await aService(options);
    const first = await before.dial(phone(0), { 'idempotency-key': 'k' });
    await before.close();
    expect(readFileSync(state, 'utf8')).not.toContain(KEY);

    const after = await aService({ ...options, keys: [OTHER_KEY, KEY] });
    expect((await after.dial(phone(0), { 'idempotency-key': 'k' })).text).toBe(first.text);
    expect((await after.dial(phone(1))).status).toBe(429);
    expect((await after.analytics(first.json.call_id, OTHER_KEY)).status).toBe(404);
    await after.close();

    const alone = await aService({ ...options, keys: [OTHER_KEY] });
    expect(alone.ledger()).toEqual([]);
  });

  it('has a call in it before the dial is answered, and nobody else may read it', async () => {
    const state = aPath();
    const service = await aService({ state, faults: { 'drop-response': 1 } });
    await expect(service.dial(phone(0))).rejects.toThrow();
    expect(readFileSync(state, 'utf8')).toContain(phone(0));
    expect(statSync(state).mode & 0o777).toBe(0o600);
  });

  it('loses only the line that a kill cut in half', async () => {
    const state = aPath();
    const before = await aService({ state });
    await before.dial(phone(0));
    const whole = statSync(state).size;
    await before.dial(phone(1));
    await before.close();
    truncateSync(state, whole + 40);

    const after = await aService({ state });
    expect(after.ledger().map((entry) => entry.phone_number)).toEqual([phone(0)]);
    await after.dial(phone(2));
    await after.close();
    const last = await aService({ state });
    expect(last.ledger().map((entry) => entry.phone_number)).toEqual([phone(0), phone(2)]);
  });

  it('is shared by the processes that have it open', async () => {
    const state = aPath();
    const clock = new VirtualClock();
    const one = await aService({ state, clock, capacity: 2, fixedCallMs: 1_000 });
    const other = await aService({ state, clock, capacity: 2, fixedCallMs: 1_000 });
    const call = (await one.dial(phone(0))).json.call_id;
    const agent = (await one.post('/v1/agents', { name: 'Mine', systemPrompt: 'Be kind.' })).json;
    expect((await other.analytics(call)).status).toBe(409);
    expect((await other.dial(phone(1), {}, agent.id)).status).toBe(201);
    expect((await one.dial(phone(2))).status).toBe(429);
    await clock.advance(1_000);
    expect((await one.dial(phone(1))).status).toBe(201);
    const rings = (await other.get('/ledger')).json.numbers.map((entry) => entry.rings.length);
    expect(rings).toEqual([1, 2]);
  });

  it('may be longer than one reading takes in at once', async () => {
    const state = aPath();
    const before = await aService({ state });
    const systemPrompt = 'é'.repeat(60_000);
    for (let index = 0; index < 4; index++) {
      await before.post('/v1/agents', { name: `Agent ${index}`, systemPrompt });
    }
    await before.close();
    const after = await aService({ state });
    const { data } = (await after.get('/v1/agents')).json;
    expect(data).toHaveLength(5);
    expect(data[4]).toMatchObject({ name: 'Agent 3', systemPrompt });
  });

  it('is refused when it is another file, and that file stays as it was', async () => {
    const state = aPath();
    writeFileSync(state, 'phone\n+12125550123\n');
    await expect(aService({ state })).rejects.toMatchObject({
      code: 'SIMULATOR_STATE_UNUSABLE',
      message: containing(`"${state}" is not a state file`),
    });
    expect(readFileSync(state, 'utf8')).toBe('phone\n+12125550123\n');
  });

  it('is refused with its path when it cannot be opened', async () => {
    const state = join(aPath(), 'nowhere');
    await expect(aService({ state })).rejects.toMatchObject({
      code: 'SIMULATOR_STATE_UNUSABLE',
      message: containing(state),
    });
  });

  it.skipIf(!existsSync('/dev/full'))('is refused when nothing can be written to it', async () => {
    await expect(aService({ state: '/dev/full' })).rejects.toMatchObject({
      code: 'SIMULATOR_STATE_UNUSABLE',
      message: containing('cannot be written'),
    });
  });

  it('may hold lines of accounts and kinds that this service does not know', async () => {
    const state = aPath();
    const before = await aService({ state });
    await before.dial(phone(0));
    await before.close();
    appendFileSync(state, '{"account":"acc_unknown","call":{}}\n{"note":1}\n');
    const after = await aService({ state });
    expect(after.ledger()).toHaveLength(1);
  });
});

function aPath(): string {
  return join(tempFolder(), 'simulated.jsonl');
}
