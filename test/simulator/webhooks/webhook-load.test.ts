import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../helpers/until.ts';
import { aReceiver } from './receiver.ts';
import { aService, phone } from '../service.ts';

/** More than are sent at once. */
const MANY = 40;
const AT_ONCE = 32;

it('many events are on their way at once without a warning, and the rest follows', async () => {
  const warnings: string[] = [];
  const listen = (warning: Error) => warnings.push(warning.name);
  process.on('warning', listen);
  onTestFinished(() => {
    process.off('warning', listen);
  });
  const receiver = await aReceiver();
  receiver.answers = Array.from({ length: AT_ONCE }, () => 'hold' as const);
  const webhooks = { url: receiver.url, secret: null };
  const service = await aService({ fixedCallMs: 10_000, webhooks });

  for (let index = 0; index < MANY; index++) await service.dial(phone(index));
  await service.clock.advance(10_000);
  await until(() => receiver.got.length === AT_ONCE);
  receiver.release();
  await until(() => receiver.got.length === MANY);

  expect(warnings).toEqual([]);
});
