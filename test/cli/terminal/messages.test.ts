import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { type CommandRow, defineCommand } from '../../../src/cli/args/command.ts';
import { messageOptions, messagesOf } from '../../../src/cli/args/options.ts';
import { countLeads, foldNotices, type RunWatch } from '../../../src/app/run/run-events.ts';
import { tellNotice } from '../../../src/app/sentences/notices.ts';
import { watchRun } from '../../../src/cli/terminal/stop.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { Campaign, Store } from '../../../src/store/port.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeIo, fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

const HOUR_MS = 3_600_000;

describe('a log file named after the day', () => {
  const over = async (rolls: boolean) => {
    const cwd = tempFolder();
    const clock = new VirtualClock();
    const io = fakeIo({ cwd, clock });
    const messages = messagesOf({ logFile: 'n-{date}.log' }, rolls, () => undefined, io);
    messages.keep('evening');
    await clock.advance(14 * HOUR_MS);
    messages.keep('after midnight');
    return readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), 'utf8')]);
  };

  it('is that of the evening for a run over midnight', async () => {
    expect(await over(false)).toEqual([
      ['n-2026-01-05.log', expect.stringMatching(/evening\n2026-01-06T.*after midnight\n$/)],
    ]);
  });

  it('is another one each day for a program that stays', async () => {
    expect(await over(true)).toEqual([
      ['n-2026-01-05.log', expect.stringMatching(/^2026-01-05T10:00:00-05:00 \[.*\] evening\n$/)],
      ['n-2026-01-06.log', expect.stringMatching(/^2026-01-06T00:00:00-05:00 .*midnight\n$/)],
    ]);
  });
});

it('a defect says where it happened in the log file, and names the file', async () => {
  const cwd = tempFolder();
  const io = fakeIo({ cwd });
  const command = defineCommand({
    arguments: {},
    options: messageOptions,
    examples: [['fail', 'fails']],
    run: () => Promise.reject(new TypeError('x is not a function')),
  });
  const row: CommandRow = {
    ...{ name: 'fail', usage: 'fail', group: 'Run', describe: 'fails' },
    load: async () => command,
  };
  expect(await main(['fail', '--log-file', 'a.log'], io, [row])).toBe(1);
  expect(io.err()).toContain(`next: ${join(cwd, 'a.log')} says where it happened`);
  expect(io.err()).not.toContain('messages.test.ts');
  const kept = readFileSync(join(cwd, 'a.log'), 'utf8');
  expect(kept).toContain('Something unexpected happened: x is not a function');
  expect(kept).toMatch(/\] TypeError: x is not a function\n.*\] {5}at .*messages\.test\.ts/);
});

describe('equal messages', () => {
  const telling = () => {
    const clock = new VirtualClock();
    const told: string[] = [];
    const log = createLog('silent', { write: () => undefined });
    const tell = (sentence: string, kind: string) => told.push(`${kind}: ${sentence}`);
    const onEvent: RunWatch['onEvent'] = (event) => {
      if (event.is === 'notice') tellNotice(event, 'spring', tell);
    };
    return { clock, told, ...foldNotices(log, onEvent, clock) };
  };
  const lose = (detail: string) => ({ event: 'call.unknown', attempt: 'a', detail }) as const;

  it('are told as one with their count, after the first, and rarer the longer it goes on', async () => {
    const { clock, told, notify, flush } = telling();
    for (let i = 1; i <= 38; i++) notify(lose(`timeout ${i}`));
    expect(told).toEqual(['problem: The answer of a call was lost: timeout 1.']);
    await clock.advance(60_000);
    expect(told[1]).toBe('problem: The answer of a call was lost: timeout 38. (37 more times)');
    await clock.advance(60_000);
    notify(lose('timeout 39'));
    await clock.advance(59_999);
    expect(told).toHaveLength(2);
    await clock.advance(1);
    expect(told[2]).toBe('problem: The answer of a call was lost: timeout 39. (1 more time)');
    notify(lose('timeout 40'));
    flush();
    expect(told).toHaveLength(4);
    expect(clock.sleeping).toBe(0);
  });

  it('are told at once again when they had ceased', async () => {
    const { clock, told, notify } = telling();
    notify({ event: 'service.full' });
    await clock.advance(60_000);
    notify({ event: 'service.full' });
    expect(told).toHaveLength(2);
    notify({ event: 'service.full' });
    notify({ event: 'slots.shrunk', limit: 4 });
    notify({ event: 'slots.shrunk', limit: 2 });
    await clock.advance(60_000);
    expect(told.slice(3)).toEqual([
      'told: The service says that it has no slot free: no new call until it has one. (1 more time)',
      expect.stringContaining('2 slots in use until it takes calls again. (1 more time)'),
    ]);
  });

  it('say what is the case now one by one', () => {
    const { told, notify } = telling();
    for (let i = 0; i < 2; i++) {
      notify({ event: 'breaker.opened', detail: 'HTTP 503' });
      notify({ event: 'breaker.closed' });
    }
    expect(told).toHaveLength(4);
  });
});

it('progress is written once a minute off a terminal', async () => {
  const clock = new VirtualClock();
  const io = fakeWorld({ cwd: '/', clock });
  let done = 0;
  const store = {
    progress: async () => {
      done += 1;
      return { total: 99, done, calling: 1, held: 1, waiting: 99 - done, unknown: 0, doubts: 0 };
    },
  } as unknown as Store;
  const settings = { concurrency: 1, timezone: 'UTC' };
  const campaign = { id: 'c', kind: 'list', name: 'spring', settings } as unknown as Campaign;
  const watch = watchRun(io);
  watch.onEvent({ is: 'begun', campaign, bounds: null });
  const counting = countLeads(store, campaign, watch, io);
  await clock.advance(0);
  await clock.advance(59_000);
  expect(io.err().match(/done/g)).toHaveLength(1);
  await clock.advance(62_000);
  expect(io.err().match(/done/g)).toHaveLength(3);
  await counting.stop();
  expect(io.err().match(/done/g)).toHaveLength(4);
});
