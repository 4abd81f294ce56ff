import type { ExportRow } from '../../store/port.ts';
import { resultOf } from '../rows.ts';
import { costText, durationText } from '../../text/amounts.ts';
import { html, type Html } from './html.ts';

/**
 * One call as a `<details>` element, which opens to the transcript.
 *
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
