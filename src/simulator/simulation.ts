import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

import { AppError, messageOf } from '../runtime/errors.ts';
import { seededRandom, shortHash } from '../runtime/random.ts';
import { Account, type AgentRecord } from './account.ts';
import { drawOutcome, fixedCall, planCall, type CallRecord } from './calls/timeline.ts';
import type { SimulatorOptions } from './options.ts';
import {
  eventBody,
  eventFaultOf,
  inNoTime,
  planEvents,
  type EventRecord,
} from './webhooks/webhook-events.ts';
import { Outbox, type Delivery, type EventState } from './webhooks/webhook-outbox.ts';

/** One line of the state file, with the id of the account that it belongs to. */
type StateRecord =
  | { account: string; agent: AgentRecord }
  | { account: string; call: CallRecord }
  | { account: string; event: EventRecord }
  /** The delivery of this event has ended. */
  | { account: string; told: { event: string; state: EventState } };

const HEADER = '{"callsheet":"simulator state","version":1}';
const CHUNK_BYTES = 1 << 16;
const NEWLINE = 0x0a;

/**
 * Agents, calls and events as an append-only JSONL file. A record is written before its request is answered, so a kill
 * loses nothing (there is no fsync: a power cut may lose the last seconds). Several processes may have the file open:
 * each reads what the other processes have appended.
 */
class StateFile {
  readonly #path: string;
  readonly #file: number;
  /** Bytes read so far, whole lines only. */
  #readTo = 0;
  /** Bytes appended by this process since the last reading. */
  #appended = 0;
  /** True if the file may end in an incomplete line. */
  #torn = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openFile(path);
    try {
      this.#begin(fstatSync(this.#file).size);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
    this.#readTo = HEADER.length + 1;
    this.#appended = 0;
  }

  append(record: StateRecord): void {
    this.#write(`${JSON.stringify(record)}\n`);
  }

  /**
   * Visits the records appended since the last reading, unless this process has written all of them. Records of this
   * process may be visited again, together with those of other processes.
   */
  readNew(visit: (record: StateRecord) => void): void {
    const size = fstatSync(this.#file).size;
    if (size === this.#readTo + this.#appended) return;
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    for (let at = this.#readTo; at < size;) {
      const length = readSync(this.#file, chunk, 0, CHUNK_BYTES, at);
      if (length === 0) break;
      at += length;
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      this.#readTo += end;
      rest = bytes.subarray(end);
      for (const line of bytes.toString('utf8', 0, end).split('\n')) {
        const record = parsed(line);
        if (record !== undefined) visit(record);
      }
    }
    this.#appended = 0;
  }

  close(): void {
    closeSync(this.#file);
  }

  #begin(size: number): void {
    if (size === 0) {
      this.#write(`${HEADER}\n`);
      return;
    }
    if (this.#textAt(0, HEADER.length + 1) !== `${HEADER}\n`) {
      throw unusable(
        this.#path,
        'is not a state file of this program, or of another version of it',
      );
    }
    this.#torn = this.#textAt(size - 1, 1) !== '\n';
  }

  #textAt(position: number, length: number): string {
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, position);
    return bytes.toString('utf8');
  }

  /** Each record is written with one system call: with O_APPEND, lines of several processes do not mix. */
  #write(line: string): void {
    const bytes = Buffer.from(this.#torn ? `\n${line}` : line);
    this.#torn = true;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      throw unusable(this.#path, `cannot be written (${messageOf(error)})`);
    } finally {
      this.#appended += written;
    }
    this.#torn = false;
  }
}

/** Ignores a line that is not JSON: a kill or a full disk has cut it short, and its request was never answered. */
function parsed(line: string): StateRecord | undefined {
  try {
    return JSON.parse(line) as StateRecord;
  } catch {
    return undefined;
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    throw unusable(path, `cannot be opened (${messageOf(error)})`);
  }
}

function unusable(path: string, why: string): AppError {
  return new AppError(
    'SIMULATOR_STATE_UNUSABLE',
    `State file "${path}" ${why}; allowed is a new path or a file that the embedded service wrote.`,
    { hint: 'Pass another path, or leave --state out to keep everything in memory.' },
  );
}

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
  readonly accounts: ReadonlyMap<string, Account>;
  readonly outbox: Outbox;
  readonly #state: StateFile | null;

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
    this.#state?.readNew((record) => this.#take(record));
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
