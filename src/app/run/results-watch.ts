import { AppError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { replaceOnce, resultsFile } from './run-and-report.ts';
import type { World } from '../world.ts';
import { requireOutput } from '../places/output-file.ts';

/** Asked before each run of a campaign by `serve`: nobody is called where the results would replace another file. */
export class ResultsWatch {
  readonly #store: Store;
  readonly #world: World;
  readonly #told = new Map<string, string>();

  constructor(store: Store, world: World) {
    this.#store = store;
    this.#world = world;
  }

  /** Says why not, once for each reason. */
  async mayWrite(campaign: Campaign): Promise<boolean> {
    const { id, name } = campaign;
    const file = resultsFile(campaign, this.#store.location);
    if (file === '-') return true;
    const options = { store: this.#store, force: false, hint: replaceOnce(name) };
    try {
      await requireOutput(file, options, this.#world);
      this.#told.delete(id);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const why = `${name}: ${error.message} Nobody is called until then: ${error.hint ?? ''}.`;
      if (this.#told.get(id) !== why) this.#world.tell(why, 'problem');
      this.#told.set(id, why);
      return false;
    }
  }
}
