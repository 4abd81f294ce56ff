import type { Database } from 'better-sqlite3';
import type { CallEvidence } from '../../../src/domain/calling/caps.ts';
import type { Plan } from '../plan.ts';
import { CAMPAIGN } from '../world/template.ts';
import { statementOf } from '../world/statement-of.ts';
import type { CallingSettings } from './calling-plan.ts';
import { clockIn, zonesOf } from './oracle.ts';

/** An attempt, and why it was allowed, as the store has it. */
export interface Allowed {
  key: string;
  /** The number that was dialled. */
  phone: string;
  /** Epoch ms. */
  intentAt: number;
  /** Null: the store does not say why. */
  facts: CallEvidence | null;
}

const ALLOWED = `SELECT key, phone, intent_at AS intentAt, facts FROM attempts
  LEFT JOIN evidence ON attempt_seq = seq WHERE campaign_id = '${CAMPAIGN}'`;

export function allowedIn(db: Database): Allowed[] {
  const rows = statementOf(db, ALLOWED).all() as (Omit<Allowed, 'facts'> & {
    facts: string | null;
  })[];
  return rows.map((row) => ({
    ...row,
    facts: row.facts === null ? null : (JSON.parse(row.facts) as CallEvidence),
  }));
}

/** Every attempt says why it was allowed; those that a journal brings back beside an older database cannot. */
export function everyAttemptSaysWhy({
  plan,
  allowed,
}: {
  plan: Pick<Plan, 'restore' | 'calling'>;
  allowed: readonly Allowed[];
}): string[] {
  return allowed.flatMap(({ key, phone, facts }) => {
    const tell = (what: string) => `the attempt ${key} to ${phone} ${what}`;
    if (facts === null) return plan.restore === null ? [tell('does not say why')] : [];
    const above = facts.caps.filter(({ made, calls }) => made >= calls);
    return [
      ...above.map(({ made, calls }) => tell(`was allowed after ${made} of ${calls} calls`)),
      ...(facts.approved?.who === 'operator' ? [] : [tell('names nobody who started it')]),
      // Nobody knows where the numbers of other nights are.
      ...(plan.calling === null
        ? Object.keys(facts.clocks).map((zone) => tell(`has a clock of ${zone}`))
        : []),
    ];
  });
}

/** What may have been known of the place when an attempt was made. */
export interface KnownPlace {
  /** Where the person was at this number: one of these, as a list may have come meanwhile. */
  zoneKeys: readonly string[];
  /** All places at which any list knows of the number, as one. */
  everyPlace: string;
  settings: readonly CallingSettings[];
}

/** Whether its clocks are those of the place: all zones of the person are there, and none but those of the number. */
export function againstPlace(
  { key, phone, intentAt, facts }: Allowed,
  { zoneKeys, everyPlace, settings }: KnownPlace,
): string[] {
  if (facts === null) return [];
  const named = Object.keys(facts.clocks);
  const found = settings.flatMap(({ policy }) =>
    zoneKeys.map((zoneKey) => {
      const own = zonesOf(policy, zoneKey);
      const known = zonesOf(policy, everyPlace);
      // Another list knows a zone where this one does not, so that none is assumed.
      const isElsewhere = zoneKey.startsWith(';') && named.some((zone) => known.includes(zone));
      if (isElsewhere && named.every((zone) => known.includes(zone)))
        return wrongClocks(policy, facts, intentAt);
      const may = zoneKey.startsWith(';') ? own : [...own, ...known];
      return [
        ...own.filter((zone) => !named.includes(zone)).map((zone) => `lacks the clock of ${zone}`),
        ...named.filter((zone) => !may.includes(zone)).map((zone) => `has a clock of ${zone}`),
        ...wrongClocks(policy, facts, intentAt),
      ];
    }),
  );
  const [worst = []] = found;
  if (found.some((each) => each.length === 0)) return [];
  return worst.map((what) => `the attempt ${key} to ${phone} (${zoneKeys.join(' or ')}) ${what}`);
}

function wrongClocks(
  policy: CallingSettings['policy'],
  { clocks }: CallEvidence,
  at: number,
): string[] {
  return Object.entries(clocks).flatMap(([zone, shown]) => {
    const right = clockIn(policy, zone, at);
    return right === shown ? [] : [`shows ${shown} in ${zone}, where it was ${right}`];
  });
}
