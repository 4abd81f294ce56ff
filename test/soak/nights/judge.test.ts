import { expect, it } from 'vitest';

interface Ring {
  call_id: string;
  duration: number;
  rang_at: string;
}
interface Notice {
  id: string;
  header?: string;
  event: string;
  night: string;
  reason?: string;
  text?: string;
  tonight?: { calls: number };
}
interface Row {
  call_phone: string;
  call_state: string;
  call_result?: string;
  call_id?: string;
  call_last_attempt_at?: string;
}
interface Found {
  plan: { nights: { date: string; opensAt: number; closesAt: number }[] };
  phones: string[];
  stop: { calls?: number; cost?: string };
  ledger: { numbers: { phone_number: string; rings: Ring[] }[] };
  rows: Row[];
  firings: number[];
  told: { webhook: Notice[]; command: Notice[] };
  forged: number;
  dated: Record<string, Row[] | null>;
}
const { violationsOf } = (await import(new URL('judge.mjs', import.meta.url).href)) as {
  violationsOf: (found: Found) => string[];
};

const [MONDAY, TUESDAY] = ['2026-01-05', '2026-01-06'];
const HOUR_MS = 3_600_000;
const opening = (date: string) => Date.parse(`${date}T23:00:00Z`);
const phone = (n: number) => `+1212555010${n}`;

/** Two nights with two calls each, and one lead of five that waits: nothing is wrong. */
function twoNights(): Found & { rings: Ring[] } {
  const nights = [MONDAY, TUESDAY].map((date) => ({
    date,
    opensAt: opening(date),
    closesAt: opening(date) + HOUR_MS,
  }));
  const rings = [0, 1, 2, 3].map((n) => ({
    call_id: `call_${n}`,
    duration: 42,
    rang_at: `${n < 2 ? MONDAY : TUESDAY}T23:0${n}:00Z`,
  }));
  const done = rings.map(({ call_id, rang_at }, n) => {
    const call = { call_result: 'answered', call_id, call_last_attempt_at: rang_at };
    return { call_phone: phone(n), call_state: 'done', ...call };
  });
  const told = nights.flatMap(({ date }) => [
    { id: `s-${date}`, event: 'started', night: date, reason: 'calls' },
    { id: `f-${date}`, event: 'finished', night: date, reason: 'night', tonight: { calls: 2 } },
  ]);
  return {
    plan: { nights },
    phones: [0, 1, 2, 3, 4].map(phone),
    stop: { calls: 2 },
    ledger: { numbers: rings.map((ring, n) => ({ phone_number: phone(n), rings: [ring] })) },
    rows: [...done, { call_phone: phone(4), call_state: 'waiting' }],
    firings: nights.map(({ opensAt }) => opensAt),
    told: {
      // The answer to the first one was lost.
      webhook: [told[0], ...told].map((each) => ({ ...(each as Notice), header: each?.id ?? '' })),
      command: told,
    },
    forged: 0,
    dated: { [MONDAY]: done.slice(0, 2), [TUESDAY]: done.slice(2) },
    rings,
  };
}

it('nothing is held against two nights that went well', () => {
  expect(violationsOf(twoNights())).toEqual([]);
});

