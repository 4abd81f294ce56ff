import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { send } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { go } from '../shell/navigation.ts';
import type { Changed } from './change.tsx';

/** Gives the campaign another name, and goes to its new address. */
export function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [typed, setTyped] = useState(name);
  const renaming = useAction(async () => {
    const answer = await send<Changed>('POST', path`/campaigns/${name}/rename`, { name: typed });
    go(path`/campaigns/${answer.campaign.name}`, { replace: true });
    return answer;
  });
  return (
    <Dialog title={`Rename ${name}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void renaming.run();
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
