import type { Database } from 'better-sqlite3';
import type { CampaignSettings, CampaignState, PauseReason } from '../../../domain/campaign.ts';
import { usageError } from '../../../runtime/errors.ts';
import type { Campaign, CampaignChange, HistoryEntry, NewCampaign } from '../../port.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { ATTEMPTS_WITH_SLOT, IS_OPEN_CALL, UNRESOLVED } from './attempt-conditions.ts';

/** The tables `campaigns` and `history`. */
export function campaignTable(db: Database) {
  const insertCampaign = db.prepare(
    `INSERT INTO campaigns (id, name, kind, service, simulated, state, settings, created_at)
     VALUES (@id, @name, @kind, @service, @simulated, 'draft', @settings, @createdAt)`,
  );
  const selectByName = db.prepare<[string], CampaignRow>('SELECT * FROM campaigns WHERE name = ?');
  const selectById = db.prepare<[string], CampaignRow>('SELECT * FROM campaigns WHERE id = ?');
  const selectAll = db.prepare<[], CampaignRow>(
    'SELECT * FROM campaigns ORDER BY created_at, name',
  );
  const updateCampaign = db.prepare(
    `UPDATE campaigns SET state = @state, pause_reason = @pauseReason, pause_detail = @pauseDetail,
       settings = @settings, service = @service, name = @name, archived_at = @archivedAt WHERE id = @id`,
  );
  const updateCancelled = db.prepare(
    'UPDATE campaigns SET cancelled_after = (SELECT coalesce(max(seq), 0) FROM attempts) WHERE id = ?',
  );
  const insertHistory = db.prepare(
    'INSERT INTO history (campaign_id, at, who, what, detail) VALUES (?, ?, ?, ?, ?)',
  );
  const selectHistory = db.prepare<[string], HistoryRow>(
    'SELECT at, who, what, detail FROM history WHERE campaign_id = ? ORDER BY seq',
  );

  function get(id: string): CampaignRow {
    const row = selectById.get(id);
    if (row === undefined) throw new Error(`no campaign has the id ${id}`);
    return row;
  }

  function addHistory(campaignId: string, entry: HistoryEntry): void {
    insertHistory.run(campaignId, entry.at, entry.who, entry.what, JSON.stringify(entry.detail));
  }

  function requireFreeName(name: string, hint: string): void {
    if (selectByName.get(name) === undefined) return;
    const message = `There is a campaign "${name}" already.`;
    throw usageError('CAMPAIGN_EXISTS', message, hint);
  }

  /** An archived campaign is on no list that people look at: no call of it may need somebody's attention. */
  function requireDone({ id, name }: CampaignRow): void {
    const unfinished = db.prepare<{ id: string }, Unfinished>(UNFINISHED).get({ id });
    const { waiting = 0, calling = 0, open = 0, doubts = 0, lists = 0 } = unfinished ?? {};
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

  return {
    get,
    addHistory,
    /** What a service says against what is known of an attempt; `detail` names the attempt. */
    addContradiction: (campaignId: string, at: number, detail: HistoryEntry['detail']): void => {
      addHistory(campaignId, { at, who: 'callsheet', what: 'attempt.contradicted', detail });
    },
    create: (campaign: NewCampaign, entry: HistoryEntry): Campaign => {
      requireFreeName(
        campaign.name,
        'If another callsheet has begun it just now, run the same command again to help it; else choose another name with --name.',
      );
      insertCampaign.run({
        ...campaign,
        simulated: campaign.simulated ? 1 : 0,
        settings: JSON.stringify(campaign.settings),
      });
      addHistory(campaign.id, entry);
      return toCampaign(get(campaign.id));
    },
    find: (name: string): Campaign | undefined => {
      const row = selectByName.get(name);
      return row === undefined ? undefined : toCampaign(row);
    },
    list: (): Campaign[] => selectAll.all().map(toCampaign),
    change: (id: string, change: CampaignChange, entry: HistoryEntry): Campaign => {
      const before = get(id);
      // Two processes may see the last result at the same time; and it may have been paused since they looked.
      if (change.state === 'completed' && before.state !== 'running') return toCampaign(before);
      const { name = before.name, archivedAt = before.archived_at } = change;
      if (name !== before.name) requireFreeName(name, 'choose another name');
      if (archivedAt !== null && before.archived_at === null) requireDone(before);
      updateCampaign.run({
        id,
        ...stateAfter(before, change),
        settings: change.settings === undefined ? before.settings : JSON.stringify(change.settings),
        service: change.service ?? before.service,
        name,
        archivedAt,
      });
      if (change.state === 'cancelled' && before.state !== 'cancelled') updateCancelled.run(id);
      addHistory(id, entry);
      return toCampaign(get(id));
    },
    history: (id: string): HistoryEntry[] =>
      selectHistory
        .all(id)
        .map((row) => ({ ...row, detail: JSON.parse(row.detail) as Record<string, unknown> })),
  };
}

/** Reads all leads of a campaign: prepared only where one is archived. */
const UNFINISHED = `SELECT
       (SELECT count(*) FROM leads WHERE campaign_id = @id AND state = 'waiting'
          AND (SELECT state FROM campaigns WHERE id = @id) <> 'cancelled') AS waiting,
       (SELECT count(*) FROM leads WHERE campaign_id = @id AND state = 'calling') AS calling,
       (SELECT count(*) FROM attempts INDEXED BY attempts_to_look_at
          WHERE campaign_id = @id AND ${IS_OPEN_CALL}) AS open,
       (SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = @id AND ${UNRESOLVED}) AS doubts,
       (SELECT count(*) FROM lists WHERE campaign_id = @id AND finished_at IS NULL) AS lists`;

/** Two runners may disagree: only `undoCancel` lifts a cancellation, and the operator's pause outlasts the program's own. */
function stateAfter(before: CampaignRow, { state, pause }: CampaignChange) {
  const stays = {
    state: before.state,
    pauseReason: before.pause_reason,
    pauseDetail: before.pause_detail,
  };
  if (before.state === 'cancelled') return stays;
  if (pause !== undefined) {
    if (before.pause_reason === 'operator' && pause.reason !== 'operator') return stays;
    return { state: 'paused', pauseReason: pause.reason, pauseDetail: pause.detail };
  }
  return state === undefined ? stays : { state, pauseReason: null, pauseDetail: null };
}

export type CampaignTable = ReturnType<typeof campaignTable>;

export interface CampaignRow {
  id: string;
  name: string;
  kind: 'list' | 'call';
  service: string;
  simulated: 0 | 1;
  state: CampaignState;
  pause_reason: PauseReason | null;
  pause_detail: string | null;
  settings: string;
  pace_due_at: number;
  /** The last attempt in the database when it was cancelled. */
  cancelled_after: number | null;
  created_at: number;
  archived_at: number | null;
}

type Unfinished = Record<'waiting' | 'calling' | 'open' | 'doubts' | 'lists', number>;

interface HistoryRow {
  at: number;
  who: string;
  what: string;
  detail: string;
}

function toCampaign(row: CampaignRow): Campaign {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    service: row.service,
    simulated: row.simulated === 1,
    settings: JSON.parse(row.settings) as CampaignSettings,
    createdAt: row.created_at,
    state: row.state,
    pauseReason: row.pause_reason,
    pauseDetail: row.pause_detail,
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
  };
}
