import { readAddress } from '../../config/notify.ts';
import { isCommand, type CommandTarget, type WebhookTarget } from '../../domain/notices/target.ts';
import { messageOf } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import { runCommand } from '../../runtime/run-command.ts';
import { sendNotice, type SendResult } from '../../service/webhooks/send-notice.ts';
import type { World } from '../world.ts';
import type { Receiver } from './targets.ts';
import { own } from '../../domain/lists/own.ts';

/** A notice as its receiver gets it. */
export interface SentNotice {
  id: string;
  event: string;
  campaign: string | null;
  text: string;
  /** The whole of it, as JSON without line breaks. */
  json: string;
}

/** A command is killed after this. */
const COMMAND_MS = 30_000;
/** All that a command gets of callsheet's environment: no key and no secret. */
const PASSED_ON = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR)$/;

/** Tries once to bring a notice to a receiver. Never throws: whatever goes wrong is a reason for another try. */
export async function send(
  { to, shown }: Pick<Receiver, 'to' | 'shown'>,
  notice: SentNotice,
  log: Log,
  world: World,
): Promise<SendResult> {
  try {
    return isCommand(to)
      ? await start(to, shown, notice, log, world)
      : await post(to, notice, world);
  } catch (error) {
    return { ok: false, why: messageOf(error), retryAfterMs: null };
  }
}

async function start(
  { command, folder }: CommandTarget,
  shown: string,
  { id, event, campaign, text, json }: SentNotice,
  log: Log,
  world: World,
): Promise<SendResult> {
  const passed = Object.entries(world.env).filter(([name]) => PASSED_ON.test(name));
  const env = {
    ...(Object.fromEntries(passed) as Record<string, string>),
    CALLSHEET_NOTICE: id,
    CALLSHEET_EVENT: event,
    CALLSHEET_CAMPAIGN: campaign ?? '',
    CALLSHEET_TEXT: text,
  };
  const input = `${json}\n`;
  const { clock } = world;
  const options = { folder, env, input, withinMs: COMMAND_MS, clock };
  const { ok, why, output } = await runCommand(command, options);
  log[ok ? 'info' : 'warn']('notice.commandEnded', { notice: id, command: shown, why, output });
  return ok ? { ok } : { ok, why, retryAfterMs: null };
}

function post(
  { url, urlEnv, secretEnv }: WebhookTarget,
  { id, json }: SentNotice,
  world: World,
): Promise<SendResult> {
  const secret = secretEnv === undefined ? undefined : valueOf(secretEnv, world);
  const address = readAddress(url ?? valueOf(urlEnv ?? '', world));
  // Neither sentence repeats what the variable holds.
  if (typeof address === 'string') throw new Error(`what ${urlEnv ?? 'url'} holds ${address}`);
  return sendNotice(address.url, secret, { id, body: json }, world.clock);
}

function valueOf(variable: string, { env }: Pick<World, 'env'>): string {
  const value = (own(env, variable) ?? '').trim();
  if (value === '') throw new Error(`${variable} is empty or not set`);
  return value;
}
