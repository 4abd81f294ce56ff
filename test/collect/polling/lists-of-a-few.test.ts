import { expect, it } from 'vitest';
import { createBulkPoller } from '../../../src/collect/polling/bulk-poller.ts';
import type { CallListing, CallOwner, VoiceService } from '../../../src/service/port.ts';
import type { OpenDoubt, Store } from '../../../src/store/port.ts';
import { START, VirtualClock } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';

const FAILED = { kind: 'failed', detail: '503', retryAfterMs: null, keyRefused: false } as const;

/** Doubts at a service where each number has a list of its own, and one reading takes those of twenty numbers. */
function aSearch(count: number, answer: Pick<CallListing, 'kind'> & object) {
  const clock = new VirtualClock();
  const doubts = Array.from({ length: count }, (_, n) => ({
    ...{ attemptId: `att_${n}`, key: `key_${n}`, phone: aPhone(n), agent: 'ag_1' },
    ...{ campaignId: 'cmp_1', state: 'unknown', intentAt: START, since: START, resolved: false },
  })) as OpenDoubt[];
  const read: string[][] = [];
  const callList = {
    ...{ byNumber: true, tellsOfDials: true },
    read: ({ of = [] }: { of?: readonly CallOwner[] }) => {
      const numbers = of.map(({ phone }) => phone).slice(0, 20);
      read.push(numbers);
      const covers = ({ phone }: CallOwner) => numbers.includes(phone);
      return Promise.resolve({ ...answer, covers } as CallListing);
    },
  };
  const bulk = createBulkPoller({
    ...{
      clock,
      notify: () => undefined,
      campaignId: null,
      scheduler: { untoldSlots: 0 },
      reconcileForMs: 600_000,
    },
    service: { name: 'main', callList } as unknown as VoiceService,
    store: { openDoubts: () => Promise.resolve(doubts) } as unknown as Store,
  });
  const search = async () => {
    await bulk.doubts.refresh();
    expect(bulk.searchDueIn).toBe(0);
    bulk.begin(false);
    await bulk.read([], false);
  };
  return { clock, read, search, bulk };
}

it.each([
  ['holds none of them', { kind: 'listed', calls: [], complete: false } as const],
  ['could not be read', FAILED],
])(
  'doubts for which no list was asked come next, before those that were searched for: a list that %s',
  async (_title, answer) => {
    const { clock, read, search, bulk } = aSearch(45, answer);

    for (const pauseMs of [6_000, 15_000, 15_000]) {
      await clock.advance(pauseMs);
      await search();
    }

    expect(read.map(({ length }) => length)).toEqual([20, 20, 20]);
    expect(new Set(read.flat()).size).toBe(45);
    expect(bulk.searchDueIn).toBe(15_000);
    await clock.advance(15_000);
    await search();
    // The rest of the first twenty, which are due again.
    expect(read[3]).toEqual(read[0]?.slice(15));
  },
);
