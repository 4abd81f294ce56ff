import { describe, expect, it } from 'vitest';
import { aScene, ME, type Scene } from '../helpers/campaign-run.ts';
import { refused } from '../helpers/services/service-double.ts';

const SHE = { ...ME, pid: 4_712 };
const RETRY_AFTER_MS = 30_000;

describe('Retry-After', () => {
  it('holds a runner that starts beside the one that was told', async () => {
    const scene = await aRefusedRun();

    const runs = [scene.start(), scene.start({ store: scene.openStore(), owner: SHE })];
    await scene.night.pass(Promise.all(runs));

    expectSilence(scene);
  });

  it('holds the run that starts after the one that was told was killed', async () => {
    const scene = await aRefusedRun();
    const killed = new AbortController();
    const first = scene.start({ stop: killed.signal });
    await scene.night.until(() => scene.notices.some(({ event }) => event === 'call.released'));
    killed.abort();
    await scene.night.pass(first);

    await scene.run({ store: scene.openStore(), owner: SHE });

    expectSilence(scene);
  });

  it('of more than two minutes ends the run, which says when it is worth coming again', async () => {
    const scene = await aScene({ leads: 2, dial: () => ({ answer: refused(10 * 60_000) }) });

    const end = await scene.run();

    const holdsUntil = Number(scene.service.dials[0]?.at) + 10 * 60_000;
    expect(end.dispatch).toBe('later');
    expect(Number(end.nextAt) - holdsUntil).toBeGreaterThanOrEqual(0);
    expect(Number(end.nextAt) - holdsUntil).toBeLessThan(1_000);
    // So does the run that was not told itself.
    const second = await scene.run({ store: scene.openStore(), owner: SHE });
    expect(second).toMatchObject({ dispatch: 'later' });
    expect(Math.abs(Number(second.nextAt) - Number(end.nextAt))).toBeLessThan(1_000);
  });
});

/** The first dial of all is refused. */
function aRefusedRun(): Promise<Scene> {
  return aScene({
    leads: 6,
    settings: { concurrency: 1, requests: 1 },
    dial: (_, n) => (n === 0 ? { answer: refused(RETRY_AFTER_MS) } : { talkMs: 200 }),
  });
}

function expectSilence({ service }: Scene): void {
  const [first, second] = service.dials;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(RETRY_AFTER_MS);
  expect(service.rings().size).toBe(6);
}
