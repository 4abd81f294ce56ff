import { everyAttemptSaysWhy, type Allowed } from './calling/allowed.ts';
import {
  everyCallHasItsAttempt,
  everyResultHasItsAttempt,
  nobodyRangUnnoticed,
} from './calling/told.ts';
import type { Plan } from './plan.ts';
import { FORGED } from './world/sender.ts';
import { wasDenied, type Call, type Ledger } from './world/ledger.ts';
import type { Template } from './world/template.ts';

/** A line of the results file. */
export interface ExportedLead {
  call_phone: string;
  call_state: string;
  call_result: string | null;
  call_id: string | null;
  call_summary: string | null;
  call_dialled_phone: string | null;
  /** In a file with a line for each attempt. */
  call_attempt_state?: string | null;
}

/** What a run leaves to judge it by: nothing here was told by the program but the results file. */
export interface Evidence {
  plan: Plan;
  template: Template;
  rows: ExportedLead[];
  /** The same file with a line for each attempt. */
  attempts: ExportedLead[];
  /** All attempts of the store, and why each was allowed. */
  allowed: Allowed[];
  ledger: Ledger;
  /** Calls that the store has said to have kept, and those whose analytics it has. */
  kept: { placed: ReadonlySet<string>; settled: ReadonlySet<string> };
}

type Invariant = (evidence: Evidence) => string[];

/** Everything that must hold after a run, whatever went wrong in it. */
export function check(evidence: Evidence): string[] {
  const invariants = evidence.plan.calling === null ? INVARIANTS : WITH_RETRIES;
  return invariants.flatMap((invariant) =>
    invariant(evidence).map((violation) => `${invariant.name}: ${violation}`),
  );
}

const INVARIANTS: Invariant[] = [
  nobodyRingsTwice,
  nobodyIsAskedForTwice,
  everyRowIsInOnePlace,
  everyCallIsNamed,
  everyResultIsExported,
  everyListedCallIsFound,
  nothingForgedIsExported,
  noTranscriptOfAnotherCallIsStored,
  nobodyWhoRangIsExportedAsNotCalled,
  neverTooManyCalls,
  noOutageIsTriedOut,
  everythingIsFinal,
  everyAttemptSaysWhy,
];

/** Of nights in which people are called again: what a call came to is told attempt by attempt. */
const WITH_RETRIES: Invariant[] = [
  everyRowIsInOnePlace,
  everyCallHasItsAttempt,
  everyResultHasItsAttempt,
  nobodyRangUnnoticed,
  neverTooManyCalls,
  noOutageIsTriedOut,
  everyAttemptSaysWhy,
];

function nobodyRingsTwice({ ledger }: Evidence): string[] {
  return repeated(ledger.calls.map(({ phone }) => phone)).flatMap((phone) => {
    const calls = ledger.calls.filter((call) => call.phone === phone);
    const isAllowed = ({ at }: Call, i: number) =>
      calls.slice(0, i).every(({ key }) => wasDenied(ledger, key, at));
    if (calls.every(isAllowed)) return [];
    return `${phone} rang ${calls.length} times (${calls.map((c) => `${c.callId} at ${c.at} ms, key ${c.key.slice(0, 6)}`).join('; ')})`;
  });
}

/**
 * Also a request that the service never saw is not repeated: nobody could know that it was lost. The same one
 * again is none, as long as the service knows its key.
 */
function nobodyIsAskedForTwice({ ledger, plan }: Evidence): string[] {
  const isKnown = (at: number, later: number) => later < at + (plan.idempotentForMs ?? 0);
  return ledger.requests.flatMap(({ phone, key, at, provedWithoutEffect }, i) => {
    const again = ledger.requests
      .slice(i + 1)
      .find((other) => other.phone === phone && !(other.key === key && isKnown(at, other.at)));
    if (provedWithoutEffect || again === undefined) return [];
    if (wasDenied(ledger, key, again.at)) return [];
    return [`${phone} was asked for at ${at} ms and again at ${again.at} ms`];
  });
}

/** One failure is enough: nobody is dialled before a read has succeeded. */
function noOutageIsTriedOut({ ledger }: Evidence): string[] {
  return ledger.inVain.map(
    ({ phone, at }) => `${phone} was dialled at ${at} ms, in a known outage`,
  );
}

/** every input lead in exactly one place: the results or the rejects */
function everyRowIsInOnePlace({ rows, template, plan }: Evidence): string[] {
  const exported = rows.map((row) => row.call_phone);
  const missing = template.phones.filter((phone) => !exported.includes(phone));
  const known: string[] = [...template.phones, ...(plan.calling?.newcomers ?? [])];
  const extra = exported.filter((phone) => !known.includes(phone));
  const isBalanced = template.rejects === template.badRows;
  return [
    ...missing.map((phone) => `${phone} is missing from the results`),
    ...extra.map((phone) => `${phone} is in the results and not in the list`),
    ...repeated(exported).map((phone) => `${phone} is in the results twice`),
    ...(isBalanced ? [] : [`${template.rejects} rejects of ${template.badRows} bad rows`]),
  ];
}

