import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Draft } from '../../../src/console/contract/drafts.ts';
import type { Job } from '../../../src/console/contract/common.ts';
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
  const { id } = await console.json<Draft>('POST', '/api/v1/drafts', { uploads: [upload] });
  const path = `/api/v1/drafts/${id}`;
  const settings = { rules: 'always', 'polling.floor': '20ms' };
  await console.json('PATCH', path, { agent: 'ag_1', settings });
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
    const { id } = await console.json<Job>('POST', `${path}/start`, { start: true });
    const asking = await console.jobEnd(id);
    expect(asking).toMatchObject({ state: 'asking' });

    expect(await refusal('DELETE', path)).toMatchObject({ status: 409, code: 'DRAFT_STARTING' });
    const more = [upload, await send('more.csv', livePhone(2))];
    const added = await refusal('PATCH', path, { uploads: more });
    expect(added).toMatchObject({ status: 409, code: 'DRAFT_STARTING' });
    expect(isKept(upload)).toBe(true);

    expect(await console.jobEnd(id, ['yes'])).toMatchObject({ state: 'done' });
    expect(service.dialled).toEqual([livePhone(1)]);
    expect(isKept(more[1] ?? '')).toBe(true);
  });

  it('go with a draft whose start was not confirmed', async () => {
    const { console, upload, path, isKept } = await aDraft();
    const { id } = await console.json<Job>('POST', `${path}/start`, { start: true });
    expect(await console.jobEnd(id, ['no'])).toMatchObject({ state: 'failed' });
    await console.json('DELETE', path);
    expect(isKept(upload)).toBe(false);
  });

  it('are neither deleted nor taken as numbers to suppress', async () => {
    const { console, upload, path, refusal, isKept } = await aDraft();
    const taken = { status: 409, code: 'UPLOAD_TAKEN' };
    expect(await refusal('DELETE', `/api/v1/uploads/${upload}`)).toMatchObject(taken);
    const suppressed = await refusal('POST', '/api/v1/suppression/import', { upload });
    expect(suppressed).toMatchObject(taken);
    expect(isKept(upload)).toBe(true);

    await console.json('PATCH', path, { uploads: [] });
    await console.json('DELETE', `/api/v1/uploads/${upload}`);
    expect(isKept(upload)).toBe(false);
  });
});
