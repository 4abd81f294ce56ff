import { Agent, request } from 'undici';
import type { Clock } from '../../../src/runtime/clock.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import type { EventTarget, ProviderCall, ProviderEvent, HttpClient } from './provider.ts';

/** Waits between the tries of one event; providers differ, none of them gives up at once. */
const RETRIES_MS = [200, 1_000, 5_000];
const HELD_BACK_MS = 1_000;

/** Posts the events of a provider's calls. */
export class Deliveries {
  readonly #wire: HttpClient;
  readonly #clock: Clock;
  readonly #seed: string;
  readonly #agent = new Agent({ connections: 32 });
  readonly #timers = new Set<() => void>();
  #target: EventTarget | null = null;
  #isClosed = false;

  constructor(wire: HttpClient, clock: Clock, seed: string) {
    this.#wire = wire;
    this.#clock = clock;
    this.#seed = seed;
  }

  sendTo(target: EventTarget | null): void {
    this.#target = target;
  }

  /** Whether the events of this call are to be there before its dial is answered. */
  isEarly(ordinal: number): boolean {
    const early = this.#target?.faults?.early ?? 0;
    return early > 0 && seededRandom(`${this.#seed}/early/${ordinal}`)() < early;
  }

  /** Sends the events of a call when they are due; of an early one, resolves when they have been tried. */
  async tell(call: ProviderCall): Promise<void> {
    if (this.#target === null) return;
    const events = this.#wire.events(call);
    if (this.isEarly(call.ordinal)) {
      for (const event of events) await this.#post(call, event, 0);
      return;
    }
    for (const [index, event] of events.entries()) this.#plan(call, event, index);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers) cancel();
    await this.#agent.destroy();
  }

  #plan(call: ProviderCall, event: ProviderEvent, index: number): void {
    const { lost = 0, repeated = 0, late = 0 } = this.#target?.faults ?? {};
    const draw = seededRandom(`${this.#seed}/event/${call.ordinal}/${index}`)();
    const waitMs = Math.max(0, event.at - this.#clock.now());
    if (draw < lost) return;
    const isLate = draw >= 1 - late;
    this.#after(waitMs + (isLate ? HELD_BACK_MS : 0), () => this.#post(call, event, 0));
    if (draw < lost + repeated) this.#after(waitMs + 50, () => this.#post(call, event, 0));
  }

  #after(ms: number, work: () => Promise<void>): void {
    if (this.#isClosed) return;
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(cancel);
      void work();
    });
    this.#timers.add(cancel);
  }

  async #post(call: ProviderCall, event: ProviderEvent, tries: number): Promise<void> {
    const target = this.#target;
    if (target === null || this.#isClosed) return;
    const url = event.url ?? target.url;
    const secret = target.secret ?? this.#wire.webhookSecret ?? '';
    const now = this.#clock.now();
    const { body, headers } = this.#wire.message(call, event, { secret, url, now });
    const isTaken = await request(url, { dispatcher: this.#agent, method: 'POST', headers, body })
      .then(async (answer) => {
        await answer.body.dump();
        return answer.statusCode >= 200 && answer.statusCode < 300;
      })
      .catch(() => false);
    const waitMs = RETRIES_MS[tries];
    if (isTaken || waitMs === undefined) return;
    this.#after(waitMs, () => this.#post(call, event, tries + 1));
  }
}
