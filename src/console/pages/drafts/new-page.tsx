import type { Draft } from '../../contract/drafts.ts';
import type { Upload } from '../../contract/uploads.ts';
import { useAction } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { go, params } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';
import { DropBox } from './drop-box.tsx';
import './drafts.css';

/** The beginning of a campaign: its lists. Everything after that has the address of the draft. */
export default function NewPage() {
  const making = useAction(async (uploads: Upload[]) => {
    const draft = await send<Draft>('POST', '/drafts', { uploads: uploads.map(({ id }) => id) });
    // From an agent's page both are chosen already.
    const { service, agent } = Object.fromEntries(params.value);
    if (service !== undefined)
      await send('PATCH', path`/drafts/${draft.id}`, { service, agent: agent ?? null });
    go(path`/drafts/${draft.id}/columns`);
  });
  return (
    <>
      <PageHead
        title="New campaign"
        crumbs={<a href="/">Campaigns</a>}
        about="Nobody is called before you have seen the plan and started it."
      />
      {making.problem !== undefined && <ProblemNotice problem={making.problem} />}
      {may('operator') ? (
        <section class="card padded">
          <DropBox
            label="Drop lists here, or choose them"
            about="CSV in any encoding, or an .xlsx workbook; one person a row, with a column of phone numbers."
            onSent={async (uploads) => {
              await making.run(uploads);
            }}
          />
        </section>
      ) : (
        <Notice>Your role is to look; campaigns are made by operators.</Notice>
      )}
    </>
  );
}
