import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { Send, sendPermit } from '../../src/service/send-permit.ts';

const OPTIONS = { origin: 'http://127.0.0.1', path: '/', method: 'POST' as const };

test('a request that the transport wants to start a second time is stopped, and stays started', () => {
  const started: number[] = [];
  const aborted: Error[] = [];
  const controller = {
    abort: (error: Error) => aborted.push(error),
  } as unknown as Dispatcher.DispatchController;
  const send = new Send(() => true);
  const dispatch = sendPermit(
    () => 0,
    1_000,
  )((_options, handler) => {
    handler.onRequestStart?.(controller, {});
    handler.onRequestStart?.(controller, {});
    return true;
  });
  const options: Dispatcher.RequestOptions<Send> = { ...OPTIONS, opaque: send };
  dispatch(options, { onRequestStart: () => started.push(1) });
  expect(started).toEqual([1]);
  expect(aborted.map(String)).toEqual(['Error: a dial is sent once, and this one was sent']);
  expect(send.state).toBe('started');
});

test('a request without a permit is not dispatched', () => {
  const dispatch = sendPermit(() => 0, 1_000)(() => true);
  expect(() => dispatch(OPTIONS, {})).toThrow('a dial without its permit');
});
