import { describe, expect, it } from 'vitest';
import { logOf } from '../../../src/cli/args/options.ts';
import { printProblem, say } from '../../../src/cli/terminal/output.ts';
import { dataStream } from '../../../src/cli/terminal/terminal.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import { fakeIo } from '../../helpers/fake-io.ts';

const HOSTILE = 'Al\u009b2J\u202e\u2028\u007f';

describe('a sentence', () => {
  it('stays one line, whatever names are in it', () => {
    const io = fakeIo({ cwd: '/' });
    say(io, 'Campaign "Al\ncallsheet: forged\u2028too" waits.');
    expect(io.err()).toBe('Campaign "Al callsheet: forged too" waits.\n');
  });

  it('keeps the lines of an error apart from those that are forged in it', () => {
    const io = fakeIo({ cwd: '/' });
    const error = new AppError('X', ['Two problems:', 'Al\n  next: forged', 'Bo'], {
      hint: 'Mend\nit.',
    });
    printProblem(io, error, { json: false, debug: false });
    expect(io.err()).toBe('callsheet: Two problems:\n  Al   next: forged\n  Bo\n  next: mend it\n');
  });
});

describe('a log line', () => {
  it('has no sign that steers a terminal, and the same value', () => {
    const io = fakeIo({ cwd: '/' });
    logOf({ logLevel: 'info', json: false }, io).info('call.placed', { name: HOSTILE });
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
