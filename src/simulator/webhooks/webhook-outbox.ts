import { createHmac } from 'node:crypto';
import type { Agent } from 'undici';

import { seededRandom } from '../../runtime/random.ts';
import type { SimulatorOptions, WebhookTarget } from '../options.ts';
import type { EventRecord } from './webhook-events.ts';

const TIMEOUT_MS = 15_000;

interface Message {
  id: string;
  body: string;
  /** Epoch ms; the signature covers this time. */
  sentAt: number;
  signed: boolean;
}

/** Posts events, signed as Standard Webhooks requires. */
function createWebhookSender() {
  let dispatcher: Agent | undefined;
  let isClosed = false;
  return {
    /**
     * Makes one try. Anything but a 2xx within the time limit counts as not acknowledged, redirects included.
     *
     * @returns `retryAfterS`: how long the receiver asks to wait; 0 if it does not say
     */
    post: async (target: WebhookTarget, message: Message) => {
      try {
        // At its first use: most runs of the service send none.
        const undici = await import('undici');
        dispatcher ??= new undici.Agent();
        if (isClosed) await dispatcher.destroy();
        const { statusCode, headers, body } = await undici.request(target.url, {
          dispatcher,
          method: 'POST',
          headers: headersOf(target, message),
          body: message.body,
          headersTimeout: TIMEOUT_MS,
          bodyTimeout: TIMEOUT_MS,
        });
        await body.dump();
        const seconds = Number(headers['retry-after'] ?? 0);
        return {
          acknowledged: statusCode >= 200 && statusCode < 300,
          retryAfterS: Number.isFinite(seconds) ? Math.max(0, seconds) : 0,
        };
      } catch {
        return { acknowledged: false, retryAfterS: 0 };
      }
    },
    /** Aborts the POSTs in flight: they count as not acknowledged. */
    close: async () => {
      isClosed = true;
      await dispatcher?.destroy();
    },
  };
}

function headersOf({ secret }: WebhookTarget, { id, body, sentAt, signed }: Message) {
  const seconds = Math.floor(sentAt / 1_000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'callsheet-embedded-service',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
  };
  if (secret === null || !signed) return headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}

/** All states are final except `waiting`, which includes events that are being sent. */
export type EventState = 'waiting' | 'acknowledged' | 'lost' | 'given_up';

/** An event and the state of its delivery. */
export interface Delivery {
  readonly account: string;
  readonly event: EventRecord;
  state: EventState;
  /** POSTs of this event that this process has sent so far. */
  tries: number;
  /** How many of these POSTs were answered with 2xx. */
  acknowledgements: number;
}

/** Events sent at once. More would wait in the connection's queue, and their signed timestamps would become too old. */
const WEBHOOKS_AT_ONCE = 32;
/** The backoff after each failed try, in simulated seconds; after the last one the event is given up. */
const BACKOFF_S = [5, 30, 120, 600, 1_800, 3_600, 7_200];
const REPEAT_S = 20;
const LONGEST_RETRY_AFTER_S = 3_600;

interface OutboxOptions extends Pick<SimulatorOptions, 'clock' | 'seed' | 'timeScale'> {
  bodyOf: (delivery: Delivery) => string;
  /** Called once for each event, when its delivery has ended. */
  onFinal: (delivery: Delivery) => void;
}

