import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createListWatch } from '../../../src/app/lists/list-watch.ts';
import type { RefusedList } from '../../../src/app/lists/taking.ts';
import { SOURCE_DEFAULTS, type ListSources } from '../../../src/domain/lists/list-mapping.ts';
import type { Store } from '../../../src/store/port.ts';
import { START, VirtualClock } from '../../helpers/clock.ts';
import { aCampaign, aPhone, CREATED } from '../../helpers/factory.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { aStore } from '../../store/sqlite/database.ts';

export const ENTRY = { at: START, who: 'operator', what: 'campaign.started', detail: {} };
export const listOf = (...numbers: number[]) =>
  `phone\n${numbers.map((n) => `${aPhone(n)}\n`).join('')}`;

/** A running campaign that takes lists from a folder of its own. */
export async function aFolder(given: Partial<ListSources> = {}) {
  const cwd = tempFolder();
  const folder = join(cwd, 'in');
  mkdirSync(folder);
  const clock = new VirtualClock();
  const store = aStore(join(cwd, 'data.db'));
  const sources: ListSources = { ...SOURCE_DEFAULTS, from: [folder], ...given };
  const made = await store.createCampaign(aCampaign({ settings: { sources } }), CREATED);
  const campaign = await store.changeCampaign(made.id, { state: 'running' }, ENTRY);
  const refused: RefusedList[] = [];
  let ids = 0;

  /** A process of its own, with its own memory; `through` may throw at a step. */
  const process = (through: (store: Store) => Store = (same) => same, pid = 999_999) => {
    const io = fakeWorld({ cwd, clock, newId: (prefix) => `${prefix}_${(ids += 1)}` });
    const world = { ...io, owner: { ...io.owner, pid } };
    const watch = createListWatch({
      world,
      onRefused: (list) => Promise.resolve(void refused.push(list)),
    });
    return {
      said: () => io.err() + io.out(),
      look: async () => {
        const looking = watch.look({ store: through(store), campaign, live: false });
        const state = { isOver: false };
        const over = looking
          .finally(() => {
            state.isOver = true;
          })
          .catch(() => undefined);
        while (!state.isOver) {
          await new Promise((resolve) => setImmediate(resolve));
          if (clock.sleeping > 0) await clock.advance(5_000);
        }
        await over;
        return looking;
      },
      begin: () => watch.look({ store: through(store), campaign, live: false }),
    };
  };
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    // Files are as old as the virtual clock says.
    utimesSync(join(folder, name), clock.now() / 1_000, clock.now() / 1_000);
  };
  const waiting = async () => (await store.progress(campaign.id, clock.now())).waiting;
  const names = (at = '.') =>
    existsSync(join(folder, at)) ? readdirSync(join(folder, at)).sort() : [];
  return { cwd, folder, store, campaign, clock, put, waiting, names, process, refused };
}

/** A store at whose method `name` something is done instead, to which the method itself is given. */
export function insteadOf(
  name: keyof Store,
  instead: (call: () => Promise<unknown>, real: Store) => Promise<unknown>,
): (real: Store) => Store {
  return (real) =>
    new Proxy(real, {
      get: (target, key) => {
        const method: unknown = Reflect.get(target, key);
        if (key !== name) return method;
        return async (...args: unknown[]) =>
          instead(async () => (method as (...all: unknown[]) => unknown)(...args), target);
      },
    });
}
