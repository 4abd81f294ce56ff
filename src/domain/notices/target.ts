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
 * something signed with a secret goes: for all but an unsigned address elsewhere, services.yaml has to name the same one.
 *
 * @param isLoopback of an address
 * @returns the target to use (a command runs in the folder of services.yaml then); null: it is not allowed
 */
export function allowedTarget(
  { from, ...target }: CampaignTarget,
  own: readonly NoticeTarget[],
  isLoopback: (url: string) => boolean,
): NoticeTarget | null {
  if (from === 'given') return target;
  const same = own.find((each) => namedAs(each) === namedAs(target));
  if (same !== undefined) return { ...same, on: target.on };
  if (isCommand(target) || target.url === undefined || target.secretEnv !== undefined) return null;
  const isOwn = own.some((each) => !isCommand(each) && each.url === target.url);
  return isLoopback(target.url) && !isOwn ? null : target;
}

/** The same key for two targets that differ only in their events and their folder. */
function namedAs(target: NoticeTarget): string {
  if (isCommand(target)) return JSON.stringify(target.command);
  const { url, urlEnv, secretEnv } = target;
  return JSON.stringify({ url, urlEnv, secretEnv });
}
