import { expect, it } from 'vitest';

interface Ring {
  rang_at: string;
  ended_at: string;
}
interface Found {
  ledger: { numbers: { phone_number: string; rings: Ring[] }[] };
  campaigns: { name: string; weight: number; phones: string[] }[];
  maxCalls: number;
  calls: number;
}
interface Judged {
  violations: string[];
  shares: { name: string; calls: number; due: number }[];
  peak: number;
  together: number;
  alone: number | null;
}
const { judgeShares } = (await import(new URL('judge.mjs', import.meta.url).href)) as {
  judgeShares: (found: Found) => Judged;
};

const SECOND_MS = 1_000;
const START = Date.parse('2026-01-05T15:00:00Z');

/**
 * Calls in turn on four slots, each a second long: of `order`'s letters each is a call of that campaign.
 *
 * @param slots how many are used after `a` has nobody left
 */
function turns(order: string, slots = 4): Found {
  const phones = { a: [] as string[], b: [] as string[] };
  const aloneFrom = order.lastIndexOf('a') + 1;
  const beginOf = (n: number) =>
    n < aloneFrom
      ? Math.floor(n / 4)
      : Math.ceil(aloneFrom / 4) + Math.floor((n - aloneFrom) / slots);
  const numbers = order.split('').map((name, n) => {
    const phone = `${name}${n}`;
    phones[name as 'a' | 'b'].push(phone);
    const from = START + beginOf(n) * SECOND_MS;
    return {
      phone_number: phone,
      rings: [{ rang_at: iso(from), ended_at: iso(from + SECOND_MS) }],
    };
  });
  const campaigns = [
    { name: 'a', weight: 3, phones: phones.a },
    { name: 'b', weight: 1, phones: phones.b },
  ];
  return { ledger: { numbers }, campaigns, maxCalls: 4, calls: 80 };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

const FAIR = 'aaab'.repeat(25) + 'b'.repeat(20);

it('nothing is held against campaigns that share as their weights say', () => {
  expect(judgeShares(turns(FAIR))).toEqual({
    violations: [],
    shares: [
      { name: 'a', calls: 60, due: 60 },
      { name: 'b', calls: 20, due: 20 },
    ],
    peak: 4,
    together: 4,
    alone: 4,
  });
});

it.each<[string, Found, string]>([
  [
    'equal shares',
    turns('ab'.repeat(60) + 'b'.repeat(20)),
    'b had 40 of 80 calls, 20 are its share',
  ],
  [
    'slots that stay free when one has nobody left',
    turns(FAIR, 2),
    'the last campaign had 2 calls at once on average, both together 4',
  ],
  ['a limit that is passed', { ...turns(FAIR), maxCalls: 3 }, '4 calls at once, 3 are allowed'],
  [
    'lists that are too short to tell',
    turns('aaab'.repeat(5) + 'b'.repeat(8)),
    'both had people for 19 calls only, 80 are counted',
  ],
])('%s are noticed', (_title, found, sentence) => {
  expect(judgeShares(found).violations).toContain(sentence);
});

it('somebody who rang twice or not at all is noticed', () => {
  const found = turns(FAIR);
  const [first, second] = found.ledger.numbers;
  first?.rings.push(...(second?.rings ?? []));
  found.ledger.numbers.splice(1, 1);
  expect(judgeShares(found).violations).toContain('2 people of a were not called exactly once');
});
