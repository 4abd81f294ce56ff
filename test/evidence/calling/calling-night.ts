import type { Database } from 'better-sqlite3';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import type { CallingPlan, CallingSettings } from './calling-plan.ts';
import type { Plan } from '../plan.ts';
import { rowOf } from './persons.ts';
import { statementOf } from '../world/statement-of.ts';

/** The same night with its troubles spread over a longer time, so that they meet closed doors, caps and second calls. */
export function stretched(plan: Plan, calling: CallingPlan): Plan {
  const by = calling.stretch;
  const later = <T extends { at: number }>(each: T): T => ({ ...each, at: each.at * by });
  const span = <T extends { from: number; to: number }>(each: T): T => ({
    ...each,
    from: each.from * by,
    to: each.from * by + each.to - each.from,
  });
  const { restore } = plan;
  return {
    ...plan,
    calling: { ...calling, changes: calling.changes.map(later), lists: calling.lists.map(later) },
    operator: plan.operator.map(later),
    clockJumps: plan.clockJumps.map(later),
    freezes: plan.freezes.map(later),
    storms: plan.storms.map(span),
    outages: plan.outages.map(span),
    disk: plan.disk.map(span),
    locks: plan.locks.map(span),
    restore: restore && { ...restore, copyAt: restore.copyAt * by, at: restore.at * by },
    calmAt: plan.calmAt * by,
    // What a call comes to decides whether the person is called again: it has to be told truly.
    lies: { analytics: 0, ids: 0 },
    webhooks: null,
  };
}

export function withCalling(
  settings: CampaignSettings,
  { policy, retry }: CallingSettings,
): CampaignSettings {
  const next = { ...settings };
  delete next.policy;
  delete next.retry;
  return { ...next, ...(policy && { policy }), ...(retry && { retry }) };
}

const PLACE = 'UPDATE leads SET zone_key = ? WHERE phone = ?';
const PERSON = 'UPDATE leads SET person = ?, person_name = ? WHERE phone = ?';
const NUMBER = `INSERT INTO lead_numbers
  SELECT row, ?, ?, ? FROM leads WHERE phone = ? ON CONFLICT DO NOTHING`;

/** Puts the people of the list in their places, as its import would have done, with their further numbers and keys. */
export function settle(db: Database, { people }: CallingPlan, phones: readonly string[]): void {
  for (const [i, { zoneKey, alternatives, named }] of people.entries()) {
    const own = phones[i] ?? '';
    const { person } = rowOf(named, own);
    if (person !== undefined) statementOf(db, PERSON).run(person.key, person.name, own);
    statementOf(db, PLACE).run(zoneKey, own);
    for (const [n, { phone, zoneKey: place }] of alternatives.entries()) {
      statementOf(db, NUMBER).run(n + 1, phone, place, own);
    }
  }
}
