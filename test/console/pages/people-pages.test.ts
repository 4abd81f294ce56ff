import { describe, expect, it } from 'vitest';
import type { People } from '../../../src/console/contract/people.ts';
import {
  peoplePages,
  type PageAsked,
  type PersonRow,
} from '../../../src/console/pages/people/people-pages.ts';

describe('people whose number is known', () => {
  it('are read by the place of what is seen, wherever that is', async () => {
    const list = aList(5_000);
    const pages = peoplePages(list.read, list.changed);
    expect(pages.now().count).toBeUndefined();
    await list.answers();
    expect(pages.now().count).toBe(5_000);
    pages.see(2_590, 2_612);
    await list.answers(2);
    expect(list.asked).toEqual([{}, { at: 2_500 }, { at: 2_600 }]);
    expect(pages.now().row(2_611)?.id).toBe('1-2611');
    expect(pages.now().row(4_000)).toBeUndefined();
  });

  it('are not read where somebody only scrolled by', async () => {
    const list = aList(5_000);
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    for (let row = 0; row <= 4_000; row += 100) pages.see(row, row + 12);
    await list.answers();
    expect(list.asked).toEqual([{}, { at: 4_000 }]);
  });

  it('are not waited for any longer when somebody has scrolled on', async () => {
    const list = aList(5_000);
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    list.holdBack();
    pages.see(1_000, 1_012);
    await list.isAsked(2);
    pages.see(3_000, 3_012);
    await list.isAsked(3);
    expect(list.signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    await list.answers();
    expect(pages.now().row(1_000)).toBeUndefined();
    expect(pages.now().row(3_000)?.id).toBe('1-3000');
  });

  it('are forgotten when they are far from what is seen, and read anew', async () => {
    const list = aList(10_000);
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    for (let row = 100; row < 2_500; row += 100) {
      pages.see(row, row + 12);
      await list.answers();
    }
    expect(pages.now().row(2_400)).toBeDefined();
    expect(pages.now().row(1_000)).toBeDefined();
    expect(pages.now().row(0)).toBeUndefined();
    pages.see(0, 12);
    await list.answers();
    expect(pages.now().row(0)?.id).toBe('1-0');
  });

  it('are read again where they are seen when they may have changed, and stay until then', async () => {
    const list = aList(5_000);
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    pages.see(1_000, 1_012);
    await list.answers();
    list.size = 4_000;
    pages.refresh();
    expect(pages.now().row(1_000)).toBeDefined();
    await list.answers();
    expect(list.asked).toEqual([{}, { at: 1_000 }, { at: 1_000 }]);
    expect(pages.now().count).toBe(4_000);
  });

  it('are asked for once when that fails, and again when somebody says so', async () => {
    const list = aList(5_000);
    list.fails = true;
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    expect(pages.now().failure).toEqual(new Error('out of order'));
    pages.see(0, 12);
    list.fails = false;
    pages.refresh();
    await list.answers();
    expect([pages.now().failure, pages.now().count, list.asked.length]).toEqual([
      undefined,
      5_000,
      2,
    ]);
  });

  it('are nobody where nobody matches', async () => {
    const list = aList(0);
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    expect([pages.now().count, pages.now().hasMore]).toEqual([0, false]);
  });
});

describe('people whose number is not known', () => {
  it('are read page after page, by cursors, when more are asked for', async () => {
    const list = aList(230, { isCounted: false });
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    expect([pages.now().count, pages.now().total, pages.now().hasMore]).toEqual([100, null, true]);
    pages.more();
    await list.answers();
    pages.more();
    await list.answers();
    expect(list.asked).toEqual([{}, { after: '1:99' }, { after: '1:199' }]);
    expect([pages.now().count, pages.now().hasMore, pages.now().row(229)?.id]).toEqual([
      230,
      false,
      '1-229',
    ]);
  });

  it('are still in order when somebody among them does not match any more', async () => {
    const list = aList(230, { isCounted: false });
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    pages.more();
    await list.answers();
    expect(pages.now().count).toBe(200);
    pages.see(0, 12);
    list.first = 1;
    pages.refresh();
    await list.answers();
    expect([pages.now().count, pages.now().hasMore]).toEqual([100, true]);
    pages.more();
    await list.answers();
    expect(pages.now().row(99)?.id).toBe('1-100');
    expect(pages.now().row(100)?.id).toBe('1-101');
  });

  it('have no more to show where an end of the list was met', async () => {
    const list = aList(100, { isCounted: false });
    const pages = peoplePages(list.read, list.changed);
    await list.answers();
    expect([pages.now().count, pages.now().hasMore]).toEqual([100, false]);
  });
});

/** A list that is read as the API gives it, and notes what it is asked. */
function aList(size: number, { isCounted = true } = {}) {
  const asked: PageAsked[] = [];
  const signals: AbortSignal[] = [];
  let isHeldBack = false;
  const held: (() => void)[] = [];
  const wakes: (() => void)[] = [];
  let answered = 0;
  let awaited = 0;
  const wake = () => {
    for (const one of wakes.splice(0)) one();
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise<void>((resolve) => wakes.push(resolve));
  };
  const list = {
    size,
    /** The number of the first person. */
    first: 0,
    fails: false,
    asked,
    signals,
    read: async (page: PageAsked, signal: AbortSignal) => {
      asked.push(page);
      signals.push(signal);
      wake();
      if (isHeldBack) await new Promise<void>((resolve) => held.push(resolve));
      if (list.fails) throw new Error('out of order');
      return pageOf(list, page, isCounted);
    },
    changed: () => {
      answered += 1;
      wake();
    },
    holdBack: () => {
      isHeldBack = true;
    },
    isAsked: (times: number) => until(() => asked.length >= times),
    /** So many more answers have come. */
    answers: async (more = 1) => {
      isHeldBack = false;
      for (const give of held.splice(0)) give();
      awaited += more;
      await until(() => answered >= awaited);
    },
  };
  return list;
}

function pageOf(
  { size, first }: { size: number; first: number },
  page: PageAsked,
  isCounted: boolean,
): People {
  const at = 'at' in page ? page.at : 0;
  const start = 'after' in page ? Number(page.after.split(':')[1]) + 1 : first + at;
  const end = Math.min(first + size, start + 100);
  return {
    items: Array.from({ length: Math.max(0, end - start) }, (_, i) => personAt(start + i)),
    columns: ['phone'],
    total: isCounted ? size : null,
    at: isCounted ? start : null,
    next: end < first + size ? `1:${end - 1}` : null,
    previous: null,
  };
}

function personAt(line: number): PersonRow {
  return {
    ...{ id: `1-${line}`, phone: '+12125550100', name: null, cells: [], list: 1, line },
    ...{ state: 'waiting', result: null, reason: null, attempts: 0, zones: [], sentiment: null },
    ...{ durationSeconds: null, nextAttemptAt: null, lastAttemptAt: null },
  };
}