/** Delivers events when they are due, and retries with backoff until they are acknowledged. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #sender = createWebhookSender();
  #closing = false;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #timers = new Map<Delivery, () => void>();
  /** Events held back while there is no target. */
  readonly #held = new Set<Delivery>();
  readonly #queue: Delivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #target: WebhookTarget | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get target(): WebhookTarget | null {
    return this.#target;
  }

  /** All deliveries, in the order in which their calls were placed. */
  get deliveries(): readonly Delivery[] {
    return [...this.#deliveries.values()];
  }

  /** Sets the target; with null, all events wait until there is a target again. */
  sendTo(target: WebhookTarget | null): void {
    this.#target = target;
    if (target === null) return;
    const held = [...this.#held];
    this.#held.clear();
    for (const delivery of held) this.#schedule(delivery);
  }

  /** Adds an event, unless its id is already known. */
  add(account: string, event: EventRecord): void {
    if (this.#deliveries.has(event.id)) return;
    const delivery: Delivery = { account, event, state: 'waiting', tries: 0, acknowledgements: 0 };
    this.#deliveries.set(event.id, delivery);
    this.#schedule(delivery);
  }

  /** Records that another process, or this process before a restart, has ended the event's delivery. */
  markFinal(eventId: string, state: EventState): void {
    const delivery = this.#deliveries.get(eventId);
    if (delivery === undefined) return;
    delivery.state = state;
    this.#unschedule(delivery);
  }

  /** Sends these events for the first time, now; resolves when each has been tried. */
  async tellNow(events: readonly EventRecord[]): Promise<void> {
    for (const { id } of events) {
      const delivery = this.#deliveries.get(id);
      if (delivery === undefined || delivery.tries > 0) continue;
      this.#unschedule(delivery);
      await this.#start(delivery);
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const cancel of this.#timers.values()) cancel();
    await this.#sender.close();
    await Promise.all(this.#underWay);
  }

  #schedule(delivery: Delivery): void {
    if (delivery.state !== 'waiting') return;
    if (this.#target === null) this.#held.add(delivery);
    else this.#wait(delivery, delivery.event.dueAt - this.#options.clock.now());
  }

  #wait(delivery: Delivery, ms: number): void {
    const due = () => {
      this.#timers.delete(delivery);
      this.#queue.push(delivery);
      this.#pump();
    };
    if (!this.#isClosing()) {
      this.#timers.set(delivery, this.#options.clock.after(Math.max(0, ms), due));
    }
  }

  #isClosing(): boolean {
    return this.#closing;
  }

  #unschedule(delivery: Delivery): void {
    this.#timers.get(delivery)?.();
    this.#timers.delete(delivery);
  }

  #pump(): void {
    while (this.#underWay.size < WEBHOOKS_AT_ONCE) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      if (next.state === 'waiting') void this.#start(next);
    }
  }

  #start(delivery: Delivery): Promise<void> {
    const work = this.#try(delivery).finally(() => {
      this.#underWay.delete(work);
      this.#pump();
    });
    this.#underWay.add(work);
    return work;
  }

  async #try(delivery: Delivery): Promise<void> {
    const { event } = delivery;
    const target = this.#target;
    if (this.#isClosing()) return;
    if (target === null) {
      this.#held.add(delivery);
      return;
    }
    if (event.fault === 'webhook-lost') {
      this.#finish(delivery, 'lost');
      return;
    }
    const body = this.#options.bodyOf(delivery);
    delivery.tries += 1;
    const sent = await this.#sender.post(target, {
      id: event.id,
      body,
      sentAt: this.#options.clock.now(),
      signed: event.fault !== 'webhook-unsigned',
    });
    if (sent.acknowledged) this.#acknowledged(delivery);
    // A delivery that was aborted by closing keeps its state `waiting`: it is retried after a restart.
    else if (!this.#isClosing()) this.#failed(delivery, sent.retryAfterS);
  }

  #acknowledged(delivery: Delivery): void {
    delivery.acknowledgements += 1;
    if (delivery.acknowledgements >= delivery.event.times) this.#finish(delivery, 'acknowledged');
    else this.#wait(delivery, (REPEAT_S * 1_000) / this.#options.timeScale);
  }

  #failed(delivery: Delivery, retryAfterS: number): void {
    const failures = delivery.tries - delivery.acknowledgements;
    const backoffS = BACKOFF_S[failures - 1];
    if (backoffS === undefined) {
      this.#finish(delivery, delivery.acknowledgements > 0 ? 'acknowledged' : 'given_up');
      return;
    }
    const { seed, timeScale } = this.#options;
    const jitter = 0.8 + 0.4 * seededRandom(`${seed}/backoff/${delivery.event.id}/${failures}`)();
    const askedMs = Math.min(retryAfterS, LONGEST_RETRY_AFTER_S) * 1_000;
    this.#wait(delivery, Math.max((backoffS * 1_000 * jitter) / timeScale, askedMs));
  }

  #finish(delivery: Delivery, state: EventState): void {
    delivery.state = state;
    this.#options.onFinal(delivery);
  }
}
