import type { CampaignSettings } from '../../../domain/campaign.ts';
import { usageError } from '../../../runtime/errors.ts';
import { shellWord } from '../../../text/wording.ts';
import { campaignChanged } from '../../campaigns.ts';
import type { Campaign, CampaignChange, HistoryEntry, Runner } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, IS_OPEN_CALL, UNRESOLVED } from './attempt-rows.ts';

/** The tables `campaigns`, `history`, and `runners` (processes that report that they run a campaign). */
export function campaignTable(sql: Sql) {
  const insertCampaign = sql.run(
    `INSERT INTO campaigns (id, name, kind, service, simulated, state, settings, created_at)
     VALUES (@id, @name, @kind, @service, @simulated, 'draft', @settings, @createdAt)`,
  );
  const select = `SELECT id, name, kind, service, simulated, settings, created_at AS createdAt, state,
    pause_reason AS pauseReason, pause_detail AS pauseDetail, archived_at AS archivedAt,
    pace_due_at AS paceDueAt, cancelled_after AS cancelledAfter, policy_version AS policyVersion,
    version FROM campaigns`;
  const campaigns = (which: string) =>
    sql.rows<string[], CampaignRow>(`${select} ${which}`, {
      json: ['settings'],
      flags: ['simulated'],
    });
  const selectUnread = sql.row<[id: string], Omit<CampaignRow, 'settings'> & { settings: string }>(
    `${select} WHERE id = ?`,
    { flags: ['simulated'] },
  );
  const settingsOf = settingsReader();
  const selectByName = campaigns('WHERE name = ?');
  const selectById = campaigns('WHERE id = ?');
  const selectAll = campaigns('ORDER BY created_at, name');
  const updateCampaign = sql.run(
    `UPDATE campaigns SET state = @state, pause_reason = @pauseReason, pause_detail = @pauseDetail,
       settings = @settings, service = @service, simulated = @simulated, name = @name, archived_at = @archivedAt,
       policy_version = policy_version + @isOther, version = version + 1 WHERE id = @id`,
  );
  const updateCancelled = sql.run<[id: string]>(
    'UPDATE campaigns SET cancelled_after = (SELECT coalesce(max(seq), 0) FROM attempts) WHERE id = ?',
  );
  const insertHistory = sql.run(
    'INSERT INTO history (campaign_id, at, who, what, detail) VALUES (?, ?, ?, ?, ?)',
  );
  /** How many others there are. */
  const upsertRunner = sql.value<[Record<string, string | number>], number>(
    `INSERT INTO runners (campaign_id, host, boot, pid, since, seen_at, dials)
     VALUES (@campaignId, @host, @boot, @pid, @at, @at, @dials)
     ON CONFLICT (campaign_id, host, boot, pid) DO UPDATE SET seen_at = excluded.seen_at, dials = excluded.dials
     RETURNING (SELECT count(*) FROM runners AS other WHERE other.campaign_id = @campaignId
       AND (other.host <> @host OR other.boot <> @boot OR other.pid <> @pid))`,
  );
  const removeRunner = sql.run(
    'DELETE FROM runners WHERE campaign_id = @campaignId AND host = @host AND boot = @boot AND pid = @pid',
  );

  const selectRunners = sql.rows<[campaignId: string], Runner>(
    'SELECT host, boot, pid, since, seen_at AS seenAt, dials FROM runners WHERE campaign_id = ? ORDER BY since',
    { flags: ['dials'] },
  );
  const historyOf = sql.rows<[campaignId: string], HistoryEntry>(
    'SELECT at, who, what, detail FROM history WHERE campaign_id = ? ORDER BY seq',
    { json: ['detail'] },
  );

  function get(id: string): CampaignRow {
    const [row] = selectById(id);
    if (row === undefined) throw new Error(`no campaign has the id ${id}`);
    return row;
  }

  function addHistory(campaignId: string, entry: HistoryEntry): void {
    insertHistory(campaignId, entry.at, entry.who, entry.what, JSON.stringify(entry.detail));
  }

  function requireFreeName(name: string, hint: string): void {
    if (selectByName(name).length === 0) return;
    const message = `There is a campaign "${name}" already.`;
    throw usageError('CAMPAIGN_EXISTS', message, hint);
  }

  const unfinished = (id: string) =>
    sql.row<[{ id: string }], Unfinished>(UNFINISHED)({ id }) as Unfinished;

  /** People do not see archived campaigns in lists, so a campaign whose calls still need attention is refused. */
  function requireDone({ id, name }: CampaignRow): void {
    const { waiting, calling, open, doubts, lists } = unfinished(id);
    const counts: [number, string][] = [
      [waiting, 'waiting to be called'],
      [Math.max(calling, open), 'in a call that is still open'],
      [doubts, 'in doubt whether they were called'],
      [lists, 'list whose import has not ended'],
    ];
    const said = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    if (said.length === 0) return;
    throw usageError(
      'CAMPAIGN_NOT_DONE',
      `Campaign "${name}" is not done: ${said.join(', ')}.`,
      `see \`callsheet status ${shellWord(name)}\` for what to do first`,
    );
  }

  function change(id: string, change: CampaignChange, entry: HistoryEntry): Campaign {
    const before = get(id);
    // It may have ended since the operator looked at it, or while a runner was about to pause it.
    const isOver = before.state === 'completed' || before.state === 'cancelled';
    if (change.pause !== undefined && isOver) return toCampaign(before);
    const { ifVersion = before.version } = change;
    if (ifVersion !== before.version) throw campaignChanged(before.name, historyOf(id));
    // Two processes may see the last result at once; the campaign may have been paused, or got a list, since then.
    if (change.state === 'completed') {
      const { waiting, calling, lists } = unfinished(id);
      if (before.state !== 'running' || waiting + calling + lists > 0) return toCampaign(before);
    }
    // The operator may have paused or cancelled it while somebody was asked, a list was read or a service answered.
    const isHeld = before.pauseReason === 'operator' && change.resumes !== true;
    if (change.state === 'running' && (isHeld || before.state === 'cancelled'))
      return toCampaign(before);
    const { name = before.name, archivedAt = before.archivedAt } = change;
    if (name !== before.name) requireFreeName(name, 'choose another name');
    if (archivedAt !== null && before.archivedAt === null) requireDone(before);
    updateCampaign({
      id,
      ...stateAfter(before, change),
      settings: JSON.stringify(change.settings ?? before.settings),
      service: change.service ?? before.service,
      simulated: (change.simulated ?? before.simulated) ? 1 : 0,
      name,
      archivedAt,
      isOther: isOtherPolicy(before.settings, change.settings) ? 1 : 0,
    });
    if (change.state === 'cancelled' && before.state !== 'cancelled') updateCancelled(id);
    addHistory(id, entry);
    return toCampaign(get(id));
  }

  /** What a draft without people can have; prepared only when one is removed. */
  function removeDraft(id: string): boolean {
    const isIt = sql.value<[id: string], string>(
      `SELECT id FROM campaigns WHERE id = ? AND state = 'draft'
         AND NOT EXISTS (SELECT 1 FROM leads WHERE campaign_id = campaigns.id)`,
    );
    if (isIt(id) === undefined) return false;
    const own = ['history', 'lists', 'runners', 'watched_lists', 'list_addresses', 'outbox'];
    for (const table of own)
      sql.run<[id: string]>(`DELETE FROM ${table} WHERE campaign_id = ?`)(id);
    sql.run<[id: string]>('DELETE FROM campaigns WHERE id = ?')(id);
    return true;
  }

  return {
    get,
    /**
     * As `get`, for code that runs for every call: settings are parsed once per text, so equal settings are the same
     * object and must not be changed.
     */
    getOften: (id: string): CampaignRow => {
      const row = selectUnread(id);
      if (row === undefined) throw new Error(`no campaign has the id ${id}`);
      return { ...row, settings: settingsOf(id, row.settings) };
    },
    addHistory,
    /** `detail` names the attempt that the service contradicts. */
    addContradiction: (campaignId: string, at: number, detail: HistoryEntry['detail']): void => {
      addHistory(campaignId, { at, who: 'callsheet', what: 'attempt.contradicted', detail });
    },
    keeps: {
      changeCampaign: change,
      runnerSeen: (campaignId, { host, boot, pid }, at, dials = true) => {
        const others = upsertRunner({ campaignId, host, boot, pid, at, dials: dials ? 1 : 0 });
        return others === 0 ? [] : selectRunners(campaignId);
      },
      runnerLeft: (campaignId, { host, boot, pid }) => {
        removeRunner({ campaignId, host, boot, pid });
      },
    } satisfies Partial<Methods>,
    writes: {
      removeDraft,
      addHistory,
      createCampaign: (campaign, entry) => {
        requireFreeName(
          campaign.name,
          'If another callsheet has begun it just now, run the same command again to help it; else choose another name with --name.',
        );
        insertCampaign({
          ...campaign,
          simulated: campaign.simulated ? 1 : 0,
          settings: JSON.stringify(campaign.settings),
        });
        addHistory(campaign.id, entry);
        return toCampaign(get(campaign.id));
      },
    } satisfies Partial<Methods>,
    reads: {
      findCampaign: (name) => selectByName(name).map(toCampaign)[0],
      listCampaigns: () => selectAll().map(toCampaign),
      history: historyOf,
      runners: selectRunners,
    } satisfies Partial<Methods>,
  };
}

