import type { LogChoices, LogEntry } from '../../contract/access.ts';
import { query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useListed } from '../api/listed.ts';
import { useLoaded } from '../api/loaded.ts';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { More } from '../parts/tables/more.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { machineZone, Time } from '../parts/times.tsx';
import { Table } from '../parts/tables/table.tsx';
import { params } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { dayAfter, startOfDay } from './days.ts';
import { LogFilters } from './log-filters.tsx';
import './log.css';

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
  const { text, who, what, from, to } = Object.fromEntries(params.value);
  const filter = {
    ...{ text, who, what },
    from: startOfDay(from, machineZone.value),
    to: startOfDay(dayAfter(to), machineZone.value),
  };
  const listed = useListed<{ items: LogEntry[]; next: string | null }>(
    (after, signal) => get(`/log${query({ ...filter, after })}`, signal),
    [filter],
  );
  const choices = useLoaded((signal) => get<LogChoices>('/log/choices', signal), []);
  const { value, problem, reload, isLoading } = listed;
  return (
    <>
      <PageHead title="Log" about="Who did what in this console, the newest first.">
        <button class="button" type="button" disabled={isLoading} onClick={reload}>
          <Icon name="replay" />
          Read again
        </button>
      </PageHead>
      <LogFilters choices={choices.value} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the log" />}
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
    <Table label="Entries" heads={['When', 'What', 'By', 'Outcome']}>
      {entries.map(({ id, at, text, who, outcome }) => (
        <tr key={id}>
          <td>
            <Time at={at} parts="exact" />
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
