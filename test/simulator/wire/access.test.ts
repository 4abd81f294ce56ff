import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { anyText, aService, KEY, OTHER_KEY, phone } from '../service.ts';

describe('access', () => {
  it('refuses a request without a key, with another scheme or with an unknown key', async () => {
    const service = await aService();
    const without = await service.get('/v1/agents', null);
    expect(without.status).toBe(401);
    expect(without.json).toEqual({
      error: {
        code: 'unauthorized',
        message: 'Send your API key as "Authorization: Bearer <API_KEY>".',
      },
    });
    expect(without.headers['www-authenticate']).toBe('Bearer');
    expect((await service.get('/v1/agents', `${KEY}x`)).status).toBe(401);
    expect((await service.dial(phone(0), { authorization: `Basic ${KEY}` })).status).toBe(401);
    expect((await service.get('/ledger', null)).status).toBe(401);
    const longest = 'k'.repeat(256);
    const other = await aService({ keys: [longest] });
    expect((await other.get('/v1/agents', longest)).status).toBe(200);
    expect((await other.get('/v1/agents', `${longest}x`)).status).toBe(401);
    expect((await other.get('/v1/agents', longest.slice(1))).status).toBe(401);
    expect(service.ledger()).toEqual([]);
  });

  it('takes the scheme in any case', async () => {
    const service = await aService();
    const { statusCode, body } = await request(`${service.url}/v1/agents`, {
      headers: { authorization: `bearer ${KEY}` },
    });
    await body.dump();
    expect(statusCode).toBe(200);
  });

  it('answers an unknown route with 404', async () => {
    const service = await aService();
    const answer = await service.get('/v1/voices');
    expect(answer.status).toBe(404);
    expect(answer.json.error).toEqual({
      code: 'not_found',
      message: 'There is no GET /v1/voices.',
    });
  });

  it('keeps the accounts of two keys apart', async () => {
    const service = await aService();
    const made = await service.post('/v1/agents', { name: 'Mine', systemPrompt: 'Be kind.' });
    const agent = made.json.id;
    const call = (await service.dial(phone(0), {}, agent)).json.call_id;

    const theirs = (await service.get('/v1/agents', OTHER_KEY)).json;
    expect(theirs.data.map(({ id }) => id)).toEqual(['ag_demo']);
    expect((await service.analytics(call, OTHER_KEY)).status).toBe(404);
    const stolen = await service.dial(phone(1), { authorization: `Bearer ${OTHER_KEY}` }, agent);
    expect(stolen.status).toBe(422);
    expect((await service.get('/ledger', OTHER_KEY)).json.numbers).toEqual([]);
    expect(service.ledger(OTHER_KEY)).toEqual([]);
    expect(service.ledger(KEY)).toHaveLength(1);
    expect(service.ledger('unknown')).toEqual([]);
    expect(service.peak(KEY)).toBe(1);
    expect(service.peak(OTHER_KEY)).toBe(0);
  });

  it('answers 429 with Retry-After above the rate, per account, and recovers', async () => {
    const service = await aService({ rate: 2 });
    expect((await service.get('/v1/agents')).status).toBe(200);
    expect((await service.get('/v1/agents')).status).toBe(200);
    const refused = await service.dial(phone(0));
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json.error.code).toBe('rate_limited');
    expect(service.ledger()).toEqual([]);
    expect((await service.get('/v1/agents', OTHER_KEY)).status).toBe(200);
    expect((await service.get('/ledger')).status).toBe(200);
    await service.clock.advance(500);
    expect((await service.dial(phone(0))).status).toBe(201);
    expect((await service.get('/v1/agents')).status).toBe(429);
  });

  it('says how long to wait when the rate is below one a second', async () => {
    const service = await aService({ rate: 0.1 });
    expect((await service.get('/v1/agents')).status).toBe(200);
    expect((await service.get('/v1/agents')).headers['retry-after']).toBe('10');
  });

  it.each([
    ['text that is not JSON', '{"name":', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['nothing at all', '', 'application/json'],
    ['another media type', 'name=a', 'application/x-www-form-urlencoded'],
  ])('answers %s with 400 in the shape of every error', async (_, body, type) => {
    const service = await aService();
    const answer = await service.post('/v1/agents', body, { 'content-type': type });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      error: { code: anyText, message: anyText },
    });
  });

  it('refuses a body that is too large with 413', async () => {
    const service = await aService();
    const answer = await service.post('/v1/agents', `{"name":"${'a'.repeat(1_100_000)}"}`);
    expect(answer.status).toBe(413);
    expect(answer.json.error.code).toBe('body_too_large');
  });
});
