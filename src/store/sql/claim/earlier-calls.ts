import { countsSince, type CallEnd, type SkipCalled } from '../../../domain/campaign.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { EarlierCall, OtherCampaigns, SameList } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import {
  attemptIdOf,
  ATTEMPTS_BY_PHONE,
  ATTEMPTS_OF_PERIOD,
  PERIODS,
  MAY_HAVE_RUNG,
  seqOf,
} from '../tables/attempt-rows.ts';
import { POSITIONS_PER_LIST } from '../tables/lead-ends.ts';
import { IN_FORCE } from '../tables/suppression.ts';

/** When a call began: a call that the service has postponed begins later than its dial. */
const BEGAN_AT = 'max(attempts.intent_at, coalesce(attempts.begins_at, 0))';

/**
 * Finds the newest call of another campaign to a person or to a number, for the claim: one search of an index for each
 * campaign, and one for each period in which calls were made.
 */
export function earlierCallOf(sql: Sql) {
  const selectToNumber = sql.rows<
    [Asked & { phone: string; since: number }],
    NewestCall & { intentAt: number }
  >(
    `SELECT campaigns.name AS campaign, ${BEGAN_AT} AS at, attempts.state, attempts.result, intent_at AS intentAt
     FROM ${ATTEMPTS_BY_PHONE} AND attempts.phone = @phone CROSS JOIN campaigns ON campaigns.id = attempts.campaign_id
     WHERE campaigns.id <> @own AND campaigns.simulated = @simulated AND ${BEGAN_AT} >= @since AND ${MAY_HAVE_RUNG}`,
  );
  const select = sql.row<[Asked & { phone: string; since: number }], NewestCall>(
    `SELECT campaigns.name AS campaign, ${BEGAN_AT} AS at, attempts.state, attempts.result FROM campaigns
     CROSS JOIN leads ON leads.campaign_id = campaigns.id AND leads.phone = @phone AND leads.spent > 0
     CROSS JOIN attempts ON attempts.lead_row = leads.row
     WHERE campaigns.id <> @own AND campaigns.simulated = @simulated
       AND ${BEGAN_AT} >= @since AND ${MAY_HAVE_RUNG}
     ORDER BY attempts.seq DESC LIMIT 1`,
  );
  return function find(
    { id, simulated }: { id: string; simulated: boolean },
    { own, dial }: { own: ReadonlySet<string>; dial: E164 },
    skip: SkipCalled,
    now: number,
  ): NewestCall | undefined {
    const asked = { ...askedBy({ campaignId: id, simulated }), since: countsSince(skip, now) };
    const [toNumber] = selectToNumber({ ...asked, phone: dial }).sort(
      (a, b) => b.intentAt - a.intentAt,
    );
    if (toNumber !== undefined) return toNumber;
    for (const phone of own) {
      const call = select({ ...asked, phone });
      if (call !== undefined) return call;
    }
    return undefined;
  };
}

/** Queries before a campaign starts: calls by other campaigns (all, or to given numbers), and lists of equal bytes. */
export function earlierCallStatements(sql: Sql) {
  const columns = `${attemptIdOf('attempts.seq')} AS attemptId, attempts.phone, attempts.campaign_id AS campaignId,
    ${BEGAN_AT} AS at, attempts.state, attempts.result, CASE WHEN own.state <> 'waiting' THEN 'other' ELSE own.state END AS lead,
    EXISTS (SELECT 1 FROM suppression AS entry WHERE entry.phone = attempts.phone AND ${IN_FORCE}) AS suppressed`;
  // The person's own lead: the one with the number that was called, else the one with the called person's first number.
  const ownLead = (phone: string) =>
    `(SELECT row FROM leads AS mine WHERE mine.campaign_id = @own AND mine.phone = ${phone})`;
  const withOwn = `LEFT JOIN leads AS own ON own.row = coalesce(${ownLead('attempts.phone')},
    ${ownLead('(SELECT phone FROM leads AS called WHERE called.row = attempts.lead_row)')})`;
  const selectPage = sql.rows<
    [Asked & { now: number; before: number; limit: number }],
    EarlierCall
  >(
    `SELECT ${columns} FROM attempts ${withOwn}
     WHERE attempts.seq < @before AND ${MAY_HAVE_RUNG} AND attempts.campaign_id IN
       (SELECT id FROM campaigns WHERE id <> @own AND simulated = @simulated)
     ORDER BY attempts.seq DESC LIMIT @limit + 0`,
    { flags: ['suppressed'] },
  );
  const selectOf = sql.rows<[Asked & { now: number; phones: string }], EarlierCall>(
    `SELECT ${columns} FROM attempts ${withOwn} WHERE attempts.seq IN
       (SELECT attempts.seq FROM json_each(@phones) AS asked CROSS JOIN campaigns ON true
          CROSS JOIN leads ON leads.campaign_id = campaigns.id AND leads.phone = asked.value AND leads.spent > 0
          CROSS JOIN attempts ON attempts.lead_row = leads.row
        UNION SELECT attempts.seq FROM json_each(@phones) AS asked
          CROSS JOIN ${PERIODS} ON true CROSS JOIN ${ATTEMPTS_OF_PERIOD} AND attempts.phone = asked.value)
       AND attempts.campaign_id IN (SELECT id FROM campaigns WHERE id <> @own AND simulated = @simulated)
       AND ${MAY_HAVE_RUNG}
     ORDER BY attempts.seq DESC`,
    { flags: ['suppressed'] },
  );
  const ofList = `leads.campaign_id = lists.campaign_id
    AND leads.position BETWEEN lists.number * ${POSITIONS_PER_LIST} AND (lists.number + 1) * ${POSITIONS_PER_LIST} - 1`;
  const selectLists = sql.rows<[Asked & { sha256s: string }], SameList>(
    `SELECT sha256, path, at, campaign, waits FROM (
       SELECT lists.sha256, lists.path, lists.at, campaigns.name AS campaign, campaigns.state <> 'cancelled'
           AND EXISTS (SELECT 1 FROM leads WHERE ${ofList} AND leads.state = 'waiting') AS waits,
         EXISTS (SELECT 1 FROM leads WHERE ${ofList} AND leads.spent > 0) AS called
       FROM lists JOIN campaigns ON campaigns.id = lists.campaign_id
       WHERE campaigns.id <> @own AND campaigns.simulated = @simulated
         AND lists.sha256 IN (SELECT value FROM json_each(@sha256s))) AS same
     WHERE waits OR called ORDER BY at DESC, campaign, path`,
    { flags: ['waits'] },
  );

  return {
    earlierCalls: ({ now, limit, before, ...asked }) => {
      const last = before === null ? Number.MAX_SAFE_INTEGER : seqOf(before);
      return selectPage({ ...askedBy(asked), now, before: last, limit });
    },
    earlierCallsOf: ({ now, phones, ...asked }) =>
      selectOf({ ...askedBy(asked), now, phones: JSON.stringify(phones) }),
    sameLists: ({ sha256s, ...asked }) =>
      selectLists({ ...askedBy(asked), sha256s: JSON.stringify(sha256s) }),
  } satisfies Partial<Methods>;
}

type NewestCall = CallEnd & { campaign: string; at: number };

type Asked = ReturnType<typeof askedBy>;

function askedBy({ campaignId, simulated }: OtherCampaigns) {
  return { own: campaignId ?? '', simulated: simulated ? 1 : 0 };
}
