import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { CampaignDetail } from '../../../views/campaigns.ts';
import type { Problem } from '../../../views/fields.ts';
import type { Job } from '../../../views/jobs.ts';
import type { Reading, SentList, SentLists } from '../../../views/lists.ts';
import { get, path, send } from '../api/client.ts';
import { stopJob, useJob } from '../api/jobs.ts';
import { problemOf, useLoaded } from '../api/loaded.ts';
import type { CampaignJobs } from '../campaign/campaign-jobs.tsx';
import { AllTheSame, type Changed, type ShownCampaign } from '../campaign/use-campaign.tsx';
import { type Sending, useSending } from '../api/uploads.ts';

/** The lists of a draft that are not imported yet, and what can be done with them. */
export interface Sent {
  /** Undefined until they were read. */
  value: SentLists | undefined;
  /** Further files, which become lists of the draft. */
  sending: Sending;
  /** Files are on their way, or changes of the lists. */
  isBusy: boolean;
  /** Reads a list otherwise; what is left out of the change stays. */
  read: (list: SentList, change: (now: Reading) => Partial<Reading>) => void;
  takeOut: (list: SentList) => void;
  /** Why they were not read, or the last change was refused. */
  problem: Problem | undefined;
  /** Lies over the page when somebody else was faster. */
  question: ComponentChildren;
}

/** What each step is given. */
export interface StepProps {
  shown: ShownCampaign;
  sent: Sent;
  jobs: CampaignJobs;
}

type Change = (ifVersion: number, now: SentLists | undefined) => Promise<Changed>;

/** Changes are sent one after the other, each for the version that the one before has made. */
export function useSent({ campaign, changed }: ShownCampaign): Sent {
  const at = path`/campaigns/${campaign.name}/lists`;
  const read = (signal?: AbortSignal) => get<SentLists>(`${at}/sent`, signal);
  const loaded = useLoaded(read, [campaign.name]);
  const [first] = useState(campaign.version);
  const newest = useRef(campaign.version);
  newest.current = Math.max(newest.current, campaign.version);
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState<Problem>();
  const [overtaken, setOvertaken] = useState<{ problem: Problem; change: Change }>();
  useEffect(() => {
    if (campaign.version !== first) loaded.reload();
  }, [campaign.version]);

  const make = async (change: Change): Promise<void> => {
    try {
      const answer = await change(newest.current, loaded.value && (await read()));
      newest.current = answer.campaign.version;
      setProblem(undefined);
      changed(answer.campaign);
    } catch (error) {
      const refused = problemOf(error);
      if (refused.code !== 'CAMPAIGN_CHANGED') {
        setProblem(refused);
        return;
      }
      const present = await get<CampaignDetail>(path`/campaigns/${campaign.name}`);
      newest.current = present.version;
      changed(present);
      setOvertaken({ problem: refused, change });
    }
  };
  const run = (change: Change) => {
    setPending((n) => n + 1);
    before.current = before.current
      .then(() => make(change))
      .catch(reportError)
      .finally(() => setPending((n) => n - 1));
  };
  const sending = useSending((uploads) => {
    const ids = uploads.map(({ id }) => id);
    run((ifVersion) => send<Changed>('POST', at, { ifVersion, uploads: ids }));
  });
  return {
    value: loaded.value,
    sending,
    isBusy: pending > 0 || sending.files.some((file) => file.problem === undefined),
    problem: problem ?? loaded.problem,
    read: ({ list }, change) =>
      run((ifVersion, now) => {
        const reading = now?.lists.find((one) => one.list === list)?.reading;
        const body = { ifVersion, ...(reading && change(reading)) };
        return send<Changed>('PATCH', `${at}/${list}`, body);
      }),
    takeOut: ({ list }) =>
      run((ifVersion) => send<Changed>('DELETE', `${at}/${list}?ifVersion=${ifVersion}`)),
    question: overtaken && (
      <AllTheSame
        problem={overtaken.problem}
        now="The page behind shows what they have made of it. Yours changes what you changed alone."
        action={{
          isBusy: false,
          run: () => {
            setOvertaken(undefined);
            run(overtaken.change);
          },
        }}
        onClose={() => setOvertaken(undefined)}
      />
    ),
  };
}

/**
 * What a survey or plan of a draft found. One that was begun since the draft was changed last is taken up, else one is
 * begun; another one follows when the draft has changed.
 */
export function useDraftJob(
  { name, history }: CampaignDetail,
  kind: 'survey' | 'plan',
): { job: Job | undefined; problem: Problem | undefined } {
  const [id, setId] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  /** The job of the state before, when it has begun; undefined: none has. */
  const running = useRef<Promise<string | undefined>>(Promise.resolve(undefined));
  useEffect(() => {
    const over = new AbortController();
    const before = running.current;
    const changedAt = Date.parse(history.at(-1)?.at ?? '1970-01-01T00:00:00Z');
    setId(undefined);
    setProblem(undefined);
    running.current = (async () => {
      try {
        const old = await before;
        if (old !== undefined) await stopJob(old).catch(() => undefined);
        over.signal.throwIfAborted();
        const { items } = await get<{ items: Job[] }>('/jobs');
        const { id: found } =
          items.find(
            (job) =>
              job.about === name &&
              job.kind === kind &&
              // Both are told to the second: what was begun within that second may be older.
              Date.parse(job.startedAt) > changedAt &&
              job.state !== 'failed',
          ) ?? (await send<Job>('POST', path`/campaigns/${name}/${kind}`, {}));
        if (!over.signal.aborted) setId(found);
        return found;
      } catch (error) {
        if (!over.signal.aborted) setProblem(problemOf(error));
        return undefined;
      }
    })();
    return () => over.abort();
    // Each change is in the history, which comes a moment after the answer to the change.
  }, [name, history.length]);
  return { job: useJob(id), problem };
}
