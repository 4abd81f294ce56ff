import type { Database, Statement } from 'better-sqlite3';
import type { Connection } from './connections.ts';
import type { Dial } from '../../../src/service/port.ts';
import type { Disk } from './disk.ts';
import { longestCallMsOf, type Plan } from '../plan.ts';
import { PERMIT_MS as SEEN_MS, type Ledger } from './ledger.ts';
import { CAMPAIGN } from './template.ts';

/** So long after its claim a dial may still leave. */
const PERMIT_MS = 5_000;

/** States that nothing leaves. */
const FINAL = new Set(['settled', 'rejected', 'released']);
/** States that only evidence leaves. */
const DOUBTFUL_END = new Set(['unconfirmed', 'no_result']);
const OPEN = new Set(['intent', 'placed', 'ended', 'unknown']);
/** Why a lead ends that the operator withdraws. */
const WITHDRAWN = 'withdrawn by the operator';

export interface WatchWorld {
  plan: Plan;
  path: string;
  disk: Disk;
  service: { ledger: Ledger };
  judge?: { onCommit(db: Database): void } | undefined;
  now(): number;
  /** Epoch ms. */
  wall(): number;
  look<T>(read: (db: Database) => T): T;
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
  phone: string;
  state: string;
  callId: string | null;
  replays: number;
  holdsUntil: number;
}

/** Looks at the database after every commit and at every dial, and says what must never be seen there. */
export class Watch {
  readonly violations: string[] = [];
  /** Since when dialling is not allowed, ms; null: it is. */
  #heldSince: number | null = null;
  readonly #world: WatchWorld;
  #last: Picture | undefined;
  /** Numbers that nobody may call, since when, ms. */
  readonly #suppressed = new Map<string, number>();
  /** People whom nobody may call any more, whatever number they have; since when the operator has withdrawn them, ms. */
  readonly #takenBack = new Map<string, number>();
  /** People whose end may be taken back just now. */
  readonly #mayReturn = new Set<string>();
  /** When a request left under a key last, epoch ms. */
  readonly #sentAt = new Map<string, number>();
  /** When the last intent under a key was committed, or its being sent again, ms. */
  readonly #allowedAt = new Map<string, number>();
  readonly #changed = new WeakSet<Connection>();

  constructor(world: WatchWorld) {
    this.#world = world;
  }

