import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { runCampaign } from '../../../src/run-campaign.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { aScene } from '../../helpers/campaign-run.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { connect, fakeService } from '../../service/helpers.ts';
import type { FakeService } from '../../service/helpers.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Calls that a service takes and does not begin, or begins much later, over HTTP. */

test('a conversation that stays initiated, and of which nothing is ever told, ends with the longest call', async () => {
  const clock = hastyClock(600);
  const initiated = {
    status: 'initiated',
    transcript: [],
    metadata: { call_duration_secs: 0, phone_call: { type: 'twilio' } },
  };
  const { end, rows } = await runAgainst('elevenlabs', clock, { deadlineMs: DAY_MS }, ({ url }) => {
    if (url.endsWith('/outbound-call')) {
      return { success: true, message: 'Success', conversation_id: 'conv_1', callSid: 'CA1' };
    }
    if (url.includes('/conversations/')) return { ...initiated, conversation_id: 'conv_1' };
    const conversations = [{ conversation_id: 'conv_1', status: 'initiated' }];
    return { conversations, has_more: false, next_cursor: null };
  });
  expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
  expect(rows).toMatchObject([{ state: 'done', result: 'no_result' }]);
});

test('a call that the service has put off is read when it is made, long after the deadline of others', async () => {
  const clock = hastyClock(600);
  const beginsAt = clock.now() + 12 * MINUTE_MS;
  const times = { scheduled_at: isoOf(beginsAt), updated_at: isoOf(clock.now()) };
  const { end, rows } = await runAgainst(
    'bolna',
    clock,
    { deadlineMs: 3 * MINUTE_MS },
    ({ method }) => {
      if (method === 'POST') return { message: 'done', status: 'queued', execution_id: 'e1' };
      const late = clock.now() - beginsAt;
      if (late < 0) return { id: 'e1', status: 'rescheduled', ...times };
      if (late < MINUTE_MS / 2) return { id: 'e1', status: 'in-progress' };
      const transcript = 'assistant: Hello?\nuser: Yes.\n';
      return { id: 'e1', status: 'completed', conversation_duration: 20, transcript };
    },
  );
  expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
  expect(rows).toMatchObject([{ state: 'done', result: 'answered' }]);
});

test('an execution that stays in line ends with the longest call', async () => {
  const clock = hastyClock(600);
  const { end, rows } = await runAgainst('bolna', clock, { deadlineMs: DAY_MS }, ({ method }) =>
    method === 'POST'
      ? { message: 'done', status: 'queued', execution_id: 'e1' }
      : { id: 'e1', status: 'queued' },
  );
  expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
  expect(rows).toMatchObject([{ state: 'done', result: 'no_result' }]);
});

type Asked = FakeService['requests'][number];

/** Runs one person against a service that answers like this; no call lasts longer than a minute. */
async function runAgainst(
  name: string,
  clock: Clock,
  { deadlineMs }: Pick<CampaignSettings['polling'], 'deadlineMs'>,
  answer: (request: Asked) => object,
) {
  const path = `campaigns/profiles/${name}.yaml`;
  const profile = loadProfile(readFileSync(path, 'utf8'), path);
  const api = await fakeService((request) => ({
    // Bolna is asked before every dial how many it takes.
    body: request.url === '/user/me' ? { concurrency: { max: 5, current: 0 } } : answer(request),
  }));
  onTestFinished(() => api.stop());
  const service = connect(api.url, { profile, from: '+12125550199' });
  onTestFinished(() => service.close());
  const polling = { floorMs: 1_000, ceilingMs: 10_000, deadlineMs };
  const scene = await aScene({ leads: 1, settings: { polling, longestCallMs: MINUTE_MS } });
  const at = { dialAt: { service, maxCalls: null }, collectFrom: [service], clock };
  const end = await runCampaign(scene.options(at));
  return { end, rows: await scene.rows() };
}

function isoOf(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00');
}
