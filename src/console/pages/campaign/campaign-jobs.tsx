import { useEffect } from 'preact/hooks';
import type { Campaign } from '../../../views/campaigns.ts';
import type { Job } from '../../../views/jobs.ts';
import { useAction, type Action } from '../api/action.ts';
import { get, path } from '../api/client.ts';
import { stopJob, useJob, useRunningJobs, type RunningJobs } from '../api/jobs.ts';
import { Button } from '../parts/button.tsx';
import { JobPanel, RehearsalReport, TITLES } from '../parts/job-panel.tsx';
import { ProblemNotice, Said, toast } from '../parts/notice.tsx';
import { counted, Time } from '../parts/values.tsx';
import { go } from '../shell/navigation.ts';
import { session } from '../shell/session.ts';
import { AllTheSame, type ShownCampaign } from './use-campaign.tsx';

/** The addresses of what takes long with a campaign. */
export type JobOrder =
  'start' | 'resume' | 'rehearse' | 'collect' | 'import' | 'people' | 'draft' | 'call-log';

export interface CampaignJobs extends Omit<RunningJobs, 'begin'> {
  begin: Action<[order: JobOrder, body: Readonly<Record<string, unknown>>]>;
}

/** The jobs of a campaign that run, also after a reload, and those that have ended since. */
export function useCampaignJobs(name: string, version: number | undefined): CampaignJobs {
  const isOf = ({ about, kind }: Job) => about === name && !OF_STEPS.includes(kind);
  const jobs = useRunningJobs(isOf, [name, version]);
  const { begin } = jobs;
  return {
    ...jobs,
    begin: {
      ...begin,
      run: (order, body) => begin.run(path`/campaigns/${name}/${order}`, body),
    },
  };
}

/** These are followed by the steps of a draft. */
const OF_STEPS = ['survey', 'plan'];

/** The page itself shows the outcome of these. */
const SHOWN_BY_THE_PAGE = ['resume', 'import'];

/** One job: who began it, how far it is, what it asks, and what came of it. */
export function CampaignJob({
  id,
  jobs,
  shown,
  isOverview,
}: {
  id: string;
  jobs: CampaignJobs;
  shown: ShownCampaign;
  isOverview: boolean;
}) {
  const job = useJob(id);
  const { campaign } = shown;
  const stopping = useAction(async () => {
    // What it has told is in its panel.
    const { kind } = await stopJob(id);
    if (kind !== 'call') return;
    const now = await get<Campaign>(path`/campaigns/${campaign.name}`);
    shown.changed(now);
    const wait = counted(now.waiting, 'person waits', 'people wait');
    toast(`Stopped. ${wait}.`);
  });
  const dismiss = () => jobs.dismiss(id);
  const hasEnded = job !== undefined && job.endedAt !== null;
  const declined = job?.problem?.code === 'NOT_CONFIRMED' ? job.problem.detail : undefined;
  // The one who began it goes on there.
  const draft =
    job?.kind === 'many' && jobs.orderOf(id) !== undefined ? job.result?.draft : undefined;
  const isOver =
    hasEnded &&
    (declined ?? (SHOWN_BY_THE_PAGE.includes(job.kind) && job.problem === null)) !== false;
  useEffect(() => {
    if (!hasEnded) return;
    shown.changed();
    jobs.reload();
    if (declined !== undefined) toast(declined, 'plain');
    if (isOver || draft !== undefined) dismiss();
    if (draft === undefined) return;
    toast(job.messages.map(({ text }) => text));
    go(path`/campaigns/${draft}/plan`);
  }, [hasEnded]);
  if (job === undefined || isOver) return null;
  // How far it is, the figures show.
  const isQuiet = job.kind === 'call';
  if (isQuiet && !isOverview && job.state === 'running') return null;

  const isCalling = isQuiet && !hasEnded && campaign.shown === 'running';
  const title = isCalling ? 'Calling' : (TITLES[job.kind] ?? job.kind);
  // Begun in another window, or before a reload: its limit is not known here.
  const order = job.who === session.value?.who ? jobs.orderOf(id) : undefined;
  return (
    <section class="card padded" aria-label={`${title}, started by ${job.who}`}>
      <header class="row between">
        <div class="row tight">
          <h2>{title}</h2>
          <span class="soft small-text">
            {hasEnded ? 'ended' : isQuiet && !isCalling ? 'waiting' : 'in progress'}, started by{' '}
            {job.who} <Time at={job.startedAt} zone={campaign.timezone} />
          </span>
        </div>
        {hasEnded ? (
          <Button kind="quiet small" onClick={dismiss}>
            Close
          </Button>
        ) : (
          // Until its time comes, the button of the status line ends it.
          (!isQuiet || isCalling || campaign.state !== 'running') && (
            <Button
              kind="small"
              title="Calls in progress are waited for; a second time, they are left to be fetched later"
              onClick={() => void stopping.run()}
            >
              {isQuiet ? 'Stop, and do not go on by itself' : 'Stop'}
            </Button>
          )
        )}
      </header>
      {job.kind === 'call' && !hasEnded && campaign.state !== 'draft' && (
        <p class="soft">
          {campaign.state === 'running'
            ? `${isCalling ? 'Calling goes on' : 'Calls begin'} also when you close this page, as long as the computer with callsheet runs.`
            : 'Nobody is called meanwhile; results of calls in progress are still fetched.'}
        </p>
      )}
      <JobPanel job={job} isQuiet={isQuiet} />
      {stopping.problem !== undefined && <ProblemNotice problem={stopping.problem} />}
      <JobResult job={job} zone={campaign.timezone} />
      {order !== undefined && job.problem?.code === 'CAMPAIGN_CHANGED' && (
        <AllTheSame
          problem={job.problem}
          now={`It is ${campaign.shown} now.`}
          action={{
            isBusy: jobs.begin.isBusy,
            run: () => {
              const what = job.kind === 'resume' ? 'resume' : 'start';
              dismiss();
              return jobs.begin.run(what, { ...order, ifVersion: campaign.version });
            },
          }}
          onClose={dismiss}
        />
      )}
    </section>
  );
}

function JobResult({ job, zone }: { job: Job; zone: string }) {
  if (job.kind === 'rehearse')
    return job.result && <RehearsalReport report={job.result} zone={zone} />;
  const { why = null } = (job.kind === 'call' || job.kind === 'collect' ? job.result : null) ?? {};
  return (
    why !== null && (
      <p>
        <Said text={why} />
      </p>
    )
  );
}
