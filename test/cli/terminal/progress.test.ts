import { describe, expect, it } from 'vitest';
import { fitted, listProgress, partsOf } from '../../../src/cli/terminal/progress.ts';
import { fakeIo } from '../../helpers/fake-io.ts';

const lineOf = (...given: Parameters<typeof partsOf>) => partsOf(...given).join(', ');

/** Nothing is called yet. */
const NOTHING = { done: 0, calling: 0, held: 0, waiting: 20_000, unknown: 0 };

describe('the progress of a run', () => {
  it('is one line with thousands set apart', () => {
    expect(lineOf(NOTHING, 0)).toBe('0 done, 0 in progress, 20,000 waiting');
    const progress = {
      ...NOTHING,
      done: 4_000,
      calling: 100,
      held: 90,
      waiting: 15_900,
      unknown: 2,
    };
    expect(lineOf(progress, 1_600)).toBe(
      '4,000 done, 90 in progress, 10 results to come, 15,900 waiting, 2 in doubt, 1,600/min, about 10 min left',
    );
  });

  it.each([
    [8, '8 s'],
    [1_600, '27 min'],
    [30_000, '8.3 h'],
  ])('tells how long %i calls at 60 a minute take: %s', (waiting, left) => {
    expect(lineOf({ ...NOTHING, waiting }, 60)).toContain(`about ${left} left`);
  });

  it.each([
    [60, '60/min'],
    [0.7, '1/min'],
    [0.4, 'one in 3 min'],
    [0.001, 'one in 16.7 h'],
  ])('says %d calls a minute as %s', (perMinute, rate) => {
    const parts = partsOf({ ...NOTHING, waiting: 2 }, perMinute);
    expect(parts.slice(0, -1)).toEqual(['0 done', '0 in progress', '2 waiting', rate]);
    expect(fitted(parts, 30)).not.toContain(rate);
  });

  it('leaves out whole parts where a window is too narrow for it, the least important first', () => {
    const progress = { done: 14, calling: 9, held: 5, waiting: 77, unknown: 1 };
    const parts = partsOf(progress, 84);
    expect(fitted(parts, 91)).toBe(
      '14 done, 5 in progress, 4 results to come, 77 waiting, 1 in doubt, 84/min, about 1 min left',
    );
    expect(fitted(parts, 79)).toBe(
      '14 done, 5 in progress, 77 waiting, 1 in doubt, 84/min, about 1 min left',
    );
    expect(fitted(parts, 64)).toBe(
      '14 done, 5 in progress, 77 waiting, 1 in doubt, about 1 min left',
    );
    expect(fitted(parts, 20)).toBe('14 done, 77 waiting');
    expect(fitted(parts, 1)).toBe('14 done');
  });
});

describe('the progress of a long list', () => {
  it('is a bar drawn over itself, which leaves nothing behind', () => {
    const io = fakeIo({ cwd: '/', stderrIsTty: true });
    const bar = listProgress(io, 'Reading leads.csv');
    bar.onProgress({ done: 5_000, total: 20_000 });
    expect(io.err()).toBe(
      '\x1b[?25l\r\x1b[2K=====--------------- 25% Reading leads.csv: 5,000 of 20,000 rows',
    );
    bar.onProgress({ done: 20_001, total: 20_000 });
    expect(io.err().split('\r').at(-1)).toContain(`\x1b[2K${'='.repeat(20)} 100% `);
    bar.stop();
    bar.onProgress({ done: 20_001, total: 20_000 });
    expect(io.err().endsWith('\x1b[?25h\r\x1b[2K')).toBe(true);
  });

  it('is not drawn for a short list, nor off a terminal', () => {
    const io = fakeIo({ cwd: '/', stderrIsTty: true });
    listProgress(io, 'Reading leads.csv').onProgress({ done: 1, total: 19_999 });
    const pipe = fakeIo({ cwd: '/' });
    listProgress(pipe, 'Reading leads.csv').onProgress({ done: 1, total: 20_000 });
    expect([io.err(), pipe.err()]).toEqual(['', '']);
  });

  it('has no sign of a file name that steers a terminal', () => {
    const io = fakeIo({ cwd: '/', stderrIsTty: true });
    listProgress(io, 'a\u009b2J.csv').onProgress({ done: 1, total: 20_000 });
    expect(io.err()).not.toContain('\u009b');
  });
});
