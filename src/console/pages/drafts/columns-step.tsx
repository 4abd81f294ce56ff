import type { Draft, DraftColumns } from '../../contract/drafts.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Loading } from '../parts/loading.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { Said } from '../parts/said.tsx';
import { AS_FOUND } from './list-format.tsx';
import type { DraftState, StepProps } from './use-draft.ts';

type ListLook = DraftColumns['lists'][number];

/** What each column was taken for, with three of its values; a menu changes it. */
export function ColumnsStep({ draft, state }: StepProps) {
  const looked = useLoaded(
    (signal) => get<DraftColumns>(path`/drafts/${draft.id}/columns`, signal),
    [draft.id, draft.uploads, draft.lists],
  );
  if (looked.problem !== undefined) return <ProblemNotice problem={looked.problem} />;
  if (looked.value === undefined) return <Loading what="the columns" />;
  const { lists, meanings } = looked.value;
  return (
    <section class="stack">
      {lists.length === 0 && <Notice tone="warn">There is no list yet: upload one first.</Notice>}
      {lists.map((look) => (
        <div key={look.upload} class="card padded">
          <h2 class="break">{look.name}</h2>
          {look.problem !== null && <ProblemNotice problem={look.problem} />}
          {look.sentences.map((sentence) => (
            <p key={sentence} class="soft">
              <Said text={sentence} />
            </p>
          ))}
          {look.warnings.map((warning) => (
            <Notice key={warning} tone="warn">
              <Said text={warning} />
            </Notice>
          ))}
          <ColumnTable look={look} meanings={meanings} state={state} />
        </div>
      ))}
      <p class="soft small-text">
        Once the campaign has taken the list, the next one with the same columns is taken for the
        same.
      </p>
    </section>
  );
}

function ColumnTable({
  look,
  meanings,
  state,
}: {
  look: ListLook;
  meanings: DraftColumns['meanings'];
  state: DraftState;
}) {
  const choose = (column: string, meaning: string) => {
    state.change(({ lists }) => {
      const list = { ...AS_FOUND, ...lists[look.upload] };
      const columns = { ...list.columns, [column]: meaning };
      return { lists: { ...lists, [look.upload]: { ...list, columns } } as Draft['lists'] };
    });
  };
  if (look.columns.length === 0) return null;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={`Columns of ${look.name}`}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Values</th>
            <th scope="col">Taken for</th>
          </tr>
        </thead>
        <tbody>
          {look.columns.map(({ column, header, samples, meaning, order, chosen }) => {
            const name = header === '' ? column : header;
            return (
              <tr key={column}>
                <th scope="row" class="break">
                  {name}
                </th>
                <td class="soft samples">
                  {samples.map((sample, i) => (
                    <div key={i} class="break">
                      {sample}
                    </div>
                  ))}
                </td>
                <td>
                  <select
                    class="input small"
                    aria-label={`What "${name}" is taken for`}
                    value={meaning}
                    disabled={state.isBusy}
                    onChange={({ currentTarget }) => {
                      choose(column, currentTarget.value);
                    }}
                  >
                    {meanings
                      .filter((one) => one.choosable || one.meaning === meaning)
                      .map((one) => (
                        <option
                          key={one.meaning}
                          value={one.meaning}
                          selected={one.meaning === meaning}
                          disabled={!one.choosable}
                        >
                          {one.text}
                        </option>
                      ))}
                  </select>
                  <div class="soft small-text">
                    {order !== null && `called ${order === 1 ? 'first' : `as number ${order}`}`}
                    {chosen && `${order === null ? '' : ', '}chosen`}
                  </div>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
