import { expect, it } from 'vitest';
import { talked } from '../helpers/services/voice-server.ts';
import { aDeskFor } from './moments.ts';

/** Area code 850 of Florida lies in two zones: New York's, and Chicago's, in which it is an hour earlier. */
const [CHICAGO, FLORIDA] = ['+13125550200', '+18505550200'];

it.each([
  {
    title: 'at their time, also within the least time between two calls',
    ...{ phone: CHICAGO, asked: '2026-12-01T15:30' },
    ...{ tooEarly: '2026-12-01T15:15-06:00', inTime: '2026-12-01T15:31-06:00' },
  },
  {
    title: 'when it is that time in both zones of their area code',
    ...{ phone: FLORIDA, asked: '2026-12-01T17:30' },
    ...{ tooEarly: '2026-12-01T18:15-05:00', inTime: '2026-12-01T18:31-05:00' },
  },
  {
    title: 'as near to it as the hours of both zones allow',
    ...{ phone: FLORIDA, asked: '2026-12-01T20:30' },
    ...{ tooEarly: '2026-12-01T20:30-05:00', inTime: '2026-12-01T20:46-05:00' },
  },
])('a person is called back $title', async ({ phone, asked, tooEarly, inTime }) => {
  const { rung, callAt } = await aDeskOf(phone, asked);
  await callAt('2026-12-01T15:00-06:00');
  await callAt(tooEarly);
  expect(rung()).toEqual([phone]);
  await callAt(inTime);
  expect(rung()).toEqual([phone, phone]);
});

it('a callback that hours move says so', async () => {
  const { at, callAt } = await aDeskOf(CHICAGO, '2026-12-01T23:30');
  await callAt('2026-12-01T15:00-06:00');

  const { out } = await at.run(['explain', CHICAGO, '--db', 'calls.db']);

  expect(out).toMatch(/asked to be called again at "2026-12-01T23:30", held by daily: outside/);
});

/** Somebody at a live service who asks in each talk to be called again. */
function aDeskOf(phone: string, asked: string) {
  const analytics = () => ({ body: { ...talked(phone), callback_at: asked } });
  return aDeskFor(phone, { analytics }, ['retry.attempts=2', 'retry.gap=9h']);
}
