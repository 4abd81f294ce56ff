import { readAddress, shownTarget } from '../../config/notify.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import {
  allowedTarget,
  isCommand,
  receiverOf,
  type CommandTarget,
  type NoticeTarget,
  type WebhookTarget,
} from '../../domain/notices.ts';
import { own } from '../../domain/safe-text.ts';
import { messageOf, usageError } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import { isLoopback, runCommand } from '../../runtime/process.ts';
import { shortHash } from '../../runtime/random.ts';
import { sendNotice, type SendResult } from '../../service/webhooks/send.ts';
import type { Campaign, OutboxReceiver } from '../../store/port.ts';
import { campaignNight } from '../nights/nights.ts';
import { databasePlaces, findCampaign, unknownCampaign } from '../places/databases.ts';
import { knownServices, type ServiceRequest } from '../services/service.ts';
import type { World } from '../world.ts';

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

/** Refuses what a campaign file may not decide; see `allowedTarget`. @param path of services.yaml, for messages */
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

/** What a receiver gets; as JSON without line breaks, with all other fields that it has. */
type SentNotice = Record<'id' | 'event' | 'text', string> & { campaign: string | null };

/** A command is killed after this. */
const COMMAND_MS = 30_000;
/** All that a command gets of callsheet's environment: no key and no secret. */
const PASSED_ON = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR)$/;

/** Tries once to bring a notice to a receiver, until `stop` aborts. Never throws: what goes wrong is a reason to try again. */
export async function send(
  { to, shown }: Pick<Receiver, 'to' | 'shown'>,
  notice: SentNotice,
  log: Log,
  world: World,
  stop = new AbortController().signal,
): Promise<SendResult> {
  try {
    stop.throwIfAborted();
    return isCommand(to)
      ? await start(to, shown, notice, log, world, stop)
      : await post(to, notice, world, stop);
  } catch (error) {
    return { ok: false, why: messageOf(error), retryAfterMs: null };
  }
}

async function start(
  { command, folder }: CommandTarget,
  shown: string,
  notice: SentNotice,
  log: Log,
  { env: own, clock }: World,
  stop: AbortSignal,
): Promise<SendResult> {
  const { id, event, campaign, text } = notice;
  const passed = Object.entries(own).filter(([name]) => PASSED_ON.test(name));
  const env = {
    ...(Object.fromEntries(passed) as Record<string, string>),
    CALLSHEET_NOTICE: id,
    CALLSHEET_EVENT: event,
    CALLSHEET_CAMPAIGN: campaign ?? '',
    CALLSHEET_TEXT: text,
  };
  const input = `${JSON.stringify(notice)}\n`;
  // A signal of its own, as Node warns where more than ten listen to one.
  const signal = AbortSignal.any([stop]);
  const options = { folder, env, input, withinMs: COMMAND_MS, signal, clock };
  const { ok, why, output } = await runCommand(command, options);
  log[ok ? 'info' : 'warn']('notice.commandEnded', { notice: id, command: shown, why, output });
  return ok ? { ok } : { ok, why, retryAfterMs: null };
}

function post(
  { url, urlEnv, secretEnv }: WebhookTarget,
  notice: SentNotice,
  world: World,
  stop: AbortSignal,
): Promise<SendResult> {
  const secret = secretEnv === undefined ? undefined : valueOf(secretEnv, world);
  const address = readAddress(url ?? valueOf(urlEnv ?? '', world));
  // Neither sentence repeats what the variable holds.
  if (typeof address === 'string') throw new Error(`what ${urlEnv ?? 'url'} holds ${address}`);
  const body = JSON.stringify(notice);
  return sendNotice(address.url, secret, { id: notice.id, body }, world.clock, stop);
}

function valueOf(variable: string, { env }: Pick<World, 'env'>): string {
  const value = (own(env, variable) ?? '').trim();
  if (value === '') throw new Error(`${variable} is empty or not set`);
  return value;
}

interface TryRequest extends Pick<ServiceRequest, 'services' | 'db'> {
  /** The receivers of this campaign, too; undefined: those of services.yaml alone. */
  campaign: string | undefined;
}

/**
 * Sends a notice with the event `test` to every receiver, once and at once; writes nothing.
 * @returns for each receiver how it is called, what it would be told of, and why it did not come (null: it came)
 * @throws AppError `CAMPAIGN_UNKNOWN`, those of services.yaml (exit 2)
 */
export async function tryNotices(request: TryRequest, log: Log, world: World) {
  const { notify: own = [], path } = knownServices(request, world);
  const { campaign: name = null } = request;
  const found = name === null ? undefined : await findCampaign(name, request, world);
  if (name !== null && found === undefined)
    throw await unknownCampaign(name, databasePlaces(request, world), request, world);
  const settings = found?.campaign.settings;
  const now = world.clock.now();
  const text = 'this is a test of callsheet; nobody has to do anything.';
  const notice = {
    id: world.newId('ntc_test'),
    event: 'test',
    reason: 'test',
    campaign: name,
    night: campaignNight(now, settings ?? world).date,
    at: new Date(now).toISOString(),
    text: name === null ? text : `${name}: ${text}`,
  };
  const known = receivers(own, settings === undefined ? [] : [settings]);
  const wanted = [...known.values()].filter(({ to }) => to.on.length > 0);
  const tried = wanted.map(async (receiver) => {
    const result = await send(receiver, notice, log, world);
    const { shown, to } = receiver;
    return { to: shown, on: [...to.on], ok: result.ok, why: result.ok ? null : result.why };
  });
  return { tried: await Promise.all(tried), services: path };
}
