import type { Database, Statement } from 'better-sqlite3';
import type { Dial } from '../../src/service/port.ts';
import type { Disk } from './disk.ts';
import type { Plan } from './plan.ts';
import type { Ledger } from './service.ts';

/** So long after its claim a dial may still leave. */
const PERMIT_MS = 5_000;

/** States that nothing leaves. */
const FINAL = new Set(['settled', 'rejected', 'released']);
/** States that only evidence leaves. */
const DOUBTFUL_END = new Set(['unconfirmed', 'no_result']);
const OPEN = new Set(['intent', 'placed', 'ended', 'unknown']);

export interface WatchWorld {
  plan: Plan;
  path: string;
  disk: Disk;
  service: { ledger: Ledger };
  now(): number;
  look<T>(read: (db: Database) => T, db?: Database): T;
}

interface Picture {
  campaign: string;
  attempts: Map<number, AttemptSeen>;
  leads: LeadSeen[];
}

interface AttemptSeen {
  seq: number;
  key: string;
  leadRow: number;
  state: string;
  callId: string | null;
}

/** Looks at the database after every commit and at every dial, and says what must never be seen there. */
export class Watch {
  readonly violations: string[] = [];
  /** How often campaigns, leads or attempts have changed. */
  changes = 0;
  /** Since when dialling is not allowed, ms; null: it is. */
  #heldSince: number | null = null;
  readonly #world: WatchWorld;
  #last: Picture | undefined;
  /** When the last intent under a key was committed, ms. */
  readonly #allowedAt = new Map<string, number>();
  readonly #changed = new WeakSet<Database>();
  readonly #statements = new WeakMap<Database, Statements>();

  constructor(world: WatchWorld) {
    this.#world = world;
  }

  onStatement(db: Database, sql: string): void {
    if (/^\s*(INSERT INTO|UPDATE) (attempts|leads|campaigns)\b/.test(sql)) this.#changed.add(db);
    if (sql === 'COMMIT' && this.#changed.delete(db)) this.#onCommit(db);
    if (sql === 'ROLLBACK') this.#changed.delete(db);
  }

  /** The database was replaced by an older one: nothing can be said of what was there before. */
  forgets(): void {
    this.#last = undefined;
  }

  /** no dial without its durable intent; no byte later than one permit after a pause or cancel */
  onSend({ attemptKey: key, phone }: Dial): void {
    const states = this.#world.look((db) => this.#statementsOf(db).ofKey.all(key, phone));
    if (!states.some((state) => state !== 'released'))
      this.#tell(`${phone} is dialled without a committed intent`);
    if (!this.#world.disk.hasJournalled(this.#world.path, key)) {
      this.#tell(`${phone} is dialled without a synced line in the journal`);
    }
    const lateMs = this.#world.now() - (this.#allowedAt.get(key) ?? 0);
    if (lateMs > PERMIT_MS) this.#tell(`${phone} is dialled ${lateMs} ms after its claim`);
    if (this.#heldSince !== null && this.#world.now() > this.#heldSince + PERMIT_MS) {
      this.#tell(`${phone} is dialled ${this.#world.now() - this.#heldSince} ms after the pause`);
    }
  }

  #onCommit(db: Database): void {
    this.changes += 1;
    const before = this.#last;
    const now = this.#picture(db);
    this.#last = now;
    if (now.campaign === 'running') this.#heldSince = null;
    else this.#heldSince ??= this.#world.now();
    for (const { seq, key, state } of now.attempts.values()) {
      if (state !== 'intent' || before?.attempts.has(seq) === true) continue;
      this.#allowedAt.set(key, this.#world.now());
    }
    if (before === undefined) return;
    for (const attempt of now.attempts.values()) {
      const old = before.attempts.get(attempt.seq);
      if (old === undefined) this.#born(attempt, before.campaign, now.campaign);
      else if (old.state !== attempt.state) this.#moved(old.state, attempt);
    }
    for (const seq of before.attempts.keys()) {
      if (!now.attempts.has(seq)) this.#tell(`attempt ${seq} has vanished`);
    }
    this.#leadsAgree(now);
  }

  /** no intent committed after a pause or cancel was committed */
  #born({ seq, state }: AttemptSeen, before: string, now: string): void {
    if (state === 'intent' && before !== 'running' && now !== 'running') {
      this.#tell(`attempt ${seq} was allowed while the campaign was ${now}`);
    }
  }

  /** final states never go back except by evidence */
  #moved(from: string, { seq, key, state, callId }: AttemptSeen): void {
    const { ledger } = this.#world.service;
    const move = `attempt ${seq} went from ${from} to ${state}`;
    if (FINAL.has(from) || state === 'intent') this.#tell(move);
    if (DOUBTFUL_END.has(from) && !(ledger.answers.has(key) || ledger.given.has(callId ?? ''))) {
      this.#tell(`${move} without evidence`);
    }
    if (
      ['placed', 'ended', 'settled'].includes(state) &&
      !ledger.calls.some((c) => c.callId === callId && c.key === key)
    ) {
      this.#tell(`${move} for the call ${callId}, which the service did not make for it`);
    }
  }

  /** A lead waits exactly while none of its attempts counts, and is called exactly while one is open. */
  #leadsAgree({ leads, attempts }: Picture): void {
    for (const { row, state, phone } of leads) {
      const states = [...attempts.values()].filter((a) => a.leadRow === row).map((a) => a.state);
      const isOpen = states.some((s) => OPEN.has(s));
      const counts = states.some((s) => s !== 'released');
      const fits = state === 'waiting' ? !counts : state === 'calling' ? isOpen : !isOpen;
      if (!fits) this.#tell(`${phone} is ${state} while its attempts are ${states.join(', ')}`);
    }
  }

  #picture(db: Database): Picture {
    const rows = this.#world.look((own) => this.#statementsOf(own).everything.all(), db);
    const attempts = new Map<number, AttemptSeen>();
    const leads: LeadSeen[] = [];
    let campaign = '';
    for (const [number, text, state, leadRow, callId] of rows) {
      if (number === null) campaign = state;
      else if (leadRow === null) leads.push({ row: number, phone: text, state });
      else attempts.set(number, { seq: number, key: text, leadRow, state, callId });
    }
    return { campaign, attempts, leads };
  }

  #statementsOf(db: Database): Statements {
    const known = this.#statements.get(db);
    if (known !== undefined) return known;
    const made: Statements = {
      everything: db
        .prepare<[], RowSeen>(
          `SELECT seq, key, state, lead_row, call_id FROM attempts
           UNION ALL SELECT row, phone, state, NULL, NULL FROM leads
           UNION ALL SELECT NULL, NULL, state, NULL, NULL FROM campaigns`,
        )
        .raw(),
      ofKey: db
        .prepare<[string, string]>('SELECT state FROM attempts WHERE key = ? AND phone = ?')
        .pluck(),
    };
    this.#statements.set(db, made);
    return made;
  }

  #tell(violation: string): void {
    this.violations.push(`${violation} (at ${this.#world.now()} ms)`);
  }
}

interface LeadSeen {
  row: number;
  state: string;
  phone: string;
}

/** An attempt with all of it; a lead without the last two; a campaign with nothing but its state. */
type RowSeen = [
  number: number | null,
  keyOrPhone: string,
  state: string,
  leadRow: number | null,
  callId: string | null,
];

interface Statements {
  everything: Statement<[], RowSeen>;
  ofKey: Statement<[string, string]>;
}
