import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';

import type { CampaignDetail } from '../../../views/campaigns.ts';
import { path, send } from '../api/client.ts';
import { counted } from '../parts/values.tsx';
import { Confirm, FormDialog } from '../parts/dialog.tsx';
import { Button } from '../parts/button.tsx';
import { limitOf, StartLimit, TextField } from '../parts/field.tsx';
import type { IconName } from '../parts/badge.tsx';
import { Menu, MenuItem } from '../parts/page-head.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { go } from '../shell/navigation.ts';
import type { CampaignJobs } from './campaign-jobs.tsx';
import { type Changed, type ShownCampaign, useChange } from './use-campaign.tsx';

/** Gives the campaign another name, and goes to its new address. */
export function RenameDialog({ shown, onClose }: { shown: ShownCampaign; onClose: () => void }) {
  const { name, version } = shown.campaign;
  const [typed, setTyped] = useState(name);
  const renaming = useChange(shown, async (ifVersion) => {
    const body = { ifVersion, name: typed };
    const answer = await send<Changed>('POST', path`/campaigns/${name}/rename`, body);
    go(path`/campaigns/${answer.campaign.name}`, { replace: true });
    return answer;
  });
  if (renaming.question !== undefined) return <>{renaming.question}</>;
  return (
    <FormDialog
      title={`Rename ${name}`}
      does="Rename"
      action={{ ...renaming, run: () => renaming.run(version) }}
      onClose={onClose}
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
    </FormDialog>
  );
}

/** Where something was done last: what was refused elsewhere before must not hide what is refused there. */
const actedIn = signal<'main' | 'more'>('main');

function change(name: string, what: string, body: object) {
  return send<Changed>('POST', path`/campaigns/${name}/${what}`, body);
}

interface OfCampaign {
  shown: ShownCampaign;
  jobs: CampaignJobs;
  /** A sentence below says when it calls, and what the button does. */
  isTold?: boolean;
}

/** What is wanted most in the campaign's state, with its limit of calls, and a call before its time. */
export function MainAction({ shown, jobs, isTold = false }: OfCampaign) {
  const { campaign } = shown;
  const { name, version, begins, hours, schedule } = campaign;
  const [isAsking, setAsking] = useState(false);
  const [limit, setLimit] = useState('');
  const pause = usePause(shown);
  const undo = useChange(shown, (ifVersion) =>
    change(name, 'cancel', { ifVersion, confirmed: true, undo: true }),
  );
  const isBusy = pause.isBusy || undo.isBusy || jobs.begin.isBusy;
  const refused = jobs.begin.problem;
  const isAboutLimit = refused?.field === 'limit';
  const problem = pause.problem ?? undo.problem ?? (isAboutLimit ? undefined : refused);
  const start = (now: boolean) =>
    jobs.begin.run('start', { ifVersion: version, limit: limitOf(limit), now });
  const main = mainOf(shown, {
    pause: () => pause.run(version),
    start: () => start(false),
    resume: () => jobs.begin.run('resume', { ifVersion: version }),
    undoCancel: () => undo.run(version),
  });
  const hasTime = schedule !== null && begins !== null && begins.at !== null;
  // Closed hours open for nobody, nor does a spent night, however it is started; who has paused it resumes it first.
  const isSpent = campaign.budget?.more === 0;
  const canCallNow = hasTime && hours.now > 0 && !isSpent && campaign.shown !== 'paused';
  // The status line says how long it waits.
  const when = campaign.status.is === 'waiting' ? undefined : begins?.text;
  const about = [when, main?.about].filter((text) => isTold && text !== undefined).join(' ');
  const asks = (isAsked: boolean) => () => setAsking(isAsked);
  const wrong = isAboutLimit ? refused : undefined;
  const atMost = <StartLimit value={limit} problem={wrong} onChange={setLimit} />;
  return (
    <>
      {main !== undefined && (
        // The same button in every state, so that the keyboard stays where it is.
        <Button
          kind={main.icon === 'pause' ? '' : 'primary'}
          icon={main.icon}
          aria-disabled={isBusy}
          aria-describedby={about === '' ? undefined : 'begins'}
          onClick={() => {
            actedIn.value = 'main';
            for (const one of [pause, undo, jobs.begin]) one.forget();
            if (!isBusy) void main.do();
          }}
        >
          {main.text}
        </Button>
      )}
      {main?.hasLimit === true && !isAsking && atMost}
      {canCallNow && <Button onClick={asks(true)}>Call now instead</Button>}
      {about !== '' && (
        <p class="soft whole-line" id="begins">
          {about}
        </p>
      )}
      {problem !== undefined && actedIn.value === 'main' && (
        <div class="whole-line">
          <ProblemNotice problem={problem} />
        </div>
      )}
      {isAsking && begins !== null && (
        <Confirm
          title={`Call ${name} now?`}
          does="Call now"
          action={{
            isBusy,
            problem,
            run: async () => {
              const isBegun = await start(true);
              setAsking(!isBegun);
              return isBegun;
            },
          }}
          onClose={asks(false)}
        >
          <p>
            {begins.text} People whose hours are open are called at once instead, until this night
            ends; then it is called at its times again.
          </p>
          {atMost}
        </Confirm>
      )}
      {pause.question}
      {undo.question}
    </>
  );
}

