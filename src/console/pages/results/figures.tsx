import { durationText, lengthText } from '../../../text/amounts.ts';
import type { Summary } from '../../../views/results.ts';
import { amount, counted, otherDials, share } from '../parts/values.tsx';
import { Notice } from '../parts/notice.tsx';
import { BarList, Figures } from '../parts/sheet.tsx';
import { wordOf } from '../parts/badge.tsx';

/** Numbers as bars below a title; without any there is nothing. */
function Bars({
  title,
  bars,
}: {
  title: string;
  bars: readonly { label: string; value: number; note?: string }[];
}) {
  if (bars.length === 0) return null;
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      <BarList
        bars={bars.map((bar) => ({ key: bar.label, note: partText(bar.value, total), ...bar }))}
      />
    </section>
  );
}

/** The hours of a day as bars beside each other; the darker part are calls that were answered. */
function HourBars({
  hours,
}: {
  hours: readonly { hour: number; calls: number; answered: number }[];
}) {
  const most = Math.max(1, ...hours.map(({ calls }) => calls));
  const height = (calls: number) => ({ height: `${(100 * calls) / most}%` });
  return (
    <ol role="list" class="hours">
      {hours.map(({ hour, calls, answered }) => {
        const text = `${clock(hour)}: ${amount(calls)} calls, ${amount(answered)} answered`;
        return (
          <li key={hour} title={text} data-hour={clock(hour).slice(0, 2)}>
            <span class="visually-hidden">{text}</span>
            <span class="made" style={height(calls)} aria-hidden="true" />
            <span class="answered" style={height(answered)} aria-hidden="true" />
          </li>
        );
      })}
    </ol>
  );
}

function partText(value: number, total: number): string {
  return total === 0 ? '' : `${Math.round((100 * value) / total)}%`;
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

type InNumbers = Summary['figures'];

/** A campaign, or one of its nights, in numbers. */
export function FiguresOf({ summary: { figures } }: { summary: Summary }) {
  const { results, sentiment, lengths, hours, days } = figures;
  return (
    <>
      <KeyFigures figures={figures} />
      {figures.soundLikeOptOut > 0 && (
        <Notice tone="warn" next="Read them, and suppress those who want no further call.">
          {counted(figures.soundLikeOptOut, 'answered call')}{' '}
          {figures.soundLikeOptOut === 1 ? 'sounds' : 'sound'} like “do not call again”, and the
          service did not say so.
        </Notice>
      )}
      <div class="card padded columns figure-columns">
        <Bars
          title="People by result"
          bars={results.map(({ result, leads }) => {
            return { label: wordOf(result), value: leads };
          })}
        />
        <Bars
          title="Calls by sentiment"
          bars={sentiment.map(({ label, calls }) => ({ label, value: calls }))}
        />
        {figures.talk.calls > 0 && (
          <Bars title="Answered calls by length" bars={lengthBars(lengths)} />
        )}
        {figures.calls.made > 0 && (
          <section class="stack tight">
            <h3>Calls by hour</h3>
            <HourBars hours={hours} />
            <p class="soft small-text">
              <span class="key made" /> calls <span class="key answered" /> of them answered, by the
              hour of {hoursOf(figures)}.
            </p>
          </section>
        )}
        {days.length > 1 && (
          <Bars
            title="Calls by day"
            bars={days.map(({ date, calls, answered }) => {
              return { label: date, value: calls, note: `${amount(answered)} answered` };
            })}
          />
        )}
      </div>
    </>
  );
}

function KeyFigures({ figures }: { figures: InNumbers }) {
  const { leads, calls, talk, sentimentScore, costs } = figures;
  const { totalMs, medianMs, longestMs } = talk;
  return (
    <Figures
      rows={[
        [
          'People',
          amount(leads.total),
          `${amount(leads.done)} done${leads.waiting > 0 ? `, ${amount(leads.waiting)} waiting` : ''}`,
        ],
        ['Calls made', amount(calls.made), `${amount(calls.ended)} ended, ${otherDials(calls)}`],
        [
          'Answered',
          share(calls.ended === 0 ? null : calls.answered / calls.ended),
          `${amount(calls.answered)} of ${counted(calls.ended, 'call')}`,
        ],
        [
          'Talk time',
          talk.calls === 0 ? '–' : durationText(totalMs),
          medianMs !== null &&
            longestMs !== null &&
            `in ${counted(talk.calls, 'answered call')}; median ${durationText(medianMs)}, longest ${durationText(longestMs)}`,
        ],
        [
          'Sentiment',
          sentimentScore.mean === null
            ? '–'
            : sentimentScore.mean.toFixed(2).replace('-0.00', '0.00'),
          sentimentScore.calls > 0 &&
            `score on average, in ${counted(sentimentScore.calls, 'call')}`,
        ],
        ...costs.map(
          ({ currency, amount: sum, calls: costing }) =>
            [
              `Cost, ${currency || 'in the service’s own unit'}`,
              sum,
              `in ${counted(costing, 'call')}`,
            ] as const,
        ),
      ]}
    />
  );
}

function lengthBars(lengths: InNumbers['lengths']) {
  return lengths.map(({ upToMs, calls }, i) => {
    const from = lengths[i - 1]?.upToMs ?? null;
    return { label: lengthText(from, upToMs), value: calls };
  });
}

function hoursOf({ hourZones: { ofTheList, ofTheCampaign } }: InNumbers): string {
  if (ofTheCampaign === 0) return "the person's day";
  if (ofTheList === 0) return "the campaign's day";
  return "the person's day, else of the campaign's";
}
