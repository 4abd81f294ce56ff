import { useEffect } from 'preact/hooks';
import type { z } from 'zod';
import type { doubts as doubtsShape } from '../../../contract/doubts.ts';
import { path } from '../../api/addresses.ts';
import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { DoubtCard } from './doubt-card.tsx';
import type { ShownCampaign } from '../use-campaign.ts';

/** Calls of which it is not known whether they were made, the oldest first. */
export function DoubtsTab({ shown }: { shown: ShownCampaign }) {
  const { name, progress } = shown.campaign;
  const doubts = useLoaded(
    (signal) => get<z.infer<typeof doubtsShape>>(path`/campaigns/${name}/doubts`, signal),
    [name],
  );
  // Read again in place, so that what somebody types of another call stays.
  useEffect(() => {
    if (doubts.value !== undefined) doubts.reload();
  }, [progress.doubts]);
  if (doubts.value === undefined) {
    return doubts.problem === undefined ? (
      <Loading what="the calls in doubt" />
    ) : (
      <ProblemNotice problem={doubts.problem} />
    );
  }
  const { items, about } = doubts.value;
  if (items.length === 0) {
    return (
      <Empty title="No call is in doubt">
        <p>
          A call comes here when the answer of the service was lost, so that nobody knows whether
          the person was called. Nobody is called again for it before it is settled.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p>{about}</p>
      {items.map((doubt) => (
        <DoubtCard
          key={doubt.attempt}
          doubt={doubt}
          shown={shown}
          onSettled={() => {
            doubts.reload();
            shown.changed();
          }}
        />
      ))}
    </>
  );
}
