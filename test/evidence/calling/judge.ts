import type { CallEvidence } from '../../../src/domain/calling/caps.ts';
import type { Database } from 'better-sqlite3';
import { againstPlace, type Allowed } from './allowed.ts';
import type { CallingSettings } from './calling-plan.ts';
import { againstEarlier, againstResult, firstOf, type Sent } from './earlier.ts';
import { WhoIsWho } from './persons.ts';
import { PlannedPlaces } from './places.ts';
import { strangersHeld } from './strangers.ts';
import { dateIn, limitsOf, mayBegin, opensWithin, zonesOf } from './oracle.ts';
import type { Dial } from '../../../src/service/port.ts';
import type { ExportedLead } from '../invariants.ts';
import type { Plan } from '../plan.ts';
import type { EventClock } from '../world/clock.ts';
import type { Kept } from '../world/kept.ts';
import { PERMIT_MS, wasDenied, type Call, type Ledger } from '../world/ledger.ts';
import { CAMPAIGN } from '../world/template.ts';
import { statementOf } from '../world/statement-of.ts';

/** Whoever is not called within so many days never is, as windows repeat every week. */
const DAYS_AHEAD = 16;

const LISTS = `SELECT id FROM lists WHERE finished_at IS NOT NULL AND campaign_id = '${CAMPAIGN}'`;
const SETTINGS = `SELECT settings FROM campaigns WHERE id = '${CAMPAIGN}'`;
const LEAD_OF = `SELECT leads.phone, coalesce(facts, '{}') AS facts
  FROM attempts JOIN leads ON leads.row = lead_row LEFT JOIN evidence ON attempt_seq = seq WHERE key = ? ORDER BY seq DESC`;

export interface JudgedWorld {
  plan: Plan;
  clock: EventClock;
  kept: Kept;
  service: { ledger: Ledger };
  look<T>(read: (db: Database) => T): T;
}

/** Judges every phone that rang by what was in force when its call was claimed; see `oracle.ts`. */
export class CallingJudge {
  readonly #world: JudgedWorld;
  readonly #sent = new Map<string, Sent>();
  /** What has been in force, since when, ms. */
  readonly #seen: { at: number; text: string }[] = [];
  /** When the store has kept the result of a call, ms. */
  readonly #settledAt = new Map<string, number>();

  /** The later lists that are in, by their names, since when, ms. */
  readonly #lists: { at: number; names: ReadonlySet<string> }[] = [{ at: 0, names: new Set() }];
  /** Numbers at which the operator was asked for no more calls. */
  readonly #silent = new Set<string>();
  readonly #who: WhoIsWho;
  readonly #places: PlannedPlaces;

  constructor(world: JudgedWorld, phones: readonly string[]) {
    this.#world = world;
    this.#who = new WhoIsWho(world.plan.calling, phones);
    this.#places = new PlannedPlaces(world.plan.calling, phones);
  }

