import { useState } from 'preact/hooks';

import { path, send } from '../api/client.ts';
import { counted } from '../parts/values.tsx';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { limitOf, StartLimit, TextField } from '../parts/field.tsx';
import { Icon, type IconName } from '../parts/badge.tsx';
import { Menu } from '../parts/page-head.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { go } from '../shell/navigation.ts';
import type { CampaignJobs } from './campaign-jobs.tsx';
import { type Changed, type ShownCampaign, useChange } from './use-campaign.tsx';

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

/** What an operator may do with the whole campaign; which of it depends on its state. */
export function Controls({ shown, jobs }: { shown: ShownCampaign; jobs: CampaignJobs }) {
  const { campaign } = shown;
  const { name, version, state, waiting, schedule } = campaign;
  const [dialog, setDialog] = useState<'cancel' | 'rename' | 'call-now'>();
  const [limit, setLimit] = useState('');
  const now = (present: { state: string }) => `It is ${present.state} now.`;
  const change = (what: string, body: object) =>
    send<Changed>('POST', path`/campaigns/${name}/${what}`, body);
  const pause = useChange(shown, (ifVersion) => change('pause', { ifVersion }), { now });
  const cancel = useChange(
    shown,
    (ifVersion, undo: boolean) => change('cancel', { ifVersion, confirmed: true, undo }),
    {
      now,
      onDone: () => {
        setDialog(undefined);
      },
    },
  );
  const archive = useChange(
    shown,
    (ifVersion, undo: boolean) => change('archive', { ifVersion, undo }),
    { now },
  );
  const all = [pause, cancel, archive, jobs.begin];
  const isBusy = all.some((one) => one.isBusy);
  /** What was refused before must not hide what is refused now. */
  const begin = (act: () => Promise<boolean>) => () => {
    for (const one of all) one.forget();
    void act();
  };
  const isAboutLimit = jobs.begin.problem?.field === 'limit';
  const problem =
    pause.problem ??
    archive.problem ??
    cancel.problem ??
    (isAboutLimit ? undefined : jobs.begin.problem);
  const isOver = state === 'cancelled' || state === 'completed';
  const start = (atOnce: boolean) =>
    jobs.begin.run('start', { ifVersion: version, limit: limitOf(limit), now: atOnce });
  const main = mainOf(shown, {
    pause: begin(() => pause.run(version)),
    start: begin(() => start(false)),
    resume: begin(() => jobs.begin.run('resume', { ifVersion: version })),
    undoCancel: begin(() => cancel.run(version, true)),
  });

  return (
    <>
      {main?.hasLimit === true && (
        <StartLimit
          value={limit}
          problem={isAboutLimit ? jobs.begin.problem : undefined}
          onChange={setLimit}
        />
      )}
      {main !== undefined && (
        // The same button in every state, so that the keyboard stays where it is.
        <button
          class={`button ${main.icon === 'pause' ? '' : 'primary'}`}
          type="button"
          disabled={isBusy}
          title={main.hasLimit === true && schedule !== null ? `At its schedule: ${schedule}` : ''}
          onClick={main.do}
        >
          <Icon name={main.icon} />
          {main.text}
        </button>
      )}
      <button
        class="button"
        type="button"
        disabled={isBusy}
        onClick={begin(() => jobs.begin.run('rehearse', {}))}
      >
        Rehearse
      </button>
      <Menu label="More">
        {main?.hasLimit === true && schedule !== null && (
          <button
            class="button quiet"
            type="button"
            onClick={() => {
              setDialog('call-now');
            }}
          >
            <Icon name="play" />
            Call now
          </button>
        )}
        {campaign.shown === 'open' && (
          <button class="button quiet" type="button" onClick={begin(() => pause.run(version))}>
            <Icon name="pause" />
            Pause
          </button>
        )}
        <button
          class="button quiet"
          type="button"
          onClick={begin(() => jobs.begin.run('collect', {}))}
        >
          <Icon name="download" />
          Fetch results
        </button>
        <button
          class="button quiet"
          type="button"
          onClick={() => {
            setDialog('rename');
          }}
        >
          Rename
        </button>
        {(isOver || campaign.archived) && (
          <button
            class="button quiet"
            type="button"
            onClick={begin(() => archive.run(version, campaign.archived))}
          >
            {campaign.archived ? 'Take out of the archive' : 'Archive'}
          </button>
        )}
        {state !== 'cancelled' && (
          <button
            class="button quiet"
            type="button"
            onClick={() => {
              setDialog('cancel');
            }}
          >
            <Icon name="stop" />
            Cancel the campaign
          </button>
        )}
      </Menu>
      {problem !== undefined && dialog === undefined && (
        <div class="whole-line">
          <ProblemNotice problem={problem} />
        </div>
      )}
      {dialog === 'rename' && (
        <RenameDialog
          shown={shown}
          onClose={() => {
            setDialog(undefined);
          }}
        />
      )}
      {dialog === 'call-now' && (
        <Confirm
          title={`Call ${name} now?`}
          does="Call now"
          isBusy={isBusy}
          onYes={() => {
            setDialog(undefined);
            begin(() => start(true))();
          }}
          onNo={() => {
            setDialog(undefined);
          }}
        >
          <p>
            Its schedule is <code>{schedule}</code>. People whose hours are open are called at once,
            and not only at the time of the schedule.
          </p>
        </Confirm>
      )}
      {dialog === 'cancel' && cancel.question === undefined && (
        <Confirm
          title={`Cancel ${name}?`}
          does="Cancel the campaign"
          isDanger
          isBusy={isBusy}
          onYes={begin(() => cancel.run(version, false))}
          onNo={() => {
            cancel.forget();
            setDialog(undefined);
          }}
        >
          <p>
            {counted(waiting, 'person who waits', 'people who wait')} will not be called. Calls in
            progress end by themselves, and their results are still fetched.
          </p>
          {cancel.problem !== undefined && <ProblemNotice problem={cancel.problem} />}
        </Confirm>
      )}
      {pause.question}
      {cancel.question}
      {archive.question}
    </>
  );
}

interface MainButton {
  text: string;
  icon: IconName;
  do: () => void;
  /** It can be told how many calls are made at most. */
  hasLimit?: boolean;
}

/** What is wanted most in a state; undefined: nobody waits to be called. */
function mainOf(
  { campaign: { shown, waiting } }: ShownCampaign,
  does: Record<'pause' | 'start' | 'resume' | 'undoCancel', () => void>,
): MainButton | undefined {
  if (shown === 'paused') return { text: 'Resume', icon: 'play', do: does.resume };
  if (shown === 'cancelled')
    return { text: 'Take back the cancelling', icon: 'replay', do: does.undoCancel };
  if (shown === 'running') return { text: 'Pause', icon: 'pause', do: does.pause };
  if (waiting === 0) return undefined;
  const text = shown === 'open' ? 'Go on calling' : 'Start';
  return { text, icon: 'play', do: does.start, hasLimit: true };
}
