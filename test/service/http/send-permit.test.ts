import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import type { HttpAnswer } from '../../../src/service/http/exchange.ts';
import { DialExchange, Send } from '../../../src/service/http/send-permit.ts';
import { VirtualClock } from '../../helpers/clock.ts';

test('a request that the transport wants to start a second time is stopped, and stays started', () => {
  const { exchange, controller, send, aborted } = dial();
  exchange.onRequestStart(controller);
  expect(aborted).toEqual([]);
  exchange.onRequestStart(controller);
  expect(aborted.map(String)).toEqual(['Error: a dial is sent once, and this one was sent']);
  expect(send.state).toBe('started');
});

test('an answer that drips for longer than it may is given up', async () => {
  const { exchange, controller, aborted, clock } = dial();
  await clock.advance(5_000);
  exchange.onRequestStart(controller);
  await clock.advance(999);
  exchange.onResponseData(controller, Buffer.from('{'));
  expect(aborted).toEqual([]);
  await clock.advance(1);
  expect(aborted.map(String)).toEqual(['Error: the answer was not here in full within 1 s']);
});

test('an answer that is here leaves nothing behind that would still run', () => {
  const { exchange, controller, aborted, clock } = dial();
  exchange.onRequestStart(controller);
  expect(clock.sleeping).toBe(1);
  exchange.onResponseStart(controller, 200, {});
  exchange.onResponseEnd();
  expect(clock.sleeping).toBe(0);
  expect(aborted).toEqual([]);
});

test('an answer that broke off tells its status, what came of it and why', () => {
  const { exchange, controller, answers } = dial();
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, 201, { 'retry-after': '3' });
  exchange.onResponseData(controller, Buffer.from('\uFEFF{"call_id": "c1"'));
  const brokeOff = new Error('other side closed');
  exchange.onResponseError(controller, brokeOff);
  expect(answers).toEqual([
    { status: 201, retryAfter: '3', link: undefined, text: '{"call_id": "c1"', brokeOff },
  ]);
});

/** A dial that is given its answer by hand, and 1,000 ms for it. */
function dial() {
  const clock = new VirtualClock();
  const aborted: Error[] = [];
  const answers: HttpAnswer[] = [];
  const controller = {
    abort: (error: Error) => aborted.push(error),
  } as unknown as Dispatcher.DispatchController;
  const send = new Send(() => true);
  const exchange = new DialExchange({
    resolve: (answer) => answers.push(answer),
    reject: (error) => aborted.push(error),
    send,
    clock,
    withinMs: 1_000,
    mask: (text) => text,
  });
  return { exchange, controller, send, aborted, answers, clock };
}
