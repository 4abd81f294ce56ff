import { expect, it } from 'vitest';
import { createInbox } from '../../../src/collect/inbox/inbox.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import type { Notice } from '../../../src/runtime/log.ts';
import { until } from '../../helpers/until.ts';
import { PROFILE_TEXT } from '../../service/helpers.ts';
import { aDesk, claimOne, placed, stateOf } from './inbox-desk.ts';

const LEAD = { email: 'ann@example.com' };

it('a captured lead that was not understood is told, and read again once the profile is mended', async () => {
  const { scene, inbox, put } = await aDesk();
  const other = { receivedAt: 0, headers: {}, body: Buffer.from('?'), signed: true };
  await scene.store.inboxPut({ ...other, id: 'dlv_other', service: 'other', key: 'other' });
  await scene.store.decideDeliveries([
    {
      ...{ id: 'dlv_other', at: 0, state: 'unknown', reason: null, type: null, callId: null },
      ...{ attemptKey: null, attemptId: null, tryAt: null, lead: null },
    },
  ]);
  const intent = await claimOne(scene);
  await scene.store.recordDial(intent.attemptId, placed('call_1'));
  const id = await put({ type: 'prospect_found', data: { call_id: 'call_1', lead: LEAD } });
  const notices: Notice[] = [];
  /** What `serve` does, begun with this profile, until the delivery is in this state. */
  const serve = async (profile: string, state: string) => {
    const protocol = createDeliveryProtocol(loadProfile(profile, 'mine.yaml'), []);
    if (protocol === null) throw new Error('it has webhooks');
    const stopping = new AbortController();
    const running = createInbox({
      store: scene.store,
      service: { name: 'main', readAnalytics: () => Promise.reject(new Error('nothing is read')) },
      protocol,
      feed: new Map(),
      clock: scene.clock,
      notify: (notice) => notices.push(notice),
    }).run(stopping.signal);
    await until(async () => (await stateOf(scene, id))?.state === state);
    stopping.abort();
    await running;
  };

  await serve(PROFILE_TEXT, 'unknown');
  expect(notices).toEqual([
    { event: 'word.unknown', of: 'event', word: 'prospect_found', as: 'ended' },
  ]);

  // Not only the newest ones.
  const newer = Array.from({ length: 1_000 }, (_, n) =>
    put({ type: 'prospect_found', data: { n } }),
  );
  await Promise.all(newer);
  await until(async () => {
    await inbox.runOnce();
    return (await stateOf(scene, (await newer.at(-1)) ?? ''))?.state === 'unknown';
  });
  await serve(
    PROFILE_TEXT.replace('new.lead: lead_captured', 'prospect_found: lead_captured'),
    'applied',
  );
  const [captured] = await scene.store.capturedLeads(scene.campaign.id, null, 10);
  expect(captured).toMatchObject({ fields: LEAD });
  // Another service's inbox reads it, if it is served.
  expect(await stateOf(scene, 'dlv_other')).toMatchObject({ state: 'unknown' });
});
