import { shortHash } from '../runtime/ids.ts';
import { seededRandom } from '../runtime/random.ts';
import { Account, type AgentRecord } from './account.ts';
import { drawOutcome } from './calls/outcome-mix.ts';
import type { SimulatorOptions } from './options.ts';
import { StateFile, type StateRecord } from './state-file.ts';
import { fixedCall, planCall, type CallRecord } from './calls/timeline.ts';
import { eventBody, eventFaultOf, inNoTime, planEvents } from './webhooks/webhook-events.ts';
import type { EventRecord } from './webhooks/webhook-events.ts';
import { Outbox, type Delivery } from './webhooks/webhook-outbox.ts';

/** Every account starts with this agent, so that a rehearsal needs no set-up. */
export const DEMO_AGENT = {
  id: 'ag_demo',
  name: 'Demo agent',
  systemPrompt:
    'You are a friendly assistant of the appointments desk. Remind people of their appointment this week. ' +
    'Ask whether the time still suits, and offer another day if it does not.',
};

export type Dial = Pick<CallRecord, 'agentId' | 'phone' | 'attemptKey'>;

export interface PlacedCall {
  call: CallRecord;
  /** Events to send before the dial is answered. */
  early: readonly EventRecord[];
}

/** The state and behaviour of the embedded service, without HTTP. */
export class Simulation {
  readonly options: SimulatorOptions;
  /** The accounts by API key. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly outbox: Outbox;
  readonly #state: StateFile | null;

  /** @throws AppError `SIMULATOR_STATE_UNUSABLE` */
  constructor(options: SimulatorOptions) {
    this.options = options;
    const { keys, rate, clock } = options;
    this.accounts = new Map(
      keys.map((key) => [key, new Account(`acc_${shortHash([key], 16)}`, rate, clock)]),
    );
    this.#state = options.state === null ? null : new StateFile(options.state);
    this.outbox = new Outbox({
      ...options,
      bodyOf: (delivery) => this.#bodyOf(delivery),
      onFinal: ({ account, event, state }) => {
        this.#state?.append({ account, told: { event: event.id, state } });
      },
    });
    this.#state?.readNew((record) => {
      this.#take(record);
      // Events that an earlier process did not deliver are delivered by this one.
      if ('event' in record) this.outbox.add(record.account, record.event);
    });
    this.outbox.sendTo(options.webhooks ?? null);
    for (const account of this.accounts.values()) {
      if (account.agents.size === 0) this.#keepAgent(account, { ...DEMO_AGENT, voice: null });
    }
  }

  /** Reads what other processes have added to the state file. */
  refresh(): void {
    this.#state?.readNew((record) => {
      this.#take(record);
    });
  }

  createAgent(
    account: Account,
    agent: Pick<AgentRecord, 'name' | 'systemPrompt' | 'voice'>,
  ): AgentRecord {
    const { seed, clock } = this.options;
    const id = `ag_${shortHash([seed, account.id, account.agents.size, clock.now()], 20)}`;
    return this.#keepAgent(account, { ...agent, id });
  }

  /** Places a call: the phone rings. The caller has checked that this is allowed (capacity, idempotency). */
  placeCall(account: Account, dial: Dial): PlacedCall {
    const { seed, mix, clock, fixedCallMs = null, processingLagMs } = this.options;
    const placedAt = clock.now();
    const { rings } = account.phone(dial.phone);
    const ordinal = rings.length + 1;
    const random = seededRandom(`${seed}/ring/${dial.phone}/${ordinal}`);
    const outcome =
      fixedCallMs === null
        ? drawOutcome(mix, seed, dial.phone, random, rings.at(-1)?.outcome ?? null)
        : 'answered';
    const planned =
      fixedCallMs === null
        ? planCall(outcome, placedAt, random, this.options)
        : fixedCall(placedAt, fixedCallMs, processingLagMs ?? 0);
    const isTold = this.outbox.target !== null;
    const fault = eventFaultOf(this.options, dial.phone, ordinal, 'call.finished');
    const isEarly = isTold && fault?.name === 'webhook-early';
    const spans = isEarly ? inNoTime(planned) : planned;
    const draw = Math.floor(random() * 2 ** 32);
    // The time is part of the id: without a state file the service forgets which ids it has given.
    const id = `call_${shortHash([seed, account.id, dial.phone, ordinal, placedAt], 24)}`;
    const call: CallRecord = { id, ...dial, outcome, ...spans, draw };
    this.#state?.append({ account: account.id, call });
    account.addCall(call);
    const events = isTold ? planEvents(call, account.agentOf(call), ordinal, this.options) : [];
    for (const event of events) {
      this.#state?.append({ account: account.id, event });
      this.outbox.add(account.id, event);
    }
    // Filter by time, because an early call's event may still have a fault of its own that makes it late.
    return { call, early: isEarly ? events.filter(({ dueAt }) => dueAt <= placedAt) : [] };
  }

  async close(): Promise<void> {
    await this.outbox.close();
    this.#state?.close();
  }

  #bodyOf({ account: id, event }: Delivery): string {
    const account = this.#accountWithId(id);
    const call = account?.calls.get(event.callId);
    if (account === undefined || call === undefined) throw new Error(`${event.id} has no call`);
    return eventBody(event, call, account.agentOf(call), this.options);
  }

  #keepAgent(account: Account, fields: Omit<AgentRecord, 'createdAt'>): AgentRecord {
    const agent = { ...fields, createdAt: this.options.clock.now() };
    this.#state?.append({ account: account.id, agent });
    account.addAgent(agent);
    return agent;
  }

  #take(record: StateRecord): void {
    const account = this.#accountWithId(record.account);
    if (account === undefined) return;
    if ('agent' in record) account.addAgent(record.agent);
    if ('call' in record) account.addCall(record.call);
    if ('told' in record) this.outbox.markFinal(record.told.event, record.told.state);
  }

  #accountWithId(id: string): Account | undefined {
    return [...this.accounts.values()].find((account) => account.id === id);
  }
}
