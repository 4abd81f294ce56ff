import { expect, it } from 'vitest';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { aDesk, json, PHONES, RUN } from '../desk.ts';

it('calls made, refused, in doubt and not made are four numbers, the same in every face', async () => {
  const { at, service } = await aDesk({
    dial: ({ body }, callId) =>
      body['phone_number'] === PHONES[1]
        ? { status: 422, body: { error: 'not a phone' } }
        : body['phone_number'] === PHONES[2]
          ? { status: 503, body: { error: 'busy' } }
          : { body: { call_id: callId } },
  });
  const clock = hastyClock(5);
  const soon = ['--set', 'longestCall=1s', '--set', 'unknown.reconcileFor=1s'];
  await at.run([...RUN, '--concurrency', '1', ...soon], { clock });
  expect(service.dialled).toHaveLength(3);

  const counts = { made: 1, refused: 1, inDoubt: 1, notMade: 0 };
  const text = '1 call made, 1 refused, 1 in doubt, 0 not made';
  expect(await json(at, ['status', 'leads'])).toMatchObject({ dials: counts });
  expect((await at.run(['status', 'leads'])).err).toContain(text);
  expect(await json(at, ['report', '--by', 'night', 'leads'])).toMatchObject({
    items: [counts],
    totals: counts,
  });
  expect(await json(at, ['report', 'leads'])).toMatchObject({ figures: { calls: counts } });
  expect((await at.run(['report', 'leads'])).out).toContain(text);

  // The call may still be on the line until its longest length is over.
  const settle = ['resolve', 'leads', '--lead', PHONES[2] ?? '', '--as', 'not-placed'];
  await clock.sleep(2_000);
  expect((await at.run(settle, { clock })).err).not.toContain('still be on the line');

  const settled = { made: 1, refused: 1, inDoubt: 0, notMade: 1 };
  expect(await json(at, ['status', 'leads'])).toMatchObject({ dials: settled });
  expect(await json(at, ['report', '--by', 'night', 'leads'])).toMatchObject({
    items: [settled],
    totals: settled,
  });
  expect(await json(at, ['report', 'leads'])).toMatchObject({ figures: { calls: settled } });
});
