import type { HistoryEntry } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { isChange } from '../../store/campaign-changed.ts';
import { textOrJson } from '../../text/plural.ts';

/** A history entry as one line: when, who, what, and the values before and after. */
export function historyLine({ at, who, what, detail }: HistoryEntry, timezone: string): string {
  const changes = changesIn(what, detail);
  const tail = changes.length === 0 ? '' : ` (${changes.join(', ')})`;
  return `${localTime(at, timezone)} ${who}: ${what}${tail}`;
}

/** `concurrency 20 -> 10`, `running -> paused`; for other entries, those of their details that are in `FACTS`. */
function changesIn(what: string, detail: Readonly<Record<string, unknown>>): string[] {
  const settings = Object.entries(detail).flatMap(([key, value]) =>
    isChange(value) ? [`${key} ${textOrJson(value.from)} -> ${textOrJson(value.to)}`] : [],
  );
  const after = STATE_AFTER[what];
  const { before } = detail;
  const state = after !== undefined && before != null ? [`${textOrJson(before)} -> ${after}`] : [];
  const facts = FACTS.flatMap((key) => {
    const value = detail[key];
    return value == null || value === '' || isChange(value) ? [] : [`${key} ${textOrJson(value)}`];
  });
  return [...state, ...settings, ...facts];
}

const STATE_AFTER: Readonly<Record<string, string>> = {
  'campaign.started': 'running',
  'campaign.resumed': 'running',
  'campaign.paused': 'paused',
  'campaign.completed': 'completed',
  'campaign.cancelled': 'cancelled',
  'campaign.cancelUndone': 'paused',
};

/** Details that are shown, if an entry has them. */
const FACTS = [
  'phone',
  'waiting',
  'cancelled',
  'onList',
  'back',
  'list',
  'as',
  'reason',
  'note',
  'why',
  'word',
];
