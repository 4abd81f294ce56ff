import { countedCaps, type CallEvidence } from '../../../domain/calling/caps.ts';
import { limitsAt } from '../../../domain/calling/limits.ts';
import type { CallingPolicy } from '../../../domain/calling/policy.ts';
import { placeOf } from '../../../domain/calling/zone-key.ts';
import type { ListMapping } from '../../../domain/lists/list-mapping.ts';
import { shortHash } from '../../../runtime/random.ts';
import type { Sql } from '../sql.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { CallingTimes } from './calling-times.ts';
import type { KnownOfLead } from './obstacles.ts';

const iso = (at: number) => new Date(at).toISOString();

/** Writes down why a call is allowed, in the transaction that allows it. */
export function evidenceStatements(sql: Sql) {
  const selectLine = sql.row<[leadRow: number], LineRow>(
    `SELECT coalesce(corrected_line, leads.line) AS line, latest.path, lists.mapping ->> '$.mayCall' AS mayCall,
       lists.headers, leads.cells FROM leads JOIN lists ON lists.id = leads.list_id
       JOIN lists AS latest ON latest.id = coalesce(corrected_by, leads.list_id) WHERE leads.row = ?`,
  );
  const selectFiles = sql.rows<[], { path: string; asOf: number }>(
    'SELECT path, as_of AS asOf FROM suppression_lists ORDER BY as_of, seq',
  );
  const selectApproved = sql.row<[campaignId: string], { who: string; at: number }>(
    `SELECT who, at FROM history WHERE campaign_id = ? AND what IN ('campaign.started', 'campaign.resumed', 'run.confirmed')
     ORDER BY seq DESC LIMIT 1`,
  );
  const insert = sql.later<[seq: number, facts: string]>(
    'INSERT INTO evidence (attempt_seq, facts) VALUES (?, ?)',
  );
  // What is true of the first dial may have changed when it is sent again, and either may be the one that rang.
  const selectFacts = sql.value<[seq: number], string>(
    'SELECT facts FROM evidence WHERE attempt_seq = ?',
  );
  const update = sql.run<[facts: string, seq: number]>(
    'UPDATE evidence SET facts = ? WHERE attempt_seq = ?',
  );
  function addAgain(seq: number, facts: CallEvidence & { at: string }): void {
    const kept = selectFacts(seq);
    if (kept === undefined) return;
    const { again = [], ...first } = JSON.parse(kept) as CallEvidence;
    update(JSON.stringify({ ...first, again: [...again, facts] }), seq);
  }

  const versions = new WeakMap<CallingPolicy, ReadonlyMap<string, string>>();

  /** What is the same for all calls of one claim. */
  return function begin({ id, settings }: CampaignRow, times: CallingTimes, now: number) {
    const { policy } = settings;
    const registries = Object.fromEntries(
      selectFiles().map(({ path, asOf }) => [path, iso(asOf).slice(0, 10)]),
    );
    const said = selectApproved(id);
    const approved = said === undefined ? null : { ...said, at: `${iso(said.at).slice(0, 16)}Z` };
    const versionOf = policy && (versions.get(policy) ?? versionsOf(policy));
    if (policy !== undefined && versionOf !== undefined) versions.set(policy, versionOf);

    return function keep(
      seq: number,
      row: number,
      known: KnownOfLead,
      dial: 'first' | 'again' = 'first',
    ): void {
      const { zones, offsetAt } = times.clocksAt(known.place);
      const place = placeOf(known.place);
      const limits = policy === undefined ? [] : limitsAt(policy, place);
      const { line = 0, path = '', ...cells } = selectLine(row) ?? {};
      const facts: CallEvidence = {
        clocks: Object.fromEntries(zones.map((zone) => [zone, clock(now, offsetAt(zone, now))])),
        regions: place.regions,
        rules: Object.fromEntries(
          limits.map(({ by }) => [by, versionOf?.get(by.split(' ')[0] ?? '') ?? '']),
        ),
        caps: known.past === null ? [] : countedCaps(limits, known.past, now),
        list: path,
        line,
        consent: consentIn(cells),
        registries,
        approved,
      };
      if (dial === 'first') insert(seq, JSON.stringify(facts));
      else addAgain(seq, { at: iso(now), ...facts });
    };
  };
}

interface LineRow {
  line: number;
  path: string;
  /** These three as JSON text, which is read only where the list has a column that says who may be called. */
  mayCall: string | null;
  headers: string;
  cells: string;
}

function consentIn({ mayCall, headers, cells }: Partial<LineRow>): CallEvidence['consent'] {
  if (mayCall == null || headers === undefined || cells === undefined) return {};
  const [names, values] = [JSON.parse(headers), JSON.parse(cells)] as [string[], string[]];
  const columns = JSON.parse(mayCall) as NonNullable<ListMapping['mayCall']>;
  return Object.fromEntries(
    columns.map(({ column }) => [names[column]?.trim() ?? '', values[column]?.trim() ?? '']),
  );
}

/** The version of a rule is a hash of all that it says: two calls under the same version had the same rule. */
function versionsOf({ rules }: CallingPolicy): ReadonlyMap<string, string> {
  return new Map(rules.map((rule) => [rule.name, shortHash([JSON.stringify(rule)], 8)]));
}

/** What a clock shows, `2026-11-27T15:30-05:00`; in UTC where the zone's offset is not known. */
function clock(now: number, offsetMs = 0): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000));
  const two = (n: number) => String(n).padStart(2, '0');
  const sign = offsetMs < 0 ? '-' : '+';
  const local = iso(now + offsetMs).slice(0, 16);
  return `${local}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
