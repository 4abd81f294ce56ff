import type {
  Lifted,
  SuppressedNow,
  Suppression,
  SuppressionEntry,
} from '../../../views/suppression.ts';
import type { Done } from '../../../views/fields.ts';
import { useListed } from '../api/action.ts';
import { get, path, query, send } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/badge.tsx';
import { filledIn, TextField, useForm } from '../parts/field.tsx';
import { SearchField } from '../parts/forms/controls.tsx';
import { FormDialog, useOver, type LiesOver } from '../parts/dialog.tsx';
import { Empty, Loading, ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { More, Table } from '../parts/tables/table.tsx';
import { Time, Who, whoText } from '../parts/values.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may, seesAll } from '../shell/session.ts';
import { ImportNumbers } from './import-numbers.tsx';
import './suppression.css';

const EMPTY = { number: '', country: '', until: '', note: '' };
const FIELDS = { number: ['PHONE_INVALID'], country: ['COUNTRY_UNKNOWN'], until: [], note: [] };

/** Suppresses a number. What it has ended is told when it is done. */
function AddNumber({ onClose, onDone }: LiesOver) {
  const { form, fieldOf } = useForm(EMPTY, FIELDS, async (typed) => {
    const answer = await send<Done & SuppressedNow>('POST', '/suppression', filledIn(typed));
    onDone();
    onClose();
    return answer;
  });
  return (
    <FormDialog title="Add a number" does="Suppress it" {...form} onClose={onClose}>
      <TextField
        {...fieldOf('number')}
        label="Number"
        about="With + and the country code, or as people write it in the country below. If it may mean several numbers, none of them is called."
        required
      />
      <div class="columns narrow">
        <TextField
          {...fieldOf('country')}
          label="Country of a number without +"
          about="Two letters, e.g. US or GB."
        />
        <TextField
          {...fieldOf('until')}
          label="Until"
          type="date"
          about="The last day on which it holds; empty: for good."
        />
      </div>
      <TextField {...fieldOf('note')} label="Note" about="Why, for those who look it up." />
    </FormDialog>
  );
}

/** Numbers that nobody calls, whatever campaign they are in. */
export default function SuppressionPage() {
  const text = params.value.get('text') ?? '';
  const dialog = params.value.get('do');
  const listed = useListed<Suppression>(
    (after, signal) => get(`/suppression${query({ text, after })}`, signal),
    [text],
  );
  const { value, problem } = listed;
  const done = {
    onClose: () => setParams({ do: null }),
    onDone: listed.reload,
  };
  return (
    <>
      <PageHead
        title="Suppression"
        about="Numbers that no campaign calls. People who wait for a call to one of them are ended as suppressed."
      >
        {may('operator') && (
          <>
            <a class="button" href={`/suppression${query({ text, do: 'import' })}`}>
              <Icon name="upload" />
              Import a file
            </a>
            <a class="button primary" href={`/suppression${query({ text, do: 'add' })}`}>
              <Icon name="plus" />
              Add a number
            </a>
          </>
        )}
      </PageHead>
      <div class="suppression-search">
        <SearchField
          label="Search the list"
          placeholder={seesAll.value ? 'A part of a number or note' : 'A whole number, or a note'}
          problem={text === '' ? undefined : problem}
        />
      </div>
      {problem !== undefined && text === '' && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the list" />}
      {value !== undefined && (
        <>
          {value.items.length === 0 ? (
            <NobodyThere text={text} />
          ) : (
            <NumberTable entries={value.items} onChanged={listed.reload} />
          )}
          <More next={value.next} more={listed.more}>
            Show older entries
          </More>
          {value.files.length > 0 && <Files files={value.files} />}
        </>
      )}
      {dialog === 'add' && may('operator') && <AddNumber {...done} />}
      {dialog === 'import' && may('operator') && <ImportNumbers {...done} />}
    </>
  );
}

function NobodyThere({ text }: { text: string }) {
  if (text !== '') {
    return (
      <Empty title={`Nothing on the list has "${text}" in it`}>
        <p>
          A number that is not here may be called. <a href="/suppression">Show the whole list</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No number is suppressed">
      <p>
        Numbers come here when somebody adds them, imports a file such as that of a registry, or
        when a person says in a call that they do not want to be called.
      </p>
    </Empty>
  );
}

/** Files that say from which day they are, which rules may ask for. */
function Files({ files }: Pick<Suppression, 'files'>) {
  return (
    <section class="stack tight" aria-labelledby="suppression-files">
      <h2 id="suppression-files">Files of registries</h2>
      <Table label="Table of files" heads={['File', 'Imported', 'By']}>
        {files.map(({ path, at, who, text }) => (
          <tr key={`${at} ${path}`}>
            <td class="break">{text}</td>
            <td>
              <Time at={at} />
            </td>
            <td class="break">{who}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Where an entry came from, in words. */
const SOURCES: Readonly<Record<SuppressionEntry['source'], string>> = {
  operator: 'added',
  file: 'from a file',
  list: 'from a list of a campaign',
  service: 'said so in a call',
};

/** The entries, the newest first. @param onChanged called when one was taken off */
function NumberTable({
  entries,
  onChanged,
}: {
  entries: Suppression['items'];
  onChanged: () => void;
}) {
  const { over: lifting, opens, close } = useOver<Named>();
  const mayLift = may('operator');
  return (
    <>
      <Table
        label="Suppressed numbers"
        heads={[
          'Number',
          'Since',
          'Holds',
          'How it came here',
          'Note',
          ...(mayLift ? [{ text: 'Remove', isHidden: true } as const] : []),
        ]}
      >
        {entries.map(({ phone, name = null, at, source, note, who, lastDay }, i) => (
          <tr key={`${phone} ${at} ${i}`}>
            <th scope="row">
              <Who name={name} phone={phone} />
            </th>
            <td>
              <Time at={at} />
            </td>
            <td class="nowrap">{lastDay === null ? 'for good' : `until ${lastDay}`}</td>
            <td>
              {SOURCES[source]}, <span class="soft">by {who}</span>
            </td>
            <td class="break long">{note}</td>
            {mayLift && (
              <td class="row-action">
                <Button
                  kind="quiet small"
                  aria-label={`Remove ${whoText(name, phone)}`}
                  onClick={opens({ phone, name })}
                >
                  Remove
                </Button>
              </td>
            )}
          </tr>
        ))}
      </Table>
      {lifting !== undefined && <Lift {...lifting} onClose={close} onDone={onChanged} />}
    </>
  );
}

type Named = Parameters<typeof Who>[0];

/** Asks why, for the history. */
function Lift({ phone, name, onClose, onDone }: Named & LiesOver) {
  const { form, fieldOf } = useForm({ note: '' }, { note: [] }, async (typed) => {
    const reason = query({ note: typed.note.trim() });
    const answer = await send<Done & Lifted>('DELETE', path`/suppression/${phone}` + reason);
    onDone();
    onClose();
    return answer;
  });
  return (
    <FormDialog
      title={`Take ${whoText(name, phone)} off the list?`}
      does="Remove it"
      isDanger
      {...form}
      onClose={onClose}
    >
      <p>
        Campaigns may call it again from now on. Who was ended by it stays ended; the entry stays in
        the history.
      </p>
      <TextField
        {...fieldOf('note')}
        label="Reason"
        about="For the history, e.g. that they asked for a call."
        required
      />
    </FormDialog>
  );
}
