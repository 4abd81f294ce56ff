/**
 * What people can be told of. `attention`: a person is needed. `finished`: a night or a campaign has ended. `started`: a
 * night's first call was made. `refusedList`: a list of a watched folder was not taken, or rows of it
 * were held back.
 */
export const NOTICE_EVENTS = ['attention', 'finished', 'started', 'refusedList'] as const;
export type NoticeEventName = (typeof NOTICE_EVENTS)[number];

interface Wanted {
  /** Empty: this one tells nothing by itself; in services.yaml it allows campaign files to use it. */
  on: readonly NoticeEventName[];
}

/** A program that is started for each notice, without a shell. */
export interface CommandTarget extends Wanted {
  command: readonly string[];
  /** The absolute folder in which it runs. */
  folder: string;
}

/** An address to which each notice is posted; either `url` or `urlEnv` is given. */
export interface WebhookTarget extends Wanted {
  url?: string;
  /** The environment variable that holds the address, where the address itself is a secret. */
  urlEnv?: string;
  /** The environment variable that holds the secret of Standard Webhooks; left out: notices are not signed. */
  secretEnv?: string;
}

export type NoticeTarget = CommandTarget | WebhookTarget;

/** A target of a campaign, and who named it: a campaign file may be somebody else's work. */
export type CampaignTarget = NoticeTarget & { from: 'file' | 'given' };

export function isCommand(target: NoticeTarget): target is CommandTarget {
  return 'command' in target;
}

/** The same for two targets that reach the same receiver: whoever is named twice is told once. */
export function receiverOf(target: NoticeTarget): string {
  if (isCommand(target)) return JSON.stringify(['command', target.folder, ...target.command]);
  return JSON.stringify(['webhook', target.url ?? '', target.urlEnv ?? '']);
}

/**
 * What a campaign's target comes to, given the targets of the operator's own services.yaml. A campaign file may come
 * from somebody else, so it decides neither what is run on this machine, nor what is sent to its own ports, nor where
 * something signed with a secret goes: services.yaml has to name the same command, the same address on loopback, or
 * the same secret for the same origin.
 *
 * @returns the target to use (a command runs in the folder of services.yaml then); null: it is not allowed
 */
export function allowedTarget(
  { from, ...target }: CampaignTarget,
  own: readonly NoticeTarget[],
  {
    isLoopback,
    originOf,
  }: { isLoopback: (url: string) => boolean; originOf: (url: string) => string },
): NoticeTarget | null {
  if (from === 'given') return target;
  if (isCommand(target)) {
    const same = own.find((each) => isCommand(each) && isSameCommand(each, target));
    return same === undefined || !isCommand(same) ? null : { ...target, folder: same.folder };
  }
  const { url, urlEnv, secretEnv } = target;
  const hooks = own.filter((each): each is WebhookTarget => !isCommand(each));
  if (urlEnv !== undefined || url === undefined) {
    const isNamed = hooks.some((each) => each.urlEnv === urlEnv && each.secretEnv === secretEnv);
    return isNamed ? target : null;
  }
  if (isLoopback(url) && !hooks.some((each) => each.url === url)) return null;
  const origin = originOf(url);
  const isOwnSecret = hooks.some(
    (each) =>
      each.secretEnv === secretEnv && each.url !== undefined && originOf(each.url) === origin,
  );
  return secretEnv === undefined || isOwnSecret ? target : null;
}

function isSameCommand(one: CommandTarget, other: CommandTarget): boolean {
  return JSON.stringify(one.command) === JSON.stringify(other.command);
}
