import type { Log as LogPages, LogChoices, LogEntry } from '../../../views/access.ts';
import { startOfDay } from '../../../text/wall-clock.ts';
import { get, query } from '../api/client.ts';
import { useListed } from '../api/action.ts';
import { useRead } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Reading } from '../parts/notice.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { SearchField } from '../parts/forms/controls.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { More, Table } from '../parts/tables/table.tsx';
import { machineZone, Time } from '../parts/values.tsx';
import { params, setsParam } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import './log.css';

/** All of them are in the address. */
function LogFilters({ choices }: { choices: LogChoices | undefined }) {
  const { who = '', what = '', from = '', to = '' } = Object.fromEntries(params.value);
  return (
    <div class="log-filters">
      <SearchField label="Search the log" placeholder="A name, a campaign, a word" />
      <SelectField
        label="By"
        value={who}
        any="Anybody"
        choices={choices?.who ?? []}
        onChange={setsParam('who')}
      />
      <SelectField
        label="What"
        value={what}
        any="Anything"
        choices={(choices?.what ?? []).map((one) => ({ value: one.what, text: one.text }))}
        onChange={setsParam('what')}
      />
      <TextField label="From" type="date" value={from} onChange={setsParam('from')} />
      <TextField label="Through" type="date" value={to} onChange={setsParam('to')} />
    </div>
  );
}

/** Who did what in this console. */
export default function LogPage() {
  if (!may('admin')) {
    return (
      <>
        <PageHead title="Log" />
        <Empty title="The log is for admins">
          <p>An admin gives roles.</p>
        </Empty>
      </>
    );
  }
  return <Log />;
}

function Log() {
  const { text, who, what, from = '', to = '' } = Object.fromEntries(params.value);
  const filter = {
    ...{ text, who, what },
    from: startOfDay(from, machineZone.value),
    to: startOfDay(to, machineZone.value, 1),
  };
  const listed = useListed<LogPages>(
    (after, signal) => get(`/log${query({ ...filter, after })}`, signal),
    [filter],
  );
  const choices = useRead<LogChoices>('/log/choices');
  const { value, reload, isLoading } = listed;
  return (
    <>
      <PageHead title="Log" about="Who did what in this console, the newest first.">
        <Button icon="replay" aria-disabled={isLoading} onClick={reload}>
          Read again
        </Button>
      </PageHead>
      <LogFilters choices={choices.value} />
      <Reading of={listed} what="the log" />
      {value?.items.length === 0 && (
        <Empty title="No entry is like that">
          <p>
            Changes, ways in and refusals are noted here. <a href="/log">Show all entries</a>
          </p>
        </Empty>
      )}
      {value !== undefined && value.items.length > 0 && <Entries entries={value.items} />}
      {value !== undefined && (
        <More next={value.next} more={listed.more}>
          Show older entries
        </More>
      )}
    </>
  );
}

function Entries({ entries }: { entries: readonly LogEntry[] }) {
  return (
    <Table label="Entries" kind="log" heads={['When', 'What', 'By', 'Outcome']}>
      {entries.map(({ id, at, text, who, outcome }) => (
        <tr key={id}>
          <td>
            <Time at={at} />
          </td>
          <td class="break long">{text}</td>
          <td class="break">{who}</td>
          <td>
            <span class={outcome === 'done' ? 'soft' : 'badge warn'}>{outcome}</span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
