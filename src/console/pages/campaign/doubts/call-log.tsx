import { useAction } from '../../api/action.ts';
import { upload } from '../../api/uploads.ts';
import { DropZone } from '../../parts/forms/controls.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import type { CampaignJobs } from '../campaign-jobs.tsx';

/** Settles calls in doubt by the service's own log of calls; the job shows what it finds, and asks. */
export function CallLog({ jobs }: { jobs: CampaignJobs }) {
  const sending = useAction(async (file: File) => {
    const { id } = await upload(file, () => undefined);
    await jobs.begin.run('call-log', { upload: id });
  });
  return (
    <section class="stack tight" aria-labelledby="call-log">
      <h2 id="call-log">By the call log of the service</h2>
      <DropZone
        isForOne
        isDisabled={sending.isBusy}
        title="Drop the call log here"
        about="CSV with columns for number, call id and start time. You see what it says of these calls before any is settled."
        onFiles={([file]) => {
          if (file !== undefined) void sending.run(file);
        }}
      />
      {sending.problem !== undefined && <ProblemNotice problem={sending.problem} />}
    </section>
  );
}
