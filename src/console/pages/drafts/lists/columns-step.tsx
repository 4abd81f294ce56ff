import type { DraftColumns, ListLook } from '../../../contract/drafts.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Said } from '../../parts/said.tsx';
import { NextStep, stepPath } from '../steps.tsx';
import type { ShownDraft } from '../use-draft.tsx';
import { ColumnTable } from './column-table.tsx';
import { useLooks } from './use-looks.ts';

/** What each column of each list was taken for, with samples, and a menu to change it. */
export function ColumnsStep({ shown }: { shown: ShownDraft }) {
  const { draft } = shown;
  const looks = useLooks(draft);
  if (draft.files.length === 0) {
    return (
      <Empty title="No list yet">
        <a href={stepPath(draft.id, 'upload')}>Send one first</a>
      </Empty>
    );
  }
  const { value, problem } = looks;
  const isGood = value?.lists.every((look) => look.problem === null) ?? false;
  return (
    <div class="stack wide">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the columns" />}
      {value?.lists.map((look) => (
        <ListColumns key={look.upload} look={look} meanings={value.meanings} shown={shown} />
      ))}
      <NextStep shown={shown} next="rows" isReady={isGood}>
        {isGood
          ? 'What you choose is remembered for lists with the same column names.'
          : value !== undefined && 'What is said above has to be mended first.'}
      </NextStep>
    </div>
  );
}

function ListColumns({
  look,
  meanings,
  shown,
}: {
  look: ListLook;
  meanings: DraftColumns['meanings'];
  shown: ShownDraft;
}) {
  const { name, problem, columns, sentences } = look;
  return (
    <section class="stack tight" aria-label={name}>
      <h2 class="break">{name}</h2>
      {problem !== null && <ProblemNotice problem={problem} />}
      {columns.length > 0 && <ColumnTable look={look} meanings={meanings} shown={shown} />}
      {sentences.length > 0 && (
        <details>
          <summary class="small-text">In the words of the terminal</summary>
          <ul class="stack tight small-text" role="list">
            {sentences.map((sentence) => (
              <li key={sentence} class="break">
                <Said text={sentence} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
