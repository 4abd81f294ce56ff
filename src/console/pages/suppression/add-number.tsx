import type { SuppressedNow } from '../../contract/suppression.ts';
import { useAction } from '../api/action.ts';
import { send } from '../api/client.ts';
import { TextField } from '../parts/field.tsx';
import { FormDialog } from '../parts/forms/form-dialog.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { useTypedFields } from '../parts/forms/typed-fields.ts';
import { filledIn } from './filled-in.ts';

const EMPTY = { number: '', country: '', until: '', note: '' };
const FIELDS = { number: ['PHONE_INVALID'], country: ['COUNTRY_UNKNOWN'], until: [], note: [] };

/** Suppresses a number. What it has ended is told when it is done. */
export function AddNumber({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { typed, fieldOf } = useTypedFields(EMPTY);
  const action = useAction(async () => {
    const answer = await send<SuppressedNow>('POST', '/suppression', filledIn(typed));
    onAdded();
    onClose();
    return answer;
  });
  const { at, elsewhere } = problemPlaces(action.problem, FIELDS);
  const field = (name: keyof typeof EMPTY) => fieldOf(name, at(name));
  return (
    <FormDialog
      title="Add a number"
      does="Suppress it"
      {...{ action, onClose }}
      problem={elsewhere}
    >
      <TextField
        {...field('number')}
        label="Number"
        about="With + and the country code, or as people write it in the country below. If it may mean several numbers, none of them is called."
        required
      />
      <div class="columns suppression-pair">
        <TextField
          {...field('country')}
          label="Country of a number without +"
          about="Two letters, e.g. US or GB."
        />
        <TextField
          {...field('until')}
          label="Until"
          type="date"
          about="The last day on which it holds; empty: for good."
        />
      </div>
      <TextField {...field('note')} label="Note" about="Why, for those who look it up." />
    </FormDialog>
  );
}
