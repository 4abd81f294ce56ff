import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { unfinishedImport, unfinishedSentence } from '../plan/unfinished-import.ts';

/** Whether imports let `serve` call, and says once what holds a campaign up. */
export class ImportWatch {
  readonly #store: Store;
  readonly #world: World;
  /** The import that was told of last, by campaign. */
  readonly #told = new Map<string, string>();

  constructor(store: Store, world: World) {
    this.#store = store;
    this.#world = world;
  }

  /** False where an import was broken off; one that goes on is waited for. */
  async mayCall(campaign: Campaign): Promise<boolean> {
    const { id, name } = campaign;
    const open = (await this.#store.lists(id)).find(({ finishedAt }) => finishedAt === null);
    if (open === undefined) return true;
    // One that was broken off stays so until a process is at it again: its file is not read over and over.
    const broken = `${open.id} broken off by ${JSON.stringify(open.importer)}`;
    if (this.#told.get(id) === broken) return false;
    const found = await unfinishedImport(this.#store, campaign, this.#world);
    if (found === undefined) return true;
    const goesOn = found.is === 'going_on';
    const now = goesOn ? `${open.id} goes on` : broken;
    if (this.#told.get(id) !== now) {
      const sentence = `${name}: ${unfinishedSentence(found, campaign)}`;
      this.#world.tell(sentence, goesOn ? 'told' : 'problem');
    }
    this.#told.set(id, now);
    return goesOn;
  }
}
