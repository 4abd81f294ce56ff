import { expect, it } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import { aScene } from '../helpers/campaign-run.ts';
import { neverSent } from '../helpers/services/service-double.ts';

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
