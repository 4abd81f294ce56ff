import { whyNotNow, type Answer } from '../../../src/app/watch/why-not-now.ts';
import { explainPerson } from '../../../src/app/watch/explain.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Person } from '../../../src/views/people.ts';
import { dirname } from 'node:path';
import { storyOutcome } from '../../../src/cli/commands/watch/explain.ts';
import { CAMPAIGN } from '../../conformance/store/setup.ts';
import { aPhone } from '../../helpers/factory.ts';
import { fakeIo, fakeWorld } from '../../helpers/fake-io.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';

/** A store with a campaign-to-be, and the questions that `explain` asks of it. */
export function aStoreToExplain() {
  const path = aDatabasePath();
  const store = aStore(path);
  const worldAt = (now: number) =>
    fakeWorld({ cwd: dirname(path), db: path, clock: { ...systemClock, now: () => now } });

  return {
    path,
    store,
    /** What is answered at a moment for the n-th person of the campaign. */
    answer: async (now: number, n = 0): Promise<Answer> => {
      const [found] = await store.findLeads(aPhone(n), 1);
      const campaign = (await store.listCampaigns()).find(({ id }) => id === CAMPAIGN);
      if (found === undefined || campaign === undefined) throw new Error('nobody to explain');
      return whyNotNow({ store, campaign, world: worldAt(now) }, found);
    },
    /** The story of the first person, and the lines that are printed of it. */
    story: async (now: number, all = true): Promise<{ person: Person; text: string }> => {
      const io = worldAt(now);
      const who = { who: aPhone(0), campaign: undefined, db: path };
      const stories = await explainPerson(who, io);
      const person = stories[0]?.campaigns[0];
      if (person === undefined) throw new Error('nobody to explain');
      const { lines = [] } = storyOutcome(stories, { all, campaign: undefined }, io);
      return { person, text: lines.join('\n') };
    },
  };
}

/** A process of this test calls the campaign. */
export async function runs(store: Store, now: number): Promise<void> {
  await store.runnerSeen(CAMPAIGN, fakeIo({ cwd: '/' }).owner, now);
}