  onStatement(connection: Connection, sql: string): void {
    if (sql === 'COMMIT') {
      if (this.#changed.delete(connection)) this.#onCommit(connection.db);
    } else if (sql === 'ROLLBACK') this.#changed.delete(connection);
    else if (changes(sql)) this.#changed.add(connection);
  }

  /** The database was replaced by an older one: nothing can be said of what was there before. */
  forgets(): void {
    this.#last = undefined;
    this.#suppressed.clear();
    this.#takenBack.clear();
    this.#mayReturn.clear();
    this.#world.service.ledger.found.clear();
  }

  /** The store has said that it keeps this. */
  suppressed(phone: string): void {
    this.#suppressed.set(phone, this.#world.now());
  }

  /** The store has said that the person of this lead is not called any more. */
  takenBack(person: string, since = this.#world.now()): void {
    this.#takenBack.set(person, Math.min(this.#takenBack.get(person) ?? Infinity, since));
    this.#mayReturn.delete(person);
  }

  isSuppressed(phone: string): boolean {
    return this.#suppressed.has(phone);
  }

  whoWasTakenBack(): string[] {
    return [...this.#takenBack.keys()];
  }

  /** Somebody takes it back that they were taken out. @returns since when they were withdrawn, ms; Infinity: they were not */
  mayReturn(person: string): number {
    const since = this.#takenBack.get(person) ?? Infinity;
    this.#mayReturn.add(person);
    this.#takenBack.delete(person);
    return since;
  }

  /** The undo is over: from here on the person may not come back. */
  hasReturned(person: string): void {
    this.#mayReturn.delete(person);
  }

  /** no dial without its durable intent; no byte later than one permit after a pause, cancel or suppression */
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
    this.#sentAt.set(key, this.#world.wall());
    const suppressedAt = this.#suppressed.get(phone) ?? Infinity;
    if (this.#world.now() > suppressedAt + PERMIT_MS)
      this.#tell(`${phone} is dialled, and suppressed`);
  }

  #onCommit(db: Database): void {
    const before = this.#last;
    const now = this.#picture(db);
    this.#last = now;
    this.#world.judge?.onCommit(db);
    if (now.campaign === 'running') this.#heldSince = null;
    else this.#heldSince ??= this.#world.now();
    for (const attempt of now.attempts.values()) {
      const old = before?.attempts.get(attempt.seq);
      const isAgain = old !== undefined && attempt.replays > old.replays;
      const isAllowed = isAgain || (old === undefined && attempt.state === 'intent');
      if (isAllowed) this.#allowedAt.set(attempt.key, this.#world.now());
      if (isAllowed && before !== undefined) this.#allowed(attempt, before.campaign, now);
      if (old !== undefined && old.state !== attempt.state) this.#moved(old.state, attempt);
      this.#slotIsHeld(attempt);
    }
    if (before === undefined) return;
    for (const seq of before.attempts.keys()) {
      if (!now.attempts.has(seq)) this.#tell(`attempt ${seq} has vanished`);
    }
    this.#leadsAgree(now);
    this.#endsStay(before, now);
  }

  /** Whatever is found of a call: who was taken out stays out, and only a withdrawal changes the reason. */
  #endsStay(before: Picture, { leads }: Picture): void {
    const known = new Map(before.leads.map((lead) => [lead.row, lead]));
    for (const { row, phone, state, result, reason } of leads) {
      const was = known.get(row);
      if (was === undefined || this.#mayReturn.has(phone)) continue;
      if (was.result !== 'cancelled' && was.result !== 'suppressed') continue;
      if (result !== was.result)
        this.#tell(`${phone} had ended as ${was.result}, and is ${result ?? state}`);
      else if (reason !== was.reason && !(was.reason === 'left_list' && reason === WITHDRAWN))
        this.#tell(`${phone} had ended for "${was.reason}", and now it is "${reason}"`);
    }
  }

  /** A call may be on the line for as long as any after the last request under its key. */
  #slotIsHeld({ key, state, holdsUntil, seq }: AttemptSeen): void {
    const { plan } = this.#world;
    const sentAt = this.#sentAt.get(key);
    if (sentAt === undefined || plan.clockJumps.length > 0) return;
    if (!['placed', 'unknown', 'unconfirmed'].includes(state)) return;
    if (holdsUntil < sentAt + longestCallMsOf(plan) - SEEN_MS)
      this.#tell(
        `attempt ${seq} holds its slot ${sentAt + longestCallMsOf(plan) - holdsUntil} ms too short`,
      );
  }

  /** no intent committed after a pause, cancel or suppression was committed, and nothing sent again */
  #allowed(
    { seq, phone, leadRow }: AttemptSeen,
    before: string,
    { campaign, leads }: Picture,
  ): void {
    if (before !== 'running' && campaign !== 'running') {
      this.#tell(`attempt ${seq} was allowed while the campaign was ${campaign}`);
    }
    const person = leads.find(({ row }) => row === leadRow)?.phone ?? '';
    for (const number of new Set([phone, person])) {
      if (this.#suppressed.has(number))
        this.#tell(`attempt ${seq} was allowed to ${phone}, and ${number} is suppressed`);
    }
    if (this.#takenBack.has(person))
      this.#tell(`attempt ${seq} was allowed to ${phone}, and ${person} was taken back`);
  }

  /** final states never go back except by evidence */
  #moved(from: string, { seq, key, state, callId }: AttemptSeen): void {
    const { ledger } = this.#world.service;
    const move = `attempt ${seq} went from ${from} to ${state}`;
    if (['placed', 'ended', 'settled'].includes(state) && !ledger.found.has(key))
      ledger.found.set(key, this.#world.now());
    if (FINAL.has(from) || state === 'intent') this.#tell(move);
    if (
      callId !== null &&
      state === 'released' &&
      !ledger.unrung.some((c) => c.callId === callId)
    ) {
      this.#tell(`${move}, although call ${callId} rang`);
    }
    const isNamed = ledger.given.has(callId ?? '') || ledger.told.has(callId ?? '');
    if (DOUBTFUL_END.has(from) && !(ledger.answers.has(key) || isNamed)) {
      this.#tell(`${move} without evidence`);
    }
    if (
      ['placed', 'ended', 'settled'].includes(state) &&
      ![...ledger.calls, ...ledger.unrung].some((c) => c.callId === callId && c.key === key)
    ) {
      this.#tell(`${move} for the call ${callId}, which the service did not make for it`);
    }
  }

  /** A lead waits exactly while none of its attempts counts, is called only while one is open, and done when the last is not. */
  #leadsAgree({ leads, attempts }: Picture): void {
    const { ledger } = this.#world.service;
    for (const { row, state, phone } of leads) {
      const own = [...attempts.values()].filter((a) => a.leadRow === row);
      const states = own.map((a) => a.state);
      const isOpen = states.some((s) => OPEN.has(s));
      // Somebody has said that a call of theirs was not made; it may be found after their end.
      const isDenied = (a: AttemptSeen) => a.state === 'unconfirmed' && ledger.denied.has(a.key);
      const counts =
        this.#world.plan.calling === null &&
        own.some((a) => a.state !== 'released' && !isDenied(a));
      // An earlier call that is found late is asked for its result, and leaves a lead as a later one has ended it.
      const last = states.findLast((s) => s !== 'released') ?? '';
      const fits =
        state === 'waiting'
          ? !counts && !isOpen
          : state === 'calling'
            ? isOpen
            : !OPEN.has(last) || own.some(({ key }) => ledger.denied.has(key));
      if (!fits) this.#tell(`${phone} is ${state} while its attempts are ${states.join(', ')}`);
    }
  }

  #picture(db: Database): Picture {
    const rows = this.#statementsOf(db).everything.all();
    const attempts = new Map<number, AttemptSeen>();
    const leads: LeadSeen[] = [];
    let campaign = '';
    for (const [number, text, state, leadRow, callId, replays, phone, holdsUntil] of rows) {
      if (number === null) campaign = state;
      else if (leadRow === null)
        leads.push({ row: number, phone: text, state, result: callId, reason: phone });
      else {
        const attempt = {
          seq: number,
          key: text,
          leadRow,
          phone,
          state,
          callId,
          replays,
          holdsUntil,
        };
        attempts.set(number, attempt);
      }
    }
    return { campaign, attempts, leads };
  }

  /** How often a dial was sent again. */
  get #replays(): string {
    if (this.#world.plan.idempotentForMs === null) return '0';
    return 'coalesce((SELECT replays FROM replayable_dials WHERE attempt_seq = seq), 0)';
  }

  #statementsOf(db: Database): Statements {
    const replays = this.#replays;
    const known = compiled.get(db);
    if (known?.replays === replays) return known;
    const made: Statements = {
      replays,
      everything: db
        .prepare<[], RowSeen>(
          `SELECT seq, key, state, lead_row, call_id, ${replays}, phone, holds_until FROM attempts
             WHERE campaign_id = '${CAMPAIGN}'
           UNION ALL SELECT row, phone, state, NULL, result, 0, coalesce(reason, ''), 0 FROM leads
             WHERE campaign_id = '${CAMPAIGN}'
           UNION ALL SELECT NULL, NULL, state, NULL, NULL, 0, '', 0 FROM campaigns WHERE id = '${CAMPAIGN}'`,
        )
        .raw(),
      ofKey: db
        .prepare<[string, string]>('SELECT state FROM attempts WHERE key = ? AND phone = ?')
        .pluck(),
    };
    compiled.set(db, made);
    return made;
  }

  #tell(violation: string): void {
    this.violations.push(`${violation} (at ${this.#world.now()} ms)`);
  }
}

/** Connections outlast runs. */
const compiled = new WeakMap<Database, Statements>();
const known = new Map<string, boolean>();

/** Whether a statement writes what is looked at here. */
function changes(sql: string): boolean {
  let does = known.get(sql);
  if (does === undefined) {
    does =
      /^\s*(?:WITH changed AS \()?(INSERT INTO|UPDATE) (attempts|leads|campaigns|replayable_dials)\b/.test(
        sql,
      );
    known.set(sql, does);
  }
  return does;
}

interface LeadSeen {
  row: number;
  state: string;
  phone: string;
  result: string | null;
  reason: string;
}

/** An attempt with all of it; a lead with its result for the call id and its reason for the number; a campaign with its state alone. */
type RowSeen = [
  number: number | null,
  keyOrPhone: string,
  state: string,
  leadRow: number | null,
  callId: string | null,
  replays: number,
  dialled: string,
  holdsUntil: number,
];

interface Statements {
  replays: string;
  everything: Statement<[], RowSeen>;
  ofKey: Statement<[string, string]>;
}
