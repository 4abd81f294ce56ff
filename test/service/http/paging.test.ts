import { expect, test } from 'vitest';
import { followPages, type ReadPage } from '../../../src/service/http/paging.ts';
import { PROFILE } from '../helpers.ts';
import { VirtualClock } from '../../helpers/clock.ts';

/** How many pages are read of a list whose page links to the next as told, and whether that was all. */
async function follow(
  linkOf: (number: number) => string,
  { mostPages = 1_000, text = '', clock = new VirtualClock(), pauseMs = 0 } = {},
) {
  let read = 0;
  const isWhole = await followPages(
    { rules: PROFILE.agents.list, base: new URL('https://voice.example/agents'), clock, mostPages },
    async (): Promise<ReadPage> => {
      read += 1;
      if (read > 1) await clock.advance(pauseMs);
      const items = [{ id: read }];
      const linkHeader = undefined;
      return { answer: { data: items, next: linkOf(read) }, items, linkHeader, text };
    },
    () => true,
  );
  return { read, isWhole };
}

const onwards = (number: number) => `/agents?page=${number + 1}`;

test('a list is followed until a page comes again, or there are too many of them', async () => {
  expect(await follow(() => '/agents?page=2', { mostPages: 3 })).toEqual({
    read: 2,
    isWhole: false,
  });
  expect(await follow(onwards, { mostPages: 3 })).toEqual({ read: 3, isWhole: false });
});

test('a list is followed for five minutes, however few its pages', async () => {
  expect(await follow(onwards, { mostPages: 4, pauseMs: 100_000 })).toEqual({
    read: 4,
    isWhole: false,
  });
  expect(await follow(onwards, { mostPages: 9, pauseMs: 100_001 })).toEqual({
    read: 4,
    isWhole: false,
  });
});

test('a list is followed until its pages fill 64 MB', async () => {
  const text = ' '.repeat(4_194_304);
  expect(await follow(onwards, { text })).toEqual({ read: 17, isWhole: false });
});
