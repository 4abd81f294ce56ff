import { useState } from 'preact/hooks';
import type { Person } from '../../../views/people.ts';
import type { Done } from '../../../views/fields.ts';
import { useAction } from '../api/action.ts';
import { pageOrigin, path, query, send } from '../api/client.ts';
import type { CampaignJobs } from '../campaign/campaign-jobs.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm, FormDialog } from '../parts/dialog.tsx';
import { filledIn, TextField, useForm } from '../parts/field.tsx';
import { ProblemNotice, Said } from '../parts/notice.tsx';
import { may, seesAll } from '../shell/session.ts';
import type { PeopleFilter } from './people-filters.tsx';

/** What is asked about before it is done. */
const ACTIONS = [
  { does: 'suppress', text: 'Suppress', icon: 'blocked' },
  { does: 'cancel', text: 'Withdraw', icon: 'close' },
  { does: 'retry', text: 'Call again', icon: 'phone' },
] as const;

type ChangedPerson = Done & { person: Person };

/** What an operator may do with a person. @param address of the person in the API */
export function PersonActions({
  address,
  person,
  onChanged,
}: {
  address: string;
  person: Person;
  onChanged: (changed: ChangedPerson) => void;
}) {
  const [asked, setAsked] = useState<'suppress' | Asked>();
  const undo = useAction(async () =>
    onChanged(await send<ChangedPerson>('POST', `${address}/cancel`, { undo: true })),
  );
  const { can, notRetried } = person;
  const onDone = (changed: ChangedPerson | undefined) => {
    setAsked(undefined);
    if (changed !== undefined) onChanged(changed);
  };
  return (
    <div class="stack tight">
      {undo.problem !== undefined && <ProblemNotice problem={undo.problem} />}
      <div class="row tight">
        {ACTIONS.filter(({ does }) => can[does]).map(({ does, text, icon }) => (
          <Button key={does} kind="small" icon={icon} onClick={() => setAsked(does)}>
            {text}
          </Button>
        ))}
        {can.undoCancel && (
          <Button kind="small" icon="replay" action={undo}>
            Let them be called again
          </Button>
        )}
      </div>
      {notRetried !== null && !can.undoCancel && (
        <p class="soft small-text">
          Not called again: <Said text={notRetried} />.
        </p>
      )}
      {asked === 'suppress' && <Suppress {...{ address, person, onDone }} />}
      {(asked === 'cancel' || asked === 'retry') && (
        <Ask does={asked} {...{ address, person, onDone }} />
      )}
    </div>
  );
}

interface Question {
  address: string;
  person: Person;
  onDone: (changed: ChangedPerson | undefined) => void;
}

function Suppress({ address, person, onDone }: Question) {
  const fields = { note: [], until: [] };
  const { form, fieldOf } = useForm({ note: '', until: '' }, fields, async (typed) =>
    onDone(await send<ChangedPerson>('POST', `${address}/suppress`, filledIn(typed))),
  );
  const numbers = [person.phone, ...person.furtherNumbers];
  return (
    <FormDialog
      title={`Suppress ${person.name ?? person.phone}?`}
      does="Suppress"
      isDanger
      {...form}
      onClose={() => onDone(undefined)}
    >
      <p>
        No campaign calls {numbers.join(', ')} any more, until it is taken off the suppression list.
      </p>
      <TextField
        {...fieldOf('note')}
        label="Note"
        about="Why, for those who look it up. May be left empty."
      />
      <TextField
        {...fieldOf('until')}
        label="Until"
        type="date"
        about="The last day on which it holds. Empty: for good."
      />
    </FormDialog>
  );
}

/** What is asked before it is done, without anything to fill in. */
type Asked = keyof typeof QUESTIONS;
const QUESTIONS = {
  cancel: {
    title: (who: string) => `Withdraw ${who} from this campaign?`,
    does: 'Withdraw',
    about: 'This campaign does not call them. Others still may, and it can be taken back.',
  },
  retry: {
    title: (who: string) => `Call ${who} again?`,
    does: 'Call again',
    about: 'They wait again like somebody new; hours, rules, caps and budgets hold for them.',
  },
} as const;

function Ask({ does, address, person, onDone }: Question & { does: Asked }) {
  const question = QUESTIONS[does];
  const action = useAction(async () =>
    onDone(await send<ChangedPerson>('POST', `${address}/${does}`, {})),
  );
  return (
    <Confirm
      title={question.title(person.name ?? person.phone)}
      does={question.does}
      action={action}
      onClose={() => onDone(undefined)}
    >
      <p>{question.about}</p>
    </Confirm>
  );
}

const MANY = [
  { does: 'retry', text: 'Call again', about: 'Those among them who were not reached wait again' },
  { does: 'suppress', text: 'Suppress', about: 'No campaign calls any of their numbers any more' },
  { does: 'withdraw', text: 'Withdraw', about: 'This campaign calls none of them any more' },
] as const;

/** What is done with those who are chosen, or with all who match; what changes them is counted and asked first. */
export function ManyActions({
  campaign,
  filter,
  chosen,
  jobs,
}: {
  campaign: string;
  filter: PeopleFilter;
  /** Ids; empty: all who match. */
  chosen: readonly string[];
  jobs: CampaignJobs;
}) {
  const { begin } = jobs;
  const among = { ...filter, ...(chosen.length > 0 && { people: chosen.join(',') }) };
  const whom = chosen.length > 0 ? 'With those chosen' : 'With all who match';
  const address = `${pageOrigin()}/api/v1${path`/campaigns/${campaign}/results`}`;
  return (
    <div class="stack tight">
      <div class="row tight" role="group" aria-label={whom}>
        <span class="soft small-text">{whom}:</span>
        {may('operator') &&
          MANY.map(({ does, text, about }) => (
            <Button
              key={does}
              kind="small"
              title={about}
              aria-disabled={begin.isBusy}
              onClick={() => void begin.run('people', { does, among })}
            >
              {text}
            </Button>
          ))}
        {seesAll.value && (
          <a class="button small" href={`${address}${query({ ...among, format: 'csv' })}`} download>
            Export
          </a>
        )}
        {may('operator') && (
          <Button
            kind="small"
            title="A draft with the settings of this one; who is still to be called here is left out"
            aria-disabled={begin.isBusy}
            onClick={() => void begin.run('draft', { among })}
          >
            New campaign of these people
          </Button>
        )}
      </div>
      {begin.problem !== undefined && <ProblemNotice problem={begin.problem} />}
    </div>
  );
}
