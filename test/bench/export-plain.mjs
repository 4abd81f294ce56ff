// What an export is compared with: one query of better-sqlite3 and a csv file of the same columns and values,
// without what may have happened to a call (several attempts, callbacks, captured leads, cells that are formulas).
//
//   node test/bench/export-plain.mjs DATABASE OUT
import { closeSync, openSync, writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { CALL_COLUMNS } from '../../dist/results/columns.js';

const [database, out] = process.argv.slice(2);
const PIECE = 1 << 20;
const db = new Sqlite(database, { readonly: true });
const headers = JSON.parse(db.prepare('SELECT headers FROM lists').pluck().get());
const rows = db.prepare(`
  SELECT lead.cells, lead.phone, lead.state, lead.result, lead.result_source, lead.reason, lead.spent, call_id, intent_at,
    intent_at, ended_at, round(duration_ms) / 1000, sentiment_label, sentiment_score, summary, transcript, NULL,
    recording_url, cost, cost_currency, NULL, lead.zone_key, campaign.name, attempt.service, agent, list.path, lead.line,
    extracted, NULL, NULL, said, refusal
  FROM leads AS lead JOIN lists AS list ON list.id = lead.list_id
    JOIN campaigns AS campaign ON campaign.id = lead.campaign_id
    LEFT JOIN attempts AS attempt ON attempt.lead_row = lead.row
    LEFT JOIN analytics ON attempt_seq = attempt.seq
  ORDER BY lead.position`);

const file = openSync(out, 'w');
let piece = lineOf([...headers, ...CALL_COLUMNS]);
for (const [cells, ...values] of rows.raw().iterate()) {
  for (const at of [7, 8, 9]) values[at] = timeOf(values[at]);
  piece += lineOf([...JSON.parse(cells), ...values]);
  if (piece.length < PIECE) continue;
  writeSync(file, piece);
  piece = '';
}
writeSync(file, piece);
closeSync(file);
db.close();

function timeOf(ms) {
  return ms === null ? null : new Date(ms).toISOString();
}

function lineOf(cells) {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value) {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
