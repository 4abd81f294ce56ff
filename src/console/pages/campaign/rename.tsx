import { useState } from 'preact/hooks';
import { path } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { go } from '../shell/navigation.ts';
import { useChange, type Changed } from './change.tsx';
import type { ShownCampaign } from './use-campaign.ts';

/** Gives the campaign another name, and goes to its new address. */
export function RenameDialog({ shown, onClose }: { shown: ShownCampaign; onClose: () => void }) {
  const { name, version } = shown.campaign;
  const [typed, setTyped] = useState(name);
  const now = (present: { state: string }) => `It is ${present.state} now.`;
  const renaming = useChange(
    shown,
    async (ifVersion) => {
      const body = { ifVersion, name: typed };
      const answer = await send<Changed>('POST', path`/campaigns/${name}/rename`, body);
      go(path`/campaigns/${answer.campaign.name}`, { replace: true });
      return answer;
    },
    { now },
  );
  if (renaming.question !== undefined) return <>{renaming.question}</>;
  return (
    <Dialog title={`Rename ${name}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void renaming.run(version);
        }}
      >
        <TextField
          label="New name"
          about="The record of whom it has called is kept; the history keeps the old name."
          value={typed}
          onChange={setTyped}
          problem={renaming.problem}
          autoComplete="off"
          required
        />
        <footer class="row tight end">
          <button class="button" type="button" onClick={onClose}>
            No, leave it
          </button>
          <button class="button primary" type="submit" disabled={renaming.isBusy}>
            Rename
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
