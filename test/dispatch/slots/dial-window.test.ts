import { expect, it } from 'vitest';
import { DialWindow } from '../../../src/dispatch/service-gate.ts';
import { aScene } from '../../helpers/campaign-run.ts';
import { unknown } from '../../helpers/services/service-double.ts';

it('begins with one dial, allows one more for each answer, and begins again after a silence or a failure', () => {
  const window = new DialWindow();
  expect(window.at(0)).toBe(1);
  for (let n = 1; n <= 4; n++) window.answered(n * 100, 100);
  expect(window.at(500)).toBe(5);
  expect(window.at(2_400)).toBe(5);

  expect(window.at(2_401)).toBe(1);
  window.answered(2_500, 100);
  window.shrink();
  expect(window.at(2_500)).toBe(1);
});

it('waits longer for a service that takes long to answer', () => {
  const window = new DialWindow();
  window.answered(10_000, 10_000);

  expect([window.at(40_000), window.at(40_001)]).toEqual([2, 1]);
});

it('a service that fails during a silence has one dial to lose, not one for each free slot', async () => {
  const scene = await aScene({
    leads: 100,
    settings: { concurrency: 20, requests: 20 },
    // The calls of a wave end in one moment, and free 20 slots at once.
    dial: () => (isDown() ? { answer: unknown(410) } : { talkMs: endOfWave() - scene.clock.now() }),
  });
  const beganAt = scene.clock.now();
  const endOfWave = () => beganAt + Math.ceil((scene.clock.now() - beganAt + 1) / 8_000) * 8_000;
  const isDown = () => scene.clock.now() >= beganAt + 12_000;

  await scene.run();

  const failed = scene.service.dials.filter(({ at }) => at >= beganAt + 12_000);
  const [first] = failed;
  expect(failed.filter(({ at }) => at === first?.at)).toHaveLength(1);
});
