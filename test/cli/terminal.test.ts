import { describe, expect, it } from 'vitest';
import { logOf } from '../../src/cli/options.ts';
import { dataStream } from '../../src/cli/terminal.ts';
import { fakeIo } from '../helpers/fake-io.ts';

const HOSTILE = 'Al\u009b2J\u202e\u2028\u007f';

describe('a log line', () => {
  it('has no sign that steers a terminal, and the same value', () => {
    const io = fakeIo({ cwd: '/' });
    logOf({ 'log-level': 'info' }, io).info('call.placed', { name: HOSTILE });
    expect(io.err()).not.toContain('\u009b');
    expect(io.err()).toContain(String.raw`"Al\u009b2J\u202e\u2028\u007f"`);
    expect(JSON.parse(io.err())).toMatchObject({ event: 'call.placed', name: HOSTILE });
  });
});

describe('a file that goes to stdout', () => {
  it('is the same bytes in a pipe', () => {
    const io = fakeIo({ cwd: '/' });
    expect(dataStream(io)).toBe(io.stdout);
  });

  it('is text without such signs on a terminal, also where a letter is cut in two', async () => {
    const io = fakeIo({ cwd: '/', stdoutIsTty: true });
    const stream = dataStream(io);
    const bytes = Buffer.from(`Zoë ${HOSTILE}\n`);
    stream.write(bytes.subarray(0, 3));
    await new Promise((resolve) => stream.write(bytes.subarray(3), resolve));
    expect(io.out()).toBe('Zoë Al\u{fffd}2J\u{fffd}\u{fffd}\u{fffd}\n');
  });
});