  onCommit(db: Database): void {
    const lists = statementOf(db, LISTS).all() as { id: string }[];
    const found = new Set(lists.map(({ id }) => id));
    const was = this.#listsIn;
    // In the order in which they came: an import that was cut off is ended after later ones.
    const names = new Set([...[...was].filter((name) => found.has(name)), ...found]);
    const isNew = names.size !== was.size || [...names].some((name) => !was.has(name));
    if (isNew) this.#lists.push({ at: this.#world.clock.monotonic(), names });
    const { settings: text } = statementOf(db, SETTINGS).get() as { settings: string };
    if (this.#seen.at(-1)?.text === text) return;
    this.#seen.push({ at: this.#world.clock.monotonic(), text });
  }

  /** All places at which lists know of a number, as one. */
  everyPlaceOf(phone: string): string {
    return this.#places.everyPlaceOf(phone, this.#listsIn);
  }

  onSilence(phone: string): void {
    this.#silent.add(phone);
  }

  onSettled(callId: string): void {
    this.#settledAt.set(callId, this.#world.clock.monotonic());
  }

  onSend({ attemptKey: key, phone }: Dial): void {
    const { clock, kept } = this.#world;
    const now = clock.monotonic();
    const lead = this.#world.look((db) => {
      this.onCommit(db);
      return statementOf(db, LEAD_OF).get(key) as { phone: string; facts: string } | undefined;
    });
    const { again, clocks } = JSON.parse(lead?.facts ?? '{}') as Partial<CallEvidence>;
    const since = now - PERMIT_MS;
    this.#sent.set(`${key} ${now}`, {
      person: lead?.phone ?? '',
      clocks: Object.keys(again?.at(-1)?.clocks ?? clocks ?? {}),
      zoneKeys: inForce(this.#lists, since).flatMap(({ names }) =>
        this.#places.placesOf(lead?.phone ?? '', phone, names),
      ),
      walls: clock.wallsSince(since),
      settings: inForce(this.#seen, since).map(({ text }) => JSON.parse(text) as CallingSettings),
      known: new Set([...kept.settled].filter((id) => (this.#settledAt.get(id) ?? now) < since)),
    });
  }

  /** What must not have happened at the service, and who waits though nothing is in the way. */
  violations({ rows, allowed }: { rows: ExportedLead[]; allowed: Allowed[] }): string[] {
    const { plan } = this.#world;
    const silent = new Set(this.#silent);
    for (const call of this.#world.service.ledger.calls) {
      if (call.outcome !== 'opted_out') continue;
      const { person } = this.#sentOf(call);
      for (const number of [call.phone, ...this.#who.numbersOf(person)]) silent.add(number);
    }
    return [
      ...this.#ofCalls(),
      ...this.#ofThoseWhoWait(rows),
      ...this.#places.lost(this.#listsIn, rows),
      ...strangersHeld({ plan, who: this.#who, rows, allowed, silent }),
      ...allowed.flatMap((attempt) => this.#ofPlace(attempt)),
    ];
  }

  /** Of an attempt that was dialled, by what was known then. */
  #ofPlace(attempt: Allowed): string[] {
    const { intentAt, key, phone } = attempt;
    return [...this.#sent]
      .filter(
        ([id, { walls }]) =>
          id.startsWith(`${key} `) &&
          walls.some(([from, to]) => from <= intentAt && intentAt <= to),
      )
      .slice(0, 1)
      .flatMap(([, { zoneKeys, settings }]) =>
        againstPlace(attempt, { zoneKeys, settings, everyPlace: this.#places.everyPlaceOf(phone) }),
      );
  }

  /** Somebody who still waits when the time is up is somebody for whom no hours will open. */
  #ofThoseWhoWait(rows: readonly ExportedLead[]): string[] {
    const now = this.#world.clock.now();
    const { policy, retry } = JSON.parse(this.#seen.at(-1)?.text ?? '{}') as CallingSettings;
    // Who counts calls by the person's day needs the person's clock.
    const needsClock = retry !== undefined && (retry.perDay !== null || retry.otherTimeOfDay);
    // A number that lists know at several places is called where hours are open at all of them.
    const isNever = (places: readonly string[]) =>
      (needsClock &&
        places
          .flatMap((place) => zonesOf(policy, place))
          .some((zone) => dateIn(policy, zone, now) === undefined)) ||
      opensWithin(policy, places, now, DAYS_AHEAD) === undefined;
    // Until the caps let somebody be called again, hours may have closed for good, as where clocks are changed.
    const isNeverAgain = (places: readonly string[]) => {
      const caps = places.flatMap((place) => limitsOf(policy, place)).flatMap((each) => each.caps);
      const from = now + Math.max(0, ...caps.map(({ perMs }) => perMs));
      return opensWithin(policy, places, from, DAYS_AHEAD) === undefined;
    };
    const rang = new Set<string>(this.#world.service.ledger.calls.map((call) => call.phone));
    return rows.flatMap(({ call_phone: phone, call_state: state }) => {
      if (state === 'done') return [];
      const numbers = [phone, ...this.#who.furtherOf(phone)];
      const placesOf = numbers.map((number) => [
        ...this.#places.placesOf(phone, number, this.#listsIn),
        this.#places.everyPlaceOf(number),
      ]);
      if (state === 'waiting' && placesOf.some(isNever)) return [];
      if (numbers.some((number) => rang.has(number)) && placesOf.some(isNeverAgain)) return [];
      const places = placesOf.flat();
      return [`${phone} is still ${state}, although ${places.join(' and ')} will be open`];
    });
  }

  #ofCalls(): string[] {
    const { calls } = this.#world.service.ledger;
    return calls.flatMap((call, i) => {
      const sent = this.#sent.get(`${call.key} ${call.at}`);
      if (sent === undefined) return [`nobody has seen the dial of ${call.callId}`];
      // One of the settings that may have been in force has to allow the call.
      const found = sent.settings.flatMap((settings) =>
        sent.zoneKeys.map((zoneKey) =>
          this.#against(call, { ...sent, zoneKey }, settings, calls.slice(0, i)),
        ),
      );
      const [worst = []] = found;
      return found.some((each) => each.length === 0) ? [] : worst;
    });
  }

  #against(
    call: Call,
    sent: Sent & { zoneKey: string },
    { policy, retry }: CallingSettings,
    before: readonly Call[],
  ): string[] {
    const found: string[] = [];
    const at = sent.walls.flat();
    const [earliest, latest] = [Math.min(...at), Math.max(...at)];
    const tell = (what: string) =>
      found.push(
        `${call.phone} (${sent.zoneKey}) rang at ${new Date(call.startedAt).toISOString()}, ${call.at} ms: ${what}`,
      );
    if (!at.some((wall) => mayBegin(policy, sent.zoneKey, wall))) tell('outside the hours');

    const earlier = before.map((other) => ({ other, was: this.#sentOf(other) }));
    const isOne = this.#who.isOne.bind(this.#who);
    const { ledger } = this.#world.service;
    const isDenied = (other: Call) => wasDenied(ledger, other.key, call.at);
    for (const what of againstEarlier(call, sent, {
      limits: limitsOf(policy, sent.zoneKey),
      earlier,
      latest,
      isOne,
      isDenied,
    }))
      tell(what);

    const all = earlier.filter(({ other, was }) => was.person === sent.person && !isDenied(other));
    const own = all.filter(({ other }) => other.outcome !== 'invalid_number');
    const asked = own.some(({ other }) => other.callbackAt !== null);
    const most = (retry?.attempts ?? 1) + (asked ? 1 : 0);
    if (own.length >= most) tell(`the ${own.length + 1}th call to the person, allowed are ${most}`);
    if (retry === undefined || own.length === 0) return found;
    // A person who asked in their last call to be called again has their own time.
    const isWish = own.at(-1)?.other.callbackAt != null;
    const last = own.find(({ was }) => !isWish && latest - firstOf(was) < retry.gapMs);
    if (last !== undefined) tell(`sooner than the gap after ${last.other.callId}`);
    for (const what of againstResult(all.at(-1)?.other, { retry, known: sent.known, latest }))
      tell(what);
    const zones = new Set([...zonesOf(policy, sent.zoneKey), ...sent.clocks]);
    for (const zone of retry.perDay === null ? [] : zones) {
      const days = new Set(at.map((wall) => dateIn(policy, zone, wall)));
      const [day] = days;
      // Where nobody knows the date, calls within 25 hours may be on one day, and no others can.
      const isOnDay = (wall: number) =>
        day === undefined ? latest - wall < LONGEST_DAY_MS : dateIn(policy, zone, wall) === day;
      const onDay = own.filter(({ was }) => was.walls.flat().every(isOnDay));
      if (days.size === 1 && onDay.length >= (retry.perDay ?? 1)) {
        tell(`above ${retry.perDay} calls on ${day ?? 'a day'} in ${zone}`);
      }
    }
    const day = dateIn(undefined, 'America/New_York', earliest);
    if (retry.lastDay !== null && (day ?? '') > retry.lastDay) tell(`after ${retry.lastDay}`);
    return found;
  }

  #sentOf({ key, at }: Call): Sent {
    const sent = this.#sent.get(`${key} ${at}`);
    if (sent === undefined) throw new Error(`nobody has seen the dial under ${key}`);
    return sent;
  }

  get #listsIn(): ReadonlySet<string> {
    return this.#lists.at(-1)?.names ?? new Set();
  }
}

const LONGEST_DAY_MS = 25 * 3_600_000;

/** What may have been in force at or after a moment, ms. */
function inForce<T extends { at: number }>(seen: readonly T[], since: number): T[] {
  return seen.filter((_, i) => (seen[i + 1]?.at ?? Infinity) >= since);
}