/** A call whose id was kept is named, whether or not its analytics ever came. */
function everyCallIsNamed({ rows, ledger, kept }: Evidence): string[] {
  return ledger.calls.flatMap(({ callId, phone }) => {
    if (!kept.placed.has(callId) || isShared(callId, ledger)) return [];
    if (isOneOfTwo(phone, ledger)) return [];
    const row = rows.find((other) => other.call_phone === phone);
    return row?.call_id === callId ? [] : [`${callId} was kept, and is not named for ${phone}`];
  });
}

/** Analytics that the store has kept, or that the service gave while nothing was lost, are exported. */
function everyResultIsExported({ rows, ledger, kept, plan }: Evidence): string[] {
  const losesNothing = plan.crashes.length === 0 && plan.disk.length === 0 && plan.restore === null;
  return ledger.calls.flatMap(({ callId, phone }) => {
    if (isShared(callId, ledger) || isOneOfTwo(phone, ledger)) return [];
    if (!kept.settled.has(callId) && !(losesNothing && ledger.given.has(callId))) return [];
    const row = rows.find((other) => other.call_phone === phone);
    return row?.call_summary === callId
      ? []
      : [`the result of ${callId} (${phone}) is not exported`];
  });
}

/** A list that names our keys leaves nobody in doubt who rang, as long as the program is there to read it. */
function everyListedCallIsFound({ rows, ledger, plan }: Evidence): string[] {
  const { crashes, disk, restore, clockJumps, freezes, stops, operator } = plan;
  const troubles = [...crashes, ...disk, ...clockJumps, ...freezes, ...stops, ...operator];
  const isReadable = plan.analytics.lookFails === 0 && plan.dials.keyRefused === 0;
  if (plan.lists?.names !== 'keys' || plan.lists.misses > 0 || !isReadable) return [];
  if (troubles.length > 0 || restore !== null || plan.lies.ids > 0) return [];
  return ledger.calls.flatMap(({ callId, phone }) => {
    const row = rows.find((other) => other.call_phone === phone);
    return row?.call_id === callId ? [] : [`${callId} is in the list, and ${phone} is in doubt`];
  });
}

/** What came without a good signature, or was not confirmed by the service. */
function nothingForgedIsExported({ rows }: Evidence): string[] {
  return rows
    .filter((row) => row.call_summary === FORGED)
    .map((row) => `what somebody made up is exported for ${row.call_phone}`);
}

/** Whatever the service answers, a person's row has what was said to this person. */
function noTranscriptOfAnotherCallIsStored({ rows, ledger }: Evidence): string[] {
  return rows.flatMap(({ call_phone: phone, call_summary: summary }) => {
    const call = ledger.calls.find(({ name }) => name === summary);
    if (call === undefined || call.phone === phone) return [];
    return [`the result of ${call.name} (${call.phone}) is exported for ${phone}`];
  });
}

/** The service gave this id to several calls. */
function isShared(id: string, { calls }: Ledger): boolean {
  return calls.filter(({ callId }) => callId === id).length > 1;
}

/** Somebody has said that the first call was not made: one row of them has the better one. */
function isOneOfTwo(phone: string, { requests, denied }: Ledger): boolean {
  const keys = new Set(requests.filter((one) => one.phone === phone).map(({ key }) => key));
  return keys.size > 1 && [...keys].some((key) => denied.has(key));
}

function nobodyWhoRangIsExportedAsNotCalled({ rows, ledger }: Evidence): string[] {
  return ledger.calls.flatMap(({ callId, phone, key }) => {
    const row = rows.find((other) => other.call_phone === phone);
    if (row === undefined || row.call_result === 'unconfirmed') return [];
    // After a denial that was false a person may have two calls; either may be the one that the row shows.
    const own = ledger.calls.filter((call) => call.phone === phone);
    if (own.some((call) => call.callId === row.call_id) || ledger.denied.has(key)) return [];
    return [
      `${phone} rang (${callId}) and is exported as ${row.call_state} ${row.call_result ?? ''}`,
    ];
  });
}

/** active calls never above the limit; a wall clock that jumps over `longestCall` frees slots early */
function neverTooManyCalls({ ledger, plan }: Evidence): string[] {
  if (plan.clockJumps.length > 0 || ledger.mostCalls <= plan.concurrency) return [];
  return [`${ledger.mostCalls} calls at once, allowed were ${plan.concurrency}`];
}

/** everything final within bounded time once faults stop */
function everythingIsFinal({ rows }: Evidence): string[] {
  return rows
    .filter((row) => row.call_state !== 'done')
    .map((row) => `${row.call_phone} is still ${row.call_state}`);
}

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, i) => values.indexOf(value) !== i))];
}
