import type { SurveyedList } from '../../../contract/drafts.ts';
import { amount, counted } from '../../parts/amounts.ts';
import { Said } from '../../parts/said.tsx';

type Reason = SurveyedList['reasons'][number];

const KINDS: Record<Reason['kind'], { text: string; tone: string }> = {
  rejected: { text: 'refused', tone: 'bad' },
  duplicate: { text: 'duplicate', tone: '' },
  suppressed: { text: 'suppressed', tone: 'warn' },
};

/** Rows that are not taken for one reason: how many, and the first of them. */
export function ReasonRows({
  reason: { code, kind, count, rows },
  headers,
}: {
  reason: Reason;
  headers: readonly string[];
}) {
  const { text, tone } = KINDS[kind];
  const what = code.replaceAll('_', ' ');
  const rest = count - rows.length;
  return (
    <details class="reason">
      <summary>
        <span class={`badge ${tone}`}>{text}</span> <strong>{what}</strong>{' '}
        <span class="soft number">{counted(count, 'row')}</span>
        <span class="soft small-text break reason-why">
          <Said text={rows[0]?.why ?? ''} />
        </span>
      </summary>
      <div class="table-box" tabIndex={0} role="region" aria-label={`First rows: ${what}`}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col" class="number">
                Line
              </th>
              <th scope="col">Why</th>
              {headers.map((header, i) => (
                <th key={i} scope="col">
                  {header || `#${i + 1}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.line}>
                <th scope="row" class="number">
                  {amount(row.line)}
                </th>
                <td class="long">
                  <Said text={row.why} />
                </td>
                {headers.map((_, i) => (
                  <td key={i} class="nowrap">
                    {row.cells[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rest > 0 && (
        <p class="soft small-text">and {counted(rest, 'further row')}, all in the download.</p>
      )}
    </details>
  );
}
