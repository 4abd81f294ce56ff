import { useState } from 'preact/hooks';
import type { Lifted, SuppressionEntry } from '../../../views/suppression.ts';
import type { Done } from '../../contract/common.ts';
import { useAction } from '../api/action.ts';
import { path, query } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { FormDialog } from '../parts/forms/form-dialog.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { Time } from '../parts/times.tsx';
import { Table } from '../parts/tables/table.tsx';
import { may } from '../shell/session.ts';

/** Where an entry came from, in words. */
const SOURCES: Readonly<Record<SuppressionEntry['source'], string>> = {
  operator: 'added',
  file: 'from a file',
  list: 'from a list of a campaign',
  service: 'said so in a call',
};

/** The entries, the newest first. @param onChanged called when one was taken off */
export function NumberTable({
  entries,
  onChanged,
}: {
  entries: readonly SuppressionEntry[];
  onChanged: () => void;
}) {
  const [lifting, setLifting] = useState<string>();
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
        {entries.map(({ phone, at, source, note, who, lastDay }, i) => (
          <tr key={`${phone} ${at} ${i}`}>
            <th scope="row" class="nowrap number-like">
              {phone}
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
                <button
                  class="button quiet small"
                  type="button"
                  aria-label={`Remove ${phone}`}
                  onClick={() => {
                    setLifting(phone);
                  }}
                >
                  Remove
                </button>
              </td>
            )}
          </tr>
        ))}
      </Table>
      {lifting !== undefined && (
        <Lift
          phone={lifting}
          onClose={() => {
            setLifting(undefined);
          }}
          onLifted={onChanged}
        />
      )}
    </>
  );
}

/** Asks why, as whoever reads the history will. */
function Lift({
  phone,
  onClose,
  onLifted,
}: {
  phone: string;
  onClose: () => void;
  onLifted: () => void;
}) {
  const [note, setNote] = useState('');
  const action = useAction(async () => {
    const reason = query({ note: note.trim() });
    const answer = await send<Done & Lifted>('DELETE', path`/suppression/${phone}` + reason);
    onLifted();
    onClose();
    return answer;
  });
  const { at, elsewhere } = problemPlaces(action.problem, { note: [] });
  return (
    <FormDialog
      title={`Take ${phone} off the list?`}
      does="Remove it"
      isDanger
      {...{ action, onClose }}
      problem={elsewhere}
    >
      <p>
        Campaigns may call it again from now on. Who was ended by it stays ended; the entry stays in
        the history.
      </p>
      <TextField
        label="Reason"
        about="For the history, e.g. that they asked for a call."
        problem={at('note')}
        value={note}
        onChange={setNote}
        required
        autoComplete="off"
      />
    </FormDialog>
  );
}
