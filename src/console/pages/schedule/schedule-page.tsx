import type { CampaignSchedule, Schedules } from '../../../views/campaigns.ts';
import { path, query } from '../api/client.ts';
import { asItCan, useRead } from '../api/loaded.ts';
import { counted } from '../parts/values.tsx';
import { CampaignBadges } from '../parts/badge.tsx';
import { SelectField } from '../parts/field.tsx';
import { Empty, Reading } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { params, setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { DaysCard } from './days-ahead.tsx';

function CampaignDays({ ahead, now }: { ahead: CampaignSchedule; now: string }) {
  const { campaign, status } = ahead;
  const title = (
    <div class="row tight">
      <h2 class="break">
        <a href={path`/campaigns/${campaign}`}>{campaign}</a>
      </h2>
      <CampaignBadges {...ahead} />
    </div>
  );
  return (
    <DaysCard title={title} name={`The days ahead of ${campaign}`} ahead={ahead} now={now}>
      <strong>{status.text}</strong>{' '}
    </DaysCard>
  );
}

const LENGTHS = [7, 14, 31];
const USUAL_DAYS = 14;

/** `/schedule`: when people of each campaign may be called in the days ahead, and when `schedule` begins calls. */
export default function SchedulePage() {
  const days = LENGTHS.find((n) => String(n) === params.value.get('days')) ?? USUAL_DAYS;
  const { value, problem } = useRead<Schedules>(`/schedule${query({ days })}`, asItCan);
  return (
    <>
      <PageHead
        title="Schedule"
        about="When the people who wait may be called, by the hours of where they are, and when calls begin by themselves."
      >
        <SelectField
          label="Days ahead"
          value={String(days)}
          onChange={(text) => setParams({ days: text === String(USUAL_DAYS) ? null : text })}
          choices={LENGTHS.map((n) => ({ value: String(n), text: counted(n, 'day') }))}
        />
      </PageHead>
      <Reading of={{ value, problem }} what="the days ahead" />
      {value?.items.length === 0 && (
        <Empty title="No campaign is ahead">
          <p>
            This page shows the days of every campaign that is not over, also of drafts and paused
            ones.
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
