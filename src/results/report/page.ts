import type { Writable } from 'node:stream';

import type { Campaign, ExportRow, Store } from '../../store/port.ts';
import { costSumText, durationText, grouped, percent, scoreText } from '../../text/amounts.ts';
import { localOf, zonedTime } from '../../text/times.ts';
import type { Figures } from '../../views/results.ts';
import { nameIn } from '../columns.ts';
import { hourTitle, lengthsOf, MEANING, toldOf } from '../figure-lines.ts';
import { figuresOf } from '../figures.ts';
import { writeOut } from '../target.ts';
import { barTable, columnChart, html, STYLE, type Html } from './charts.ts';
import { callDetails, nightSection, type NightOfPage } from './night-section.ts';

/** The most days that fit side by side in a chart. */
const MOST_DAYS = 62;

/** Everything above the calls. */
function pageHead(campaign: Campaign, figures: Figures, night: NightOfPage | null): Html {
  const { name } = campaign;
  return begun(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta
            http-equiv="Content-Security-Policy"
            content="default-src 'none'; style-src 'unsafe-inline'"
          />
          <meta name="referrer" content="no-referrer" />
          <title>${name}: calls</title>
          <style>
            ${{ html: STYLE }}
          </style>
        </head>
        <body>
          <header>
            <h1>${name}</h1>
            <p class="meta">${metaOf(campaign, figures, night?.alone === true)}</p>
          </header>
          <main>
            ${kpis(figures)} ${night === null ? null : nightSection(night.change)}
            ${section('How the leads ended', leadsTable(figures))}
            ${callSections(figures, campaign.settings.timezone)} ${REST}
          </main>
        </body>
      </html>`,
  );
}

/** Marks the place of the calls: `begun` cuts the template here, and `pageFoot` writes the rest of the page. */
const REST = { html: '<!-- rest -->' };

function begun({ html: whole }: Html): Html {
  return { html: whole.slice(0, whole.lastIndexOf(REST.html)) };
}

/** @param shown how many calls are on the page */
function callsHead(shown: number, figures: Figures): Html {
  const { made, refused, inDoubt } = figures.calls;
  const all = made + refused + inDoubt;
  const kinds = `${grouped(made)} calls made, ${grouped(refused)} refused, ${grouped(inDoubt)} in doubt`;
  const which =
    shown === all ? `All ${kinds}` : `The newest ${grouped(shown)} of ${grouped(all)}: ${kinds}`;
  return begun(
    html`<section class="long">
      <h2>Calls</h2>
      <p class="note">
        ${which}; each opens to its
        transcript.${shown === all ? '' : ' All transcripts are in the jsonl export.'}
      </p>
      <div class="calls">${REST}</div>
    </section> `,
  );
}

function pageFoot(at: string, hasCalls: boolean): Html {
  return html`${hasCalls ? html`</div></section>` : null}
</main>
<footer><p>As of ${at}. Answered: a person spoke. The rate is the share of answered calls among those that ended. Numbers and transcripts are personal data: pass this page on with care.</p></footer>
</body>
</html>
`;
}

function metaOf(
  { state, service, settings, simulated }: Campaign,
  figures: Figures,
  isOneNight: boolean,
): string {
  const { from, to } = figures;
  const period =
    from === null || to === null
      ? 'no calls yet'
      : `calls from ${localOf(from)} to ${localOf(to)} (${settings.timezone})`;
  return [
    simulated ? 'rehearsal' : null,
    isOneNight ? 'the calls of one night' : null,
    state,
    period,
    `service ${service}`,
    `agent ${settings.agent}`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

function kpis({ leads, calls, talk, costs }: Figures): Html {
  const open = leads.waiting + leads.calling;
  const all: [string, string, string][] = [
    [
      'Leads',
      grouped(leads.total),
      open === 0 ? 'all done' : `${grouped(leads.done)} done, ${grouped(open)} open`,
    ],
    [
      'Calls made',
      grouped(calls.made),
      `${grouped(calls.refused)} refused, ${grouped(calls.inDoubt)} in doubt, ${grouped(calls.notMade)} not made`,
    ],
    [
      'Answered',
      percent(calls.answered, calls.ended),
      `${grouped(calls.answered)} of ${grouped(calls.ended)} calls`,
    ],
  ];
  if (talk.medianMs !== null) {
    all.push(
      ['Talk time', durationText(talk.totalMs), `in ${grouped(talk.calls)} answered calls`],
      ['Median call', durationText(talk.medianMs), `longest ${durationText(talk.longestMs ?? 0)}`],
    );
  }
  for (const { currency, amount, calls: n } of costs) {
    all.push(['Cost', costSumText(amount, currency), `of ${grouped(n)} calls`]);
  }
  // More than five boxes are split into two rows of about equal length, so that no row holds a single box.
  const perRow = all.length <= 5 ? all.length : Math.ceil(all.length / 2);
  return html`<dl class="kpis" style="--per-row: ${perRow}">
    ${all.map(
      ([what, value, small]) =>
        html`<div>
          <dt>${what}</dt>
          <dd class="big">${value}</dd>
          <dd class="small">${small}</dd>
        </div> `,
    )}
  </dl>`;
}

function section(title: string, ...content: readonly (Html | null)[]): Html {
  return html`<section>
    <h2>${title}</h2>
    ${content.filter((part) => part !== null)}
  </section>`;
}

function leadsTable({ results, leads }: Figures): Html {
  if (results.length === 0) return html`<p class="note">Nobody was called yet.</p>`;
  const rows = results
    .toSorted((a, b) => b.leads - a.leads)
    .map(({ result, leads: count }) => [result, count, MEANING[result]] as const);
  return barTable('Result', rows, leads.done);
}

function callSections(figures: Figures, timezone: string): Html {
  const { calls, hours, days, talk, sentiment } = figures;
  if (calls.ended === 0) return html``;
  const told = toldOf(figures);
  const byDay = days.map(({ date, ...day }) => ({ label: date.slice(5), ...day }));
  const byWord = sentiment.map(({ label, calls: count }) => [label, count] as const);
  return html`${section(hourTitle(figures, timezone), columnChart('Hour', hoursShown(hours)))}
    ${
      days.length < 2 || days.length > MOST_DAYS
        ? null
        : section(`Calls by day (${timezone})`, columnChart('Day', byDay))
    }
    <div class="pair">
      ${
        talk.calls === 0
          ? null
          : section(
              'How long people talked',
              barTable('Answered calls', lengthsOf(figures), talk.calls),
            )
      }
      ${
        told === 0
          ? null
          : section('How they felt', barTable('Sentiment', byWord, told), meanScore(figures))
      }
    </div>`;
}

function meanScore({ sentimentScore: { calls, mean } }: Figures): Html | null {
  if (mean === null) return null;
  return html`<p class="note">
    Mean of the service's own score: ${scoreText(mean)}, in ${grouped(calls)} calls.
  </p>`;
}

/** The hours from 8 to 20, and more where there were calls, so that a few hours are not drawn too wide. */
function hoursShown(hours: Figures['hours']) {
  const used = hours.filter(({ calls }) => calls > 0).map(({ hour }) => hour);
  const first = Math.max(0, Math.min(8, ...used));
  const last = Math.min(23, Math.max(20, ...used));
  return hours
    .slice(first, last + 1)
    .map(({ hour, ...rest }) => ({ label: String(hour).padStart(2, '0'), ...rest }));
}

interface ReportOptions {
  store: Store;
  campaign: Pick<Campaign, 'id'>;
  to: string | Writable;
  /** How many of the newest calls the page shows; 0 for none. */
  calls: number;
  /** The time of the report, epoch ms. */
  at: number;
  /** Shown beside the night before; default: none. */
  night?: NightOfPage | null;
}

/**
 * Writes a campaign as one page for a browser: figures as charts and tables, then the newest calls with their
 * transcripts. The page is self-contained: it has no script and loads nothing.
 *
 * @returns `rows`: the number of calls on the page; the resolved path, null for a stream
 */
export async function writeReport({
  store,
  campaign: { id },
  to,
  calls,
  at,
  night = null,
}: ReportOptions): Promise<{ rows: number; path: string | null }> {
  return writeOut(to, (sink) =>
    store.snapshot(id, async (snapshot) => {
      const { campaign, lists } = snapshot;
      const newest = lastOf(calls);
      const alone = night?.alone === true ? night.change.tonight.night : null;
      const counted = { detail: 'everything', onCall: newest.add, night: alone } as const;
      const figures = await figuresOf(snapshot, counted);
      const byNumber = new Map(lists.map((list) => [list.number, list]));
      const time = zonedTime(campaign.settings.timezone);
      const put = (piece: Html) => sink(piece.html);
      const rows = newest.all().toReversed();
      await put(pageHead(campaign, figures, night));
      if (rows.length > 0) await put(callsHead(rows.length, figures));
      for (const row of rows) {
        await put(callDetails(row, time, nameIn(byNumber.get(row.cursor.list), row.cells)));
      }
      await put(pageFoot(time(at), rows.length > 0));
      return rows.length;
    }),
  );
}

/** Keeps the last `limit` rows in their order; at most twice that number is in memory. */
function lastOf(limit: number) {
  let kept: ExportRow[] = [];
  return {
    add: (row: ExportRow) => {
      if (limit === 0) return;
      // The raw answer is the largest part of a row and is not shown, so it is not kept in memory.
      const { analytics } = row;
      kept.push(analytics === null ? row : { ...row, analytics: { ...analytics, raw: null } });
      if (kept.length >= 2 * limit) kept = kept.slice(-limit);
    },
    all: () => kept.slice(-limit),
  };
}
