import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { runCommand } from '../../src/runtime/process.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { VirtualClock } from '../helpers/clock.ts';
import { until } from '../helpers/until.ts';

const PATH = process.env['PATH'] ?? '';
const options = (overrides: Partial<Parameters<typeof runCommand>[1]> = {}) => ({
  ...{ folder: tempFolder(), env: { PATH }, input: '{"a":1}\n', withinMs: 30_000 },
  clock: systemClock,
  ...overrides,
});

it('a command gets its input, its folder and its environment, and nothing more', async () => {
  const folder = tempFolder();
  const given = options({ folder, env: { PATH, CALLSHEET_TEXT: 'a b' } });
  const end = await runCommand(['sh', '-c', 'cat; pwd; echo "$CALLSHEET_TEXT$HOME" >&2'], given);
  expect(end).toMatchObject({ ok: true, why: '' });
  expect(end.output).toContain('{"a":1}\n');
  expect(end.output).toContain(`${folder}\n`);
  expect(end.output).toContain('a b\n');
});

it('a letter that arrives in two pieces is one letter', async () => {
  const script = "printf '\\303'; sleep 0.2; printf '\\251'";
  const { output } = await runCommand(['sh', '-c', script], options());
  expect(output).toBe('é');
});

it('no shell reads its words', async () => {
  const { output } = await runCommand(['echo', '$PATH; ls', '*'], options());
  expect(output).toBe('$PATH; ls *\n');
});

it('it has failed when it ends with another code than 0, by a signal, or cannot be started', async () => {
  const fail = async (...command: string[]) => (await runCommand(command, options())).why;
  expect(await fail('sh', '-c', 'exit 3')).toBe('it ended with exit code 3');
  expect(await fail('sh', '-c', 'kill -TERM $$')).toBe('it was ended by SIGTERM');
  expect(await fail('./no-such-program')).toBe('it could not be started (ENOENT)');
});

it('one that does not read its input may end well', async () => {
  const input = 'x'.repeat(1_000_000);
  expect(await runCommand(['true'], options({ input }))).toMatchObject({ ok: true });
});

it('it is killed when its time is over, with what it has started', async () => {
  const folder = tempFolder();
  const clock = new VirtualClock();
  // The inner shell writes its second file only if it outlives the first one's removal of the wait.
  const script =
    'sh -c "touch begun; while [ ! -e go ]; do sleep 0.02; done; touch survived" & wait';
  const running = runCommand(['sh', '-c', script], options({ folder, clock }));
  await until(() => existsSync(join(folder, 'begun')));
  await clock.advance(29_999);
  await clock.advance(1);
  expect(await running).toMatchObject({ ok: false, why: 'it was killed after 30 s' });
  const after = await runCommand(['sh', '-c', 'touch go; sleep 0.2; ls'], options({ folder }));
  expect(after.output).not.toContain('survived');
});

it('it is killed when callsheet ends, and not told as one that took too long', async () => {
  const folder = tempFolder();
  const stop = new AbortController();
  const given = options({ folder, signal: stop.signal });
  const running = runCommand(['sh', '-c', 'touch begun; sleep 100 & wait'], given);
  await until(() => existsSync(join(folder, 'begun')));
  stop.abort();
  expect(await running).toMatchObject({ ok: false, why: 'it was killed when callsheet ended' });
});

it('only the end of what it prints is kept', async () => {
  const { output } = await runCommand(['sh', '-c', 'seq 1 100000'], options());
  expect(output.length).toBe(4_096);
  expect(output.endsWith('100000\n')).toBe(true);
});

it('one that finds no free file descriptor is said, and ends nothing', async () => {
  const given = options();
  const held: number[] = [];
  expect(() => {
    for (;;) held.push(openSync('/dev/null', 'r'));
  }).toThrow('EMFILE');

  const end = await runCommand(['true'], given);

  // The folders of the test are removed at its end, which takes one.
  for (const file of held) closeSync(file);
  expect(end).toMatchObject({ why: 'it could not be started (EMFILE)' });
});

it.each([
  ['words that are too long', 'x'.repeat(3_000_000)],
  ['a word with a NUL', 'a\0b'],
])('a command of %s is a failure with its code, and not an exception', async (_, word) => {
  const options = { folder: tempFolder(), env: {}, input: '', withinMs: 30_000 };

  const end = await runCommand(['/bin/true', word], { ...options, clock: systemClock });

  expect(end).toMatchObject({
    ok: false,
    why: expect.stringMatching(/could not be started/) as string,
  });
});

it('a command that leaves a process with its outputs open has ended well', async () => {
  const options = {
    folder: tempFolder(),
    env: { PATH: '/usr/bin:/bin' },
    input: '',
    withinMs: 30_000,
  };

  const end = await runCommand(['/bin/sh', '-c', 'sleep 3 & echo done'], {
    ...options,
    clock: systemClock,
  });

  expect(end).toEqual({ ok: true, why: '', output: 'done\n' });
});