/** @returns a function that parses the settings of a campaign when their text is another one than the last */
function settingsReader() {
  const known = new Map<string, { text: string; settings: CampaignSettings }>();
  return (id: string, text: string): CampaignSettings => {
    const last = known.get(id);
    if (last?.text === text) return last.settings;
    const settings = JSON.parse(text) as CampaignSettings;
    known.set(id, { text, settings });
    return settings;
  };
}

const UNFINISHED = `SELECT
       (SELECT coalesce(sum(leads), 0) FROM lead_counts WHERE campaign_id = @id AND standing = 'waiting'
          AND (SELECT state FROM campaigns WHERE id = @id) <> 'cancelled') AS waiting,
       (SELECT coalesce(sum(leads), 0) FROM lead_counts WHERE campaign_id = @id AND standing = 'calling') AS calling,
       (SELECT count(*) FROM attempts INDEXED BY attempts_to_poll
          WHERE campaign_id = @id AND ${IS_OPEN_CALL}) AS open,
       (SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = @id AND ${UNRESOLVED}) AS doubts,
       (SELECT count(*) FROM lists WHERE campaign_id = @id AND finished_at IS NULL
          -- Nobody takes in what was sent to a campaign that is cancelled.
          AND NOT (input IS NOT NULL AND importer IS NULL
            AND (SELECT state FROM campaigns WHERE id = @id) = 'cancelled')) AS lists`;

