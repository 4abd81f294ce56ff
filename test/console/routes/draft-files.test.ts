import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Job } from '../../../src/views/jobs.ts';
import { startTestConsole } from '../../helpers/console.ts';
import { leadTo, LIVE, livePhone } from '../../helpers/services/live-service.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

/** A console at a live service, and a draft of one list with that service and an agent. */
async function aDraft() {
  const service = await voiceServer();
  const env = { VOICE_API_URL: LIVE, VOICE_API_KEY: 'k' };
  const console = await startTestConsole({ io: { env, connect: leadTo({ [LIVE]: service.url }) } });
  onTestFinished(console.close);
  const send = async (name: string, phone: string) => {
    const answer = await fetch(`${console.url}/api/v1/uploads?name=${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
      body: `phone\n${phone}\n`,
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const upload = await send('spring.csv', livePhone(1));
  await console.json('POST', '/api/v1/campaigns', { uploads: [upload] });
  const path = '/api/v1/campaigns/spring';
  const set = { agent: 'ag_1', rules: 'always', 'polling.floor': '20ms' };
  await console.json('PATCH', `${path}/settings`, { set });
  const refusal = async (method: string, address: string, body?: unknown) => {
    const answer = await console.ask(method, address, body);
    return { status: answer.status, ...((await answer.json()) as { code?: string }) };
  };
  const isKept = (id: string) => readdirSync(join(console.folder, 'data', 'uploads')).includes(id);
  return { console, service, send, upload, path, refusal, isKept };
}

describe('the lists of a new campaign', () => {
  it('stay while a campaign is made of them, and are all that it gets', async () => {
    const { console, service, send, upload, path, refusal, isKept } = await aDraft();
    const { id } = await console.json<Job>('POST', `${path}/start`, {});
    const asking = await console.jobEnd(id);
    expect(asking).toMatchObject({ state: 'asking' });

    const starting = { status: 409, code: 'DRAFT_STARTING' };
    expect(await refusal('DELETE', path)).toMatchObject(starting);
    const more = await send('more.csv', livePhone(2));
    const added = await refusal('POST', `${path}/lists`, { uploads: [more] });
    expect(added).toMatchObject(starting);
    expect(isKept(upload)).toBe(true);

    expect(await console.jobEnd(id, ['yes'])).toMatchObject({ state: 'done' });
    expect(service.dialled).toEqual([livePhone(1)]);
    expect(isKept(upload)).toBe(false);
    expect(isKept(more)).toBe(true);
  });

  it('go with a draft whose start was not confirmed', async () => {
    const { console, upload, path, isKept } = await aDraft();
    const { id } = await console.json<Job>('POST', `${path}/start`, {});
    expect(await console.jobEnd(id, ['no'])).toMatchObject({ state: 'failed' });
    expect(await console.json('GET', path)).toMatchObject({ state: 'draft' });
    await console.json('DELETE', path);
    expect(isKept(upload)).toBe(false);
  });

  it('are neither deleted nor taken as numbers to suppress', async () => {
    const { upload, refusal, isKept } = await aDraft();
    const gone = { status: 404, code: 'UPLOAD_UNKNOWN' };
    expect(await refusal('DELETE', `/api/v1/uploads/${upload}`)).toMatchObject(gone);
    const suppressed = await refusal('POST', '/api/v1/suppression/import', { upload });
    expect(suppressed).toMatchObject(gone);
    expect(isKept(upload)).toBe(true);
  });
});
