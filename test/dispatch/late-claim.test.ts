import { expect, it } from 'vitest';
import type { ClaimRequest } from '../../src/store/port.ts';
import { aScene } from '../helpers/campaign-run.ts';

it('a claim that took longer than its permit is given back, and nobody is dialled for it', async () => {
  const scene = await aScene({ leads: 3, settings: { concurrency: 1, requests: 1 } });
  const startedAt = scene.clock.now();
  let claims = 0;
  const store = {
    ...scene.store,
    claim: async (request: ClaimRequest) => {
      const given = await scene.store.claim(request);
      // Another process held the database, or this one was stopped, after the leads were chosen.
      if (++claims === 1) await scene.clock.sleep(5_001);
      return given;
    },
  };

  await scene.run({ store });

  expect(scene.notices.filter(({ event }) => event === 'call.released')).toHaveLength(1);
  expect(scene.service.dials.map(({ phone }) => phone).toSorted()).toEqual(
    (await scene.rows()).map(({ phone }) => phone).toSorted(),
  );
  expect(scene.service.dials.every(({ at }) => at > startedAt + 5_000)).toBe(true);
});