function usePause(shown: ShownCampaign) {
  const { name } = shown.campaign;
  return useChange(shown, (ifVersion) => change(name, 'pause', { ifVersion }));
}

/** What else an operator may do with the whole campaign; which of it depends on its state. */
export function Controls({ shown, jobs }: OfCampaign) {
  const { campaign } = shown;
  const { name, version, state, archived, waiting } = campaign;
  const [dialog, setDialog] = useState<'cancel' | 'rename'>();
  const opens = (which: typeof dialog) => () => setDialog(which);
  const pause = usePause(shown);
  const cancel = useChange(
    shown,
    (ifVersion) => change(name, 'cancel', { ifVersion, confirmed: true, undo: false }),
    { onDone: opens(undefined) },
  );
  const archive = useChange(shown, (ifVersion, undo: boolean) =>
    change(name, 'archive', { ifVersion, undo }),
  );
  const all = [pause, cancel, archive, jobs.begin];
  const isBusy = all.some((one) => one.isBusy);
  const begin = (act: () => Promise<boolean>) => () => {
    if (isBusy) return;
    actedIn.value = 'more';
    for (const one of all) one.forget();
    void act();
  };
  const problem = all.find((one) => one.problem !== undefined)?.problem;
  const isOver = state === 'cancelled' || state === 'completed';

  return (
    <>
      <Menu label="More">
        <MenuItem text="Rehearse" does={begin(() => jobs.begin.run('rehearse', {}))} />
        {campaign.shown === 'open' && !waitsForItsTime(campaign) && (
          <MenuItem text="Pause" icon="pause" does={begin(() => pause.run(version))} />
        )}
        <MenuItem
          text="Fetch results"
          icon="download"
          does={begin(() => jobs.begin.run('collect', {}))}
        />
        <MenuItem text="Rename" does={opens('rename')} />
        {(isOver || archived) && (
          <MenuItem
            text={archived ? 'Take out of the archive' : 'Archive'}
            does={begin(() => archive.run(version, archived))}
          />
        )}
        {state !== 'cancelled' && (
          <MenuItem text="Cancel the campaign" icon="stop" does={opens('cancel')} />
        )}
      </Menu>
      {problem !== undefined && dialog === undefined && actedIn.value === 'more' && (
        <div class="whole-line">
          <ProblemNotice problem={problem} />
        </div>
      )}
      {dialog === 'rename' && <RenameDialog shown={shown} onClose={opens(undefined)} />}
      {dialog === 'cancel' && cancel.question === undefined && (
        <Confirm
          title={`Cancel ${name}?`}
          does="Cancel the campaign"
          isDanger
          action={{ ...cancel, isBusy, run: begin(() => cancel.run(version)) }}
          onClose={() => {
            cancel.forget();
            opens(undefined)();
          }}
        >
          <p>
            {counted(waiting, 'person who waits', 'people who wait')} will not be called. Calls in
            progress end by themselves, and their results are still fetched.
          </p>
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
  do: () => Promise<boolean>;
  /** What it does to calls, and what undoes it, as sentences. */
  about?: string;
  /** It can be told how many calls are made at most. */
  hasLimit?: boolean;
}

/** It was started, and goes on by itself. */
function waitsForItsTime({ shown, runnerCalls, begins }: CampaignDetail): boolean {
  return shown === 'open' && (runnerCalls || begins?.isOn === true);
}

/** What is wanted most in a state, by its time; undefined: nobody waits to be called. */
function mainOf(
  { campaign }: ShownCampaign,
  does: Record<'pause' | 'start' | 'resume' | 'undoCancel', () => Promise<boolean>>,
): MainButton | undefined {
  const { shown, waiting, begins } = campaign;
  const at = (verb: string) => (begins === null ? verb : `${verb} ${begins.when}`);
  if (shown === 'paused') return { text: at('Go on calling'), icon: 'play', do: does.resume };
  if (shown === 'cancelled')
    return { text: 'Take back the cancelling', icon: 'replay', do: does.undoCancel };
  const pause = (text: string, meanwhile: string): MainButton => {
    const about = `${text}: ${meanwhile} until somebody presses “Go on calling”.`;
    return { text, about, icon: 'pause', do: does.pause };
  };
  const ends = 'calls on the line end by themselves; no other begins';
  if (shown === 'running') return pause('Stop after these calls', ends);
  if (waiting === 0) return undefined;
  if (waitsForItsTime(campaign)) return pause('Pause', 'no call begins');
  const text = at(shown === 'open' ? 'Go on calling' : 'Start');
  return { text, icon: 'play', do: does.start, hasLimit: true };
}