/** True when leads that are held back may be called at other times than before. */
function isOtherPolicy(before: CampaignSettings, after: CampaignSettings | undefined): boolean {
  const decides = ({ policy, retry, variables }: CampaignSettings) =>
    JSON.stringify([policy, retry, variables]);
  return after !== undefined && decides(after) !== decides(before);
}

/** Runners may disagree: only `undoCancel` lifts a cancellation; the program's pause never replaces the operator's. */
function stateAfter(before: CampaignRow, { state, pause }: CampaignChange) {
  const { pauseReason, pauseDetail } = before;
  const stays = { state: before.state, pauseReason, pauseDetail };
  if (before.state === 'cancelled') return stays;
  if (pause !== undefined) {
    if (pauseReason === 'operator' && pause.reason !== 'operator') return stays;
    return { state: 'paused', pauseReason: pause.reason, pauseDetail: pause.detail };
  }
  return state === undefined ? stays : { state, pauseReason: null, pauseDetail: null };
}

export type CampaignTable = ReturnType<typeof campaignTable>;

export interface CampaignRow extends Omit<Campaign, 'archivedAt'> {
  archivedAt: number | null;
  paceDueAt: number;
  /** Counts the changes of what decides when leads are called. */
  policyVersion: number;
  /** Sequence number of the last attempt in the database when the campaign was cancelled. */
  cancelledAfter: number | null;
}

type Unfinished = Record<'waiting' | 'calling' | 'open' | 'doubts' | 'lists', number>;

function toCampaign({ archivedAt, ...row }: CampaignRow): Campaign {
  const { id, name, kind, service, simulated, settings, createdAt } = row;
  const { state, pauseReason, pauseDetail, version } = row;
  return {
    id,
    name,
    kind,
    service,
    simulated,
    settings,
    createdAt,
    state,
    pauseReason,
    pauseDetail,
    ...(archivedAt !== null && { archivedAt }),
    version,
  };
}
