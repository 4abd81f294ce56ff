import type { E164 } from '../../../../domain/phone.ts';
import type { AddedLeads, List, NewLead } from '../../../port.ts';
import type { Sql } from '../../sql.ts';
import { leadCounts, POSITIONS_PER_LIST, type LeadEnd } from '../lead-ends.ts';
import { reasonOf, whyOf, type SuppressionTable } from '../suppression.ts';
import type { correctionStatements } from './corrections.ts';

export function addLeadsStatement(
  sql: Sql,
  {
    suppression,
    corrections,
    end,
  }: {
    suppression: SuppressionTable;
    corrections: ReturnType<typeof correctionStatements>;
    end: (row: number, own: LeadEnd) => void;
  },
) {
  const INSERT = `INSERT INTO leads (campaign_id, list_id, position, line, phone, cells, zone_key, zones_disagree, not_before,
       reason, consent_until, consent_given, person, person_name)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const insertLead = sql.run(`${INSERT} ON CONFLICT (campaign_id, phone) DO NOTHING`);
  const insertNew = sql.later(INSERT);
  const selectKnown = sql.value<[phones: string, campaignId: string], number>(
    `SELECT 1 FROM json_each(?) AS asked CROSS JOIN leads ON leads.campaign_id = ? AND leads.phone = asked.value LIMIT 1`,
  );
  const updateNotBefore = sql.run(
    `UPDATE leads SET not_before = max(not_before, @at), held_from = CASE WHEN held_from IS NULL THEN NULL ELSE max(held_from, @at) END,
       reason = CASE WHEN state <> 'done' AND not_before < @at THEN @why ELSE reason END
     WHERE row = @row AND (state <> 'done' OR result = 'cancelled') AND (not_before < @at OR held_from < @at)`,
  );
  // Of two rows of one list the stricter holds; a later list renews a consent.
  const strictest = (column: string, own: string) =>
    `CASE WHEN list_id = @list THEN min(coalesce(${column}, @${own}), coalesce(@${own}, ${column})) ELSE coalesce(@${own}, ${column}) END`;
  const updateConsent = sql.run<
    [{ until: number | null; given: number | null; row: number; list: string }]
  >(
    `UPDATE leads SET consent_until = ${strictest('consent_until', 'until')},
       consent_given = ${strictest('consent_given', 'given')}
     WHERE row = @row AND (state <> 'done' OR result = 'cancelled')`,
  );
  const insertNumber = sql.later(
    `INSERT INTO lead_numbers (lead_row, ordinal, phone, zone_key)
     SELECT row, @ordinal, @further, @zoneKey FROM leads WHERE campaign_id = @campaignId AND phone = @phone`,
  );
  const selectHolder = sql.row<[campaignId: string, phone: E164], Holder>(
    `SELECT row, leads.line AS firstLine, lists.path AS firstList FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.campaign_id = ? AND leads.phone = ?`,
  );
  const count = leadCounts(sql);

  function holderOf(campaignId: string, phone: E164): Holder {
    const holder = selectHolder(campaignId, phone);
    if (holder === undefined) throw new Error(`not in the database: ${phone}`);
    return holder;
  }

  /** Nobody of them is in the campaign: their rows can be sent together. */
  function areNew(campaignId: string, leads: readonly NewLead[]): boolean {
    if (!sql.isTogether) return false;
    const phones = [...new Set(leads.map(({ phone }) => phone))];
    return (
      phones.length === leads.length &&
      selectKnown(JSON.stringify(phones), campaignId) === undefined
    );
  }

  /** Suppresses the numbers of a row that says not to call this person. */
  function suppressAsked({ doNotCall }: NewLead, { at, path: list }: List): void {
    for (const phone of doNotCall?.phones ?? []) {
      const note = doNotCall?.note ?? null;
      suppression.add({ phone, at, source: 'list', note, who: 'callsheet', expiresAt: null, list });
    }
  }

  return (campaignId: string, list: List, leads: readonly NewLead[]): AddedLeads => {
    const answer: AddedLeads = {
      added: 0,
      suppressed: [],
      duplicates: [],
      corrected: 0,
      stopped: 0,
    };
    for (const lead of leads) suppressAsked(lead, list);
    const inserted: { position: number; zoneKey: string }[] = [];
    const entryOf = suppression.at(list.at);
    const correct = corrections.by(campaignId, list);
    sql.ahead(() => {
      for (const { phone } of leads) entryOf(phone);
    });
    const allNew = areNew(campaignId, leads);
    for (const lead of leads) {
      const { phone, line, cells, zoneKey = '', zonesDisagree = false } = lead;
      const position = list.number * POSITIONS_PER_LIST + line;
      const row = [campaignId, list.id, position, line, phone, JSON.stringify(cells), zoneKey];
      const { notBefore, consentUntil = null, consentGiven = null } = lead;
      const times = [notBefore?.at ?? 0, notBefore?.why ?? null, consentUntil, consentGiven];
      const { key = null, name = '' } = lead.person ?? {};
      const values = [...row, zonesDisagree ? 1 : 0, ...times, key, name];
      if (allNew) insertNew(...values);
      else if (insertLead(...values) === 0) {
        const { row: known, firstLine, firstList } = holderOf(campaignId, phone);
        answer.duplicates.push({ line, phone, firstLine, firstList });
        const change = correct(lead);
        if (change !== null) answer[change] += 1;
        if (notBefore !== undefined) updateNotBefore({ ...notBefore, row: known });
        if (consentUntil !== null || consentGiven !== null)
          updateConsent({ until: consentUntil, given: consentGiven, row: known, list: list.id });
        continue;
      }
      inserted.push({ position, zoneKey });
      for (const [i, further] of (lead.alternatives ?? []).entries()) {
        const place = { ordinal: i + 1, further: further.phone, zoneKey: further.zoneKey };
        insertNumber({ campaignId, phone, ...place });
      }
      const entry = entryOf(phone);
      if (entry === undefined) answer.added += 1;
      else {
        const reason = reasonOf(entry);
        end(holderOf(campaignId, phone).row, { result: 'suppressed', source: 'callsheet', reason });
        answer.suppressed.push({ line, phone, why: whyOf(entry) });
      }
    }
    count(campaignId, inserted);
    return answer;
  };
}

interface Holder {
  row: number;
  firstLine: number;
  firstList: string;
}
