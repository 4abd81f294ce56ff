import { expect, it } from 'vitest';
import type { ClaimRequest, Store } from '../../src/store/port.ts';
import { aScene } from '../helpers/campaign-run.ts';
import { neverSent } from '../helpers/services/service-double.ts';

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

it('a run does not end because nobody waited while the last dial was in flight: it may be given back', async () => {
  let tries = 0;
  const scene = await aScene({
    leads: 1,
    settings: { concurrency: 2, requests: 2 },
    dial: () => (++tries === 1 ? { connectMs: 700, answer: neverSent('permit') } : {}),
  });
  // The claim of half a second looks while the dial is in flight, and is answered after that is over.
  const claim: Store['claim'] = async (request) => {
    const answer = await scene.store.claim(request);
    if (answer.intents.length === 0) await scene.clock.sleep(1_000);
    return answer;
  };
  const store = new Proxy(scene.store, {
    get: (target, name) => (name === 'claim' ? claim : (Reflect.get(target, name) as unknown)),
  });

  const end = await scene.run({ store });

  expect(end.dispatch).toBe('none_waiting');
  expect(scene.service.rings().size).toBe(1);
  expect((await scene.rows())[0]).toMatchObject({ result: 'answered', attempts: 1 });
});
