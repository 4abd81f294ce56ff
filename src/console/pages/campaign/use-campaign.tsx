import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { Campaign, CampaignDetail } from '../../../views/campaigns.ts';
import type { Problem, Told } from '../../../views/fields.ts';
import { useAction, type Action } from '../api/action.ts';
import { get, path, Refusal } from '../api/client.ts';
import { everySecond, useRead } from '../api/loaded.ts';
import type { ButtonAction } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/notice.tsx';

/** A campaign that is shown, and how its page follows a change. */
export interface ShownCampaign {
  campaign: CampaignDetail;
  /** Puts in place what the answer to a change has told, and reads the rest anew. */
  changed: (answer?: Partial<Campaign>) => void;
}

/** @returns `shown` is undefined until it was read */
export function useCampaign(name: string): {
  shown: ShownCampaign | undefined;
  problem: Problem | undefined;
} {
  const {
    value: campaign,
    problem,
    set,
    newest,
    reload,
  } = useRead<CampaignDetail>(path`/campaigns/${name}`, everySecond);
  const shown = campaign && {
    campaign,
    changed: (answer?: Partial<Campaign>) => {
      if (answer !== undefined) set({ ...(newest() ?? campaign), ...answer });
      reload();
    },
  };
  return { shown, problem };
}

const stateNow = ({ shown }: CampaignDetail) => `It is ${shown} now.`;

/** What the API answers a change with. */
export interface Changed {
  messages: Told[];
  campaign: Pick<Campaign, 'name' | 'version'> & Partial<Campaign>;
}

interface Change<A extends unknown[]> extends Pick<
  Action<unknown[]>,
  'isBusy' | 'problem' | 'forget'
> {
  /** @param version the one that was looked at */
  run: (version: number, ...given: A) => Promise<boolean>;
  /** Lies over the page while it is asked whether it should be done all the same; to be put somewhere. */
  question: ComponentChildren;
}

/**
 * A change of a campaign. If somebody else was faster, nothing is done: the page shows what is there now, and asks.
 *
 * @param act sends it, with the version that was looked at
 * @param now says what is there now of what is changed, as a sentence; default the campaign's state
 * @param onDone called when it was done
 */
export function useChange<A extends unknown[]>(
  { campaign, changed }: ShownCampaign,
  act: (ifVersion: number, ...given: A) => Promise<Changed>,
  { now = stateNow, onDone }: { now?: typeof stateNow; onDone?: () => void } = {},
): Change<A> {
  const [overtaken, setOvertaken] = useState<{
    problem: Problem;
    now: CampaignDetail;
    given: A;
  }>();
  const action = useAction(async (version: number, given: A) => {
    setOvertaken(undefined);
    const answer = await act(version, ...given).catch(async (error: unknown) => {
      if (!isOvertaken(error)) throw error;
      const present = await get<CampaignDetail>(path`/campaigns/${campaign.name}`);
      changed(present);
      setOvertaken({ problem: error.problem, now: present, given });
      return undefined;
    });
    if (answer === undefined) return undefined;
    changed(answer.campaign);
    onDone?.();
    return answer;
  });
  return {
    isBusy: action.isBusy,
    problem: action.problem,
    forget: action.forget,
    run: (version, ...given) => action.run(version, given),
    question: overtaken && (
      <AllTheSame
        problem={overtaken.problem}
        now={now(overtaken.now)}
        action={{
          isBusy: action.isBusy,
          run: () => action.run(overtaken.now.version, overtaken.given),
        }}
        onClose={() => setOvertaken(undefined)}
      />
    ),
  };
}

/** Asks again after somebody else's change came first. */
export function AllTheSame({
  problem,
  now,
  ...answers
}: {
  problem: Problem;
  /** What is there now. */
  now: string;
  action: ButtonAction;
  onClose: () => void;
}) {
  return (
    <Confirm title="Somebody else was faster" does="Do it all the same" {...answers}>
      <ProblemNotice problem={{ ...problem, hint: null }} />
      <p>{now}</p>
    </Confirm>
  );
}

function isOvertaken(error: unknown): error is Refusal {
  return error instanceof Refusal && error.problem.code === 'CAMPAIGN_CHANGED';
}
