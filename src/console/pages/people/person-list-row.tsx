import type { PersonStory } from '../../contract/people.ts';
import { fileName } from './filter.ts';
import { textOrJson } from '../../../text/plural.ts';

/** Their row, as it stands in the list. */
export function ListRow({ person }: { person: PersonStory }) {
  const { cells, list, listPath, line } = person;
  return (
    <section class="stack tight">
      <h3>Row of the list</h3>
      <p class="soft small-text break">
        Line {line} of list {list}
        {listPath !== null && `, ${fileName(listPath)}`}
      </p>
      <dl class="facts">
        {cells.map(({ column, value }, i) => (
          <Fact key={i} name={column === '' ? `Column ${i + 1}` : column} value={value} />
        ))}
      </dl>
    </section>
  );
}

/** What the service noted as wishes during the calls. */
export function CapturedLeads({ leads }: { leads: PersonStory['capturedLeads'] }) {
  if (leads.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>Captured leads</h3>
      {leads.map((lead, i) => (
        <dl key={i} class="facts">
          {Object.entries(lead).map(([name, value]) => (
            <Fact key={name} name={name} value={textOrJson(value)} />
          ))}
        </dl>
      ))}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt class="break">{name}</dt>
      <dd>{value === '' ? <span class="soft">–</span> : value}</dd>
    </>
  );
}
