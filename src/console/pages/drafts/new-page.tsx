import { useState } from 'preact/hooks';
import type { Upload } from '../../../views/lists.ts';
import { useAction } from '../api/action.ts';
import { path, send } from '../api/client.ts';
import { problemOf } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import { counted } from '../parts/values.tsx';
import { Empty, ProblemNotice, toast } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { go, params, pathParts } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import './drafts.css';
import { DropZone } from '../parts/forms/controls.tsx';
import { filledIn } from '../parts/field.tsx';
import { SampleLists, SendingList } from './lists/upload-step.tsx';
import { useSending } from '../api/uploads.ts';
import { stepPath, Steps } from './steps.tsx';

/** `/new`: the lists of a new campaign are sent; with them it begins. */
export default function NewPage() {
  const [sent, setSent] = useState<Upload[]>([]);
  const beginning = useAction(async (uploads: readonly Upload[]) => {
    const ids = uploads.map(({ id }) => id);
    const { service = '', agent = '' } = Object.fromEntries(params.value);
    const { name } = await send<{ name: string }>('POST', '/campaigns', { uploads: ids });
    // If these are refused, the draft is there all the same: they are chosen in its settings.
    // Where the person sits, not where the console runs, is 18:00 meant.
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    // One that is refused leaves the other as it was chosen.
    for (const set of [filledIn({ service, agent }), { timezone }])
      if (Object.keys(set).length > 0)
        await send('PATCH', path`/campaigns/${name}/settings`, { set }).catch((error: unknown) =>
          toast(problemOf(error).detail, 'warn'),
        );
    if (pathParts.value[0] === 'new') go(stepPath(name, 'upload'), { replace: true });
  });
  const sending = useSending((uploads, isWhole) => {
    const all = [...sent, ...uploads];
    setSent(all);
    if (isWhole && all.length > 0) void beginning.run(all);
  });
  const crumbs = <a href="/">Campaigns</a>;
  if (!may('operator')) {
    return (
      <>
        <PageHead title="New campaign" crumbs={crumbs} />
        <Empty title="This is for those who may run campaigns">
          <p>You see what happens; an operator begins campaigns.</p>
        </Empty>
      </>
    );
  }
  const isIdle = sending.files.every(({ problem }) => problem !== undefined);
  return (
    <>
      <PageHead
        title="New campaign"
        crumbs={crumbs}
        about={
          params.value.get('service') === 'simulated'
            ? 'On the simulated service, which calls nobody.'
            : 'Nobody is called before you have seen the plan and started it.'
        }
      />
      <Steps name={undefined} current="upload" />
      <DropZone onFiles={sending.add} isDisabled={beginning.isBusy} />
      <SampleLists onFiles={sending.add} />
      <SendingList files={sending.files} />
      {beginning.problem !== undefined && <ProblemNotice problem={beginning.problem} />}
      {sent.length > 0 && isIdle && !beginning.isBusy && (
        <div class="row end">
          <Button kind="primary" onClick={() => void beginning.run(sent)}>
            Go on with {counted(sent.length, 'list')}
          </Button>
        </div>
      )}
    </>
  );
}
