import { describe, expect, it } from 'vitest';
import { anyText, aService, matching } from './service.ts';
import type { TestService } from './service.ts';

describe('agents', () => {
  it('starts every account with a demo agent', async () => {
    const service = await aService();
    const { data, has_more, next_cursor } = (await service.get('/v1/agents')).json;
    expect(data).toEqual([
      expect.objectContaining({ id: 'ag_demo', name: 'Demo agent', voice: null }),
    ]);
    expect({ has_more, next_cursor }).toEqual({ has_more: false, next_cursor: null });
  });

  it('stores what is created and lists it, the voice as it came', async () => {
    const service = await aService();
    const agent = {
      name: 'Renewals',
      systemPrompt: 'Ask about the renewal.',
      voice: { id: 'calm', speed: 1.1 },
    };
    const made = await service.post('/v1/agents', agent);
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      ...agent,
      id: matching(/^ag_[0-9a-f]{20}$/),
      created_at: '2026-01-05T15:00:00.000Z',
    });
    expect((await service.get('/v1/agents')).json.data[1]).toEqual(made.json);
  });

  it('gives pages of twenty, each agent once and in order', async () => {
    const service = await aService();
    await addAgents(service, 44);
    const pages = await allPages(service, '/v1/agents');
    expect(pages.map((page) => page.length)).toEqual([20, 20, 5]);
    expect(pages.flat()).toEqual(['Demo agent', ...names(44)]);
  });

  it('gives pages of the size asked for, and no empty last one', async () => {
    const service = await aService();
    await addAgents(service, 3);
    const pages = await allPages(service, '/v1/agents?limit=2');
    expect(pages).toEqual([
      ['Demo agent', 'Agent 1'],
      ['Agent 2', 'Agent 3'],
    ]);
  });

  it.each([
    ['limit=0', 422, 'limit'],
    ['limit=101', 422, 'limit'],
    ['limit=many', 400, 'limit'],
    ['cursor=nowhere', 400, 'cursor'],
  ])('refuses ?%s with %i and names the field', async (query, status, field) => {
    const service = await aService();
    const answer = await service.get(`/v1/agents?${query}`);
    expect(answer.status).toBe(status);
    expect(answer.json.error.field).toBe(field);
  });

  it.each([
    [{ systemPrompt: 'Be kind.' }, 422, 'name', 'name is required.'],
    [{ name: ' ', systemPrompt: 'Be kind.' }, 422, 'name', 'name is required.'],
    [{ name: 'A' }, 422, 'systemPrompt', 'systemPrompt is required.'],
    [{ name: 7, systemPrompt: 'Be kind.' }, 400, 'name', 'name has to be a string.'],
    [
      { name: 'A', systemPrompt: 'Be kind.', voice: 'calm' },
      400,
      'voice',
      'voice has to be an object.',
    ],
  ])('refuses the agent %j with %i, naming the field %s', async (body, status, field, message) => {
    const service = await aService();
    const answer = await service.post('/v1/agents', body);
    expect(answer.status).toBe(status);
    expect(answer.json.error).toEqual({ code: anyText, message, field });
    expect((await service.get('/v1/agents')).json.data).toHaveLength(1);
  });
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Agent ${index + 1}`);
}

async function addAgents(service: TestService, count: number): Promise<void> {
  for (const name of names(count)) {
    await service.post('/v1/agents', { name, systemPrompt: 'Be kind.' });
  }
}

async function allPages(service: TestService, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor = '';
  for (;;) {
    const separator = path.includes('?') ? '&' : '?';
    const next = cursor === '' ? path : `${path}${separator}cursor=${cursor}`;
    const { data, next_cursor, has_more } = (await service.get(next)).json;
    pages.push(data.map(({ name }) => name));
    expect(has_more).toBe(next_cursor !== null);
    if (next_cursor === null) return pages;
    cursor = next_cursor;
  }
}
