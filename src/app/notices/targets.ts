import { shownTarget } from '../../config/notify.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import {
  allowedTarget,
  isCommand,
  receiverOf,
  type NoticeTarget,
} from '../../domain/notices/target.ts';
import { usageError } from '../../runtime/errors.ts';
import { shortHash } from '../../runtime/ids.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import type { Campaign, OutboxReceiver } from '../../store/port.ts';

/** A receiver, and how to reach it. `target` stands for it in the database, which knows neither address nor secret. */
export interface Receiver extends OutboxReceiver {
  to: NoticeTarget;
}

type Notified = Pick<CampaignSettings, 'notify'>;

/** Everybody who may be told of something, each once: those of services.yaml, then those of these campaigns. */
export function receivers(
  own: readonly NoticeTarget[],
  campaigns: Iterable<Notified>,
): Map<string, Receiver> {
  const found = new Map<string, Receiver>();
  const all = [...campaigns].flatMap(({ notify = [] }) =>
    notify.flatMap((target) => allowedTarget(target, own, isOnLoopback) ?? []),
  );
  for (const to of [...own, ...all]) {
    const target = shortHash([receiverOf(to)], 16);
    const known = found.get(target);
    if (known === undefined) found.set(target, { target, shown: shownTarget(to), to });
    // Named twice: told once, of what either wants; how it is signed is the first one's word.
    else known.to = { ...known.to, on: [...new Set([...known.to.on, ...to.on])] };
  }
  return found;
}

/**
 * One sentence for each receiver: what it is `told` of, and how; `refused`: those that a stored campaign names and
 * services.yaml does not allow any more.
 */
export function receiverLines(
  own: readonly NoticeTarget[],
  campaigns: readonly Campaign[],
): { told: string[]; refused: string[] } {
  const settings = campaigns.map((campaign) => campaign.settings);
  const told = [...receivers(own, settings).values()]
    .filter(({ to }) => to.on.length > 0)
    .map(({ to, shown }) => {
      const signed = 'secretEnv' in to ? `signed with ${to.secretEnv}` : 'not signed';
      return `${to.on.join(', ')} to ${shown} ${isCommand(to) ? `in ${to.folder}` : `(${signed})`}`;
    });
  const refused = campaigns.flatMap(
    ({ name, settings: { notify = [] } }) =>
    notify
      .filter((target) => allowedTarget(target, own, isOnLoopback) === null)
      .map((target) => `${name}: ${shownTarget(target)} is not told, as its campaign file names it and services.yaml does not`), // prettier-ignore
  );
  return { told, refused };
}

/**
 * Refuses what a campaign file may not decide; see `allowedTarget`.
 *
 * @param path of services.yaml, for messages
 * @throws AppError `NOTIFY_FOREIGN` (exit 2)
 */
export function requireAllowed(
  { notify = [] }: Notified,
  { notify: own = [], path }: { notify?: readonly NoticeTarget[] | undefined; path: string },
): void {
  for (const target of notify) {
    if (allowedTarget(target, own, isOnLoopback) !== null) continue;
    const signed =
      !isCommand(target) && target.secretEnv !== undefined
        ? `, signed with ${target.secretEnv}`
        : '';
    const same = isCommand(target)
      ? `command: ${JSON.stringify(target.command)}`
      : 'the same url, urlEnv and secretEnv';
    throw usageError(
      'NOTIFY_FOREIGN',
      `The campaign file wants notices to go to ${shownTarget(target)}${signed}, and ${path} does not allow that: such a file may come from somebody else.`,
      `add \`- { on: none, ... }\` with ${same} to \`notify\` in ${path}, or take it out of the campaign file`,
    );
  }
}

function isOnLoopback(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}
