import type { Schedules } from '../../contract/schedule.ts';
import { query } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { counted } from '../parts/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { SelectField } from '../parts/field.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { CampaignDays } from './campaign-days.tsx';
import './schedule.css';

const LENGTHS = [7, 14, 31];
const USUAL_DAYS = 14;

/** `/schedule`: when people of each campaign may be called in the days ahead, and when `schedule` begins calls. */
export default function SchedulePage() {
  const days = LENGTHS.find((n) => String(n) === params.value.get('days')) ?? USUAL_DAYS;
  const { value, problem } = useLoaded(
    (signal) => get<Schedules>(`/schedule${query({ days })}`, signal),
    [days],
  );
  return (
    <>
      <PageHead
        title="Schedule"
        about="When the people who wait may be called, by the hours of where they are, and when calls begin by themselves."
      >
        <SelectField
          label="Days ahead"
          value={String(days)}
          onChange={(text) => {
            setParams({ days: text === String(USUAL_DAYS) ? null : text });
          }}
          choices={LENGTHS.map((n) => ({ value: String(n), text: counted(n, 'day') }))}
        />
      </PageHead>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value === undefined && problem === undefined && <Loading what="the days ahead" />}
      {value?.items.length === 0 && (
        <Empty title="No campaign is ahead">
          <p>
            Here stand the days of every campaign that is not over, also of drafts and paused ones.
          </p>
          {may('operator') && <a href="/new">Make a campaign</a>}
        </Empty>
      )}
      {value?.items.map((one) => (
        <CampaignDays key={one.campaign} ahead={one} now={value.now} />
      ))}
    </>
  );
}