it.each<[string, (found: ReturnType<typeof twoNights>) => void, string]>([
  [
    'a schedule that fired twice',
    ({ firings }) => firings.push(opening(MONDAY)),
    'the schedule fired 2 times instead of 1 at 2026-01-05T23:00:00.000Z',
  ],
  [
    'one that did not fire',
    ({ firings }) => firings.pop(),
    'the schedule fired 0 times instead of 1 at 2026-01-06T23:00:00.000Z',
  ],
  [
    'one that fired at another time',
    ({ firings }) => firings.push(1_000),
    'the schedule fired 1 times instead of 0 at 1970-01-01T00:00:01.000Z',
  ],
  [
    'a phone that rang twice',
    ({ ledger, rings: [ring] }) => ledger.numbers[0]?.rings.push({ ...(ring as Ring) }),
    `${phone(0)} rang 2 times`,
  ],
  [
    'a ring when the window has closed',
    ({ rings: [ring] }) => ((ring as Ring).rang_at = `${TUESDAY}T00:00:00Z`),
    `${phone(0)} rang at ${TUESDAY}T00:00:00Z, outside of the hours`,
  ],
  [
    'a call above the budget',
    ({ rings }) => ((rings[2] as Ring).rang_at = `${MONDAY}T23:09:00Z`),
    `3 phones rang in the night of ${MONDAY}, 2 are allowed`,
  ],
  [
    'a night with fewer calls than there were people and budget',
    (found) => (found.stop = { calls: 3 }),
    `only 2 phones rang in the night of ${MONDAY}, not 3`,
  ],
  [
    'a night whose calls cost more than its budget',
    (found) => (found.stop = { cost: '1.1 EUR' }),
    `calls of the night of ${MONDAY} cost 1.2, 1.1 is allowed`,
  ],
  [
    'a night with money left for one more call',
    (found) => (found.stop = { cost: '4.5 EUR' }),
    `3.3 is left of 4.5 in the night of ${TUESDAY}, and 0 held by calls in doubt`,
  ],
  [
    'money left in a night that had no call in doubt, whatever other nights had',
    (found) => {
      found.stop = { cost: '4.5 EUR' };
      (found.rows[2] as Row).call_result = 'unconfirmed';
    },
    `3.3 is left of 4.5 in the night of ${MONDAY}, and 0 held by calls in doubt`,
  ],
  [
    'a night with too few calls beside a call in doubt of another night',
    (found) => {
      found.ledger.numbers.splice(1, 1);
      Object.assign(found.rows[1] as Row, {
        call_result: 'unconfirmed',
        call_last_attempt_at: `${TUESDAY}T23:09:00Z`,
      });
    },
    `only 1 phones rang in the night of ${MONDAY}, not 2`,
  ],
  ['a lead that is lost', ({ rows }) => rows.pop(), `${phone(4)} is 0 times in the results`],
  [
    'a lead that is there twice',
    ({ rows }) => rows.push({ call_phone: phone(4), call_state: 'waiting' }),
    `${phone(4)} is 2 times in the results`,
  ],
  [
    'somebody who is on no list',
    ({ rows }) => rows.push({ call_phone: phone(9), call_state: 'waiting' }),
    `${phone(9)} is in the results and not on the list`,
  ],
  [
    'a lead that waits although it rang',
    ({ rows }) => ((rows[0] as Row).call_state = 'waiting'),
    `${phone(0)} waits and rang already`,
  ],
  [
    'a call that never ends',
    ({ rows }) => ((rows[0] as Row).call_state = 'calling'),
    `${phone(0)} is calling in the end`,
  ],
  [
    'a result without a ring',
    ({ rows }) => Object.assign(rows[4] as Row, { call_state: 'done', call_result: 'busy' }),
    `${phone(4)} is busy, and it never rang`,
  ],
  [
    'the result of another call',
    ({ rows }) => ((rows[0] as Row).call_id = 'call_9'),
    `${phone(0)} is call call_0 at the service and call_9 in the results`,
  ],
  [
    'a notice that never came',
    ({ told }) => (told.command = told.command.slice(1)),
    `command: the night of ${MONDAY} began 0 times`,
  ],
  [
    'the end of a night that never came',
    ({ told }) => told.webhook.pop(),
    `webhook: the night of ${TUESDAY} was over 0 times`,
  ],
  [
    'a notice that came under two ids',
    ({ told }) => told.command.push({ ...(told.command[1] as Notice), id: 'other' }),
    `command: the night of ${MONDAY} was over 2 times`,
  ],
  [
    'a notice that came again with other words',
    ({ told }) => told.command.push({ ...(told.command[0] as Notice), text: 'other' }),
    `command: notice s-${MONDAY} came with 2 bodies`,
  ],
  [
    'a notice whose head has another id',
    ({ told }) => ((told.webhook[0] as Notice).header = 'other'),
    `webhook: notice s-${MONDAY} has the id other in its head`,
  ],
  [
    'the end of a night that counts too few calls',
    ({ told }) => Object.assign(told.command[1] as Notice, { tonight: { calls: 1 } }),
    `command: 1 calls in the night of ${MONDAY}, and 2 phones rang`,
  ],
  [
    'a notice of a night in which nobody was to be called',
    ({ told }) => told.command.push({ id: 'x', event: 'started', night: '2026-01-07' }),
    'command: started of 2026-01-07, in which nobody was to be called',
  ],
  [
    'a notice with a wrong signature',
    (found) => (found.forged = 1),
    '1 notices were not signed as they should be',
  ],
  [
    'a night without results',
    ({ dated }) => Object.assign(dated, { [TUESDAY]: null }),
    `there are no results of the night of ${TUESDAY}`,
  ],
  [
    'a call that is not in the results of its night',
    ({ dated }) => dated[MONDAY]?.pop(),
    `1 calls are not in the results of the night of ${MONDAY}`,
  ],
])('%s is noticed', (_title, spoil, sentence) => {
  const found = twoNights();
  spoil(found);
  expect(violationsOf(found)).toContain(sentence);
});

it('a night that has called until the hours closed may leave some of its budget', () => {
  const found = twoNights();
  found.stop = { calls: 3 };
  for (const n of [1, 3]) (found.rings[n] as Ring).rang_at = iso(found, n);
  expect(violationsOf(found)).toEqual([]);
});

it('a call in doubt may have used a budget without a ring, and an unconfirmed one may have rung', () => {
  const found = twoNights();
  found.ledger.numbers.splice(1, 1);
  (found.rows[1] as Row).call_result = 'unconfirmed';
  (found.rows[0] as Row).call_result = 'unconfirmed';
  expect(violationsOf(found)).toEqual([]);
});

it('a call in doubt holds what the dearest call costs, in its own night', () => {
  const found = twoNights();
  found.stop = { cost: '4.5 EUR' };
  for (const n of [0, 2]) (found.rows[n] as Row).call_result = 'unconfirmed';
  expect(violationsOf(found)).toEqual([]);
});

/** Two minutes before the hours close in the night of that call. */
function iso({ plan: { nights } }: Found, n: number): string {
  return new Date((nights[n < 2 ? 0 : 1]?.closesAt ?? 0) - 120_000).toISOString();
}
