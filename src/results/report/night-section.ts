import { basename } from 'node:path';

import { nightText } from '../../domain/nights/night.ts';
import type { ExportRow } from '../../store/port.ts';
import { costText, durationText, grouped } from '../../text/amounts.ts';
import { counted, someOf } from '../../text/wording.ts';
import { MEANING } from '../figure-lines.ts';
import type { NightChange, OneNight } from '../figures.ts';
import { columnsOf } from '../../views/night-figures.ts';
import { resultOf } from '../columns.ts';
import { barTable, html, type Html } from './charts.ts';

export interface NightOfPage {
  change: NightChange;
  /** True: all figures and calls of the page are those of this night. */
  alone: boolean;
}

/** A night beside the night before, as a part of the report page. */
export function nightSection({ tonight, before, final, optOuts, lists }: NightChange): Html {
  const first = before === null;
  return html`<section>
      <h2>${first ? 'The first night' : 'Since the night before'}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Night of</th>
            ${first ? null : html`<th scope="col" class="n">${dateOf(before)}</th>`}
            <th scope="col" class="n">${dateOf(tonight)}</th>
          </tr>
        </thead>
        <tbody>
          ${factsOf(tonight, before, optOuts).map(
            ([what, then, now]) =>
              html`<tr>
                <th scope="row">${what}</th>
                ${first ? null : html`<td class="n">${then}</td>`}
                <td class="n">${now}</td>
              </tr> `,
          )}
        </tbody>
      </table>
      <p class="note">${endText(tonight)} ${listText(lists)}</p>
    </section>
    <section>
      <h2>Final by calls of this night</h2>
      ${finalOf(final)}
    </section>`;
}

const dateOf = ({ night }: OneNight) => nightText({ date: night });

function factsOf(tonight: OneNight, before: OneNight | null, optOuts: NightChange['optOuts']) {
  const columns = columnsOf(before === null ? [tonight] : [before, tonight]);
  return [
    ...columns.map(({ label, text }) => [label, before && text(before), text(tonight)] as const),
    ['Asked not to be called again', grouped(optOuts.before), grouped(optOuts.tonight)] as const,
  ];
}

function endText({ endedBy }: OneNight): string {
  return endedBy === null
    ? 'No budget ended this night.'
    : `The budget ${endedBy} ended the calls of this night.`;
}

function listText(lists: NightChange['lists']): string {
  if (lists.length === 0) return 'No new list.';
  const names = lists.map(({ path, good }) => `${basename(path)} (${counted(good, 'lead')})`);
  return `New ${lists.length === 1 ? 'list' : 'lists'}: ${someOf(names, MOST_LISTS)}.`;
}

/** More than this many lists are counted and not named. */
const MOST_LISTS = 10;

/** Leads that ended without a call, such as suppressed ones, are counted with all leads only. */
function finalOf(final: NightChange['final']): Html {
  if (final.length === 0) return html`<p class="note">Nobody became final by a call.</p>`;
  const rows = final.map(({ result, leads }) => [result, leads, MEANING[result]] as const);
  return barTable(
    'Result',
    rows,
    final.reduce((sum, { leads }) => sum + leads, 0),
  );
}

/**
 * One call as a `<details>` element, which opens to the transcript.
 * @param time writes epoch ms in the campaign's zone
 * @param name the name of the person, if known
 */
export function callDetails(
  row: ExportRow,
  time: (ms: number) => string,
  name: string | null,
): Html {
  const { attempt, analytics, phone } = row;
  if (attempt === null) return html``;
  const result = resultOf(attempt) ?? attempt.state;
  const at = time(attempt.intentAt);
  const { durationMs = null } = analytics ?? {};
  const duration = durationMs === null || durationMs === 0 ? '' : durationText(durationMs);
  return html`<details class="call">
    <summary>
      <time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)}</time
      ><span class="phone">${phone}</span><span class="who">${name}</span
      ><span class="result ${result === 'answered' ? 'answered' : 'other'}">${result}</span
      ><span class="n">${duration}</span>
    </summary>
    <div class="talk">${facts(row)}${transcript(row)}</div>
  </details> `;
}

function facts({ attempt, analytics, cursor, capturedLeads }: ExportRow): Html {
  const sentiment = analytics?.sentiment;
  const parts = [
    `Line ${cursor.line}`,
    attempt?.callId == null ? null : `call ${attempt.callId}`,
    sentiment == null
      ? null
      : `sentiment ${[sentiment.label, sentiment.score].filter((x) => x !== null).join(' ')}`,
    analytics?.cost == null
      ? null
      : `cost ${costText(analytics.cost, analytics.costCurrency ?? '')}`,
    capturedLeads.length === 0 ? null : `captured ${JSON.stringify(capturedLeads)}`,
    attempt?.detail ?? null,
  ];
  const line = parts.filter((part) => part !== null).join(' · ');
  return html`<p class="facts">${line}</p>
    ${analytics?.summary == null ? null : html`<p class="facts">${analytics.summary}</p>`}`;
}

function transcript({ analytics }: ExportRow): Html {
  const turns = analytics?.turns ?? [];
  if (turns.length > 0) {
    return html`<ol class="turns">
      ${turns.map(
        ({ speaker, text }) =>
          html`<li class="${speaker}"><b>${speaker}</b><span>${text}</span></li> `,
      )}
    </ol>`;
  }
  const text = analytics?.transcript ?? '';
  if (text === '') return html`<p class="facts">No transcript.</p>`;
  return html`<pre class="plain">${text}</pre>`;
}
