import { EXIT, AppError, type ExitCode } from '../../../runtime/errors.ts';
import { parsePhone } from '../../../leads/phone/parse-phone.ts';
import { requireCountry } from '../../../leads/phone/countries.ts';
import type { E164 } from '../../../domain/phone.ts';
import { grouped } from '../../../text/amounts.ts';
import type { Campaign, Store } from '../../../store/port.ts';
import { leadUnknown, undoCancel, undoCancelLead } from '../../../app/repair/cancel-undo.ts';
import { defineCommand } from '../../args/command.ts';
import { confirm } from '../../terminal/confirm.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { counted } from '../../../text/plural.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { interruptible } from '../../terminal/underway.ts';
import { inProgress } from './pause.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

export const cancel = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    lead: { type: 'text', describe: 'only this person: the number to call' },
    undo: {
      type: 'switch',
      describe: 'take it back, as long as nobody concerned was called since',
    },
    yes: { type: 'switch', describe: 'cancel without asking; needed without a terminal' },
    ...jsonOption,
  },
  examples: [
    ['cancel spring', 'call nobody of it any more; calls in progress end by themselves'],
    ['cancel spring --lead +12125550123', 'withdraw one person'],
    ['cancel spring --undo', 'it was the wrong one: it comes back, paused'],
  ],
  run: interruptible((args, io) =>
    withCampaign(args.campaign, args, io, 'write', async (store, campaign) => {
      if (args.lead === undefined) {
        if (args.undo) await undoCancel(store, campaign, io);
        else await cancelAll(store, campaign, args.yes, io);
        if (args.json) printJson(io, await asJson(store, campaign, io));
        return EXIT.ok;
      }
      const phone = readPhone(args.lead, campaign);
      if (!args.undo) return cancelOne(store, campaign, phone, args.json, io);
      await undoCancelLead(store, campaign, phone, io);
      if (args.json) printJson(io, { campaign: campaign.name, phone, outcome: 'waiting' });
      return EXIT.ok;
    }),
  ),
});

async function cancelAll(
  store: Store,
  campaign: Campaign,
  yes: boolean,
  io: CommandIo,
): Promise<void> {
  const { id, name, state } = campaign;
  const word = shellWord(name);
  if (state === 'cancelled') {
    say(
      io,
      `Campaign "${name}" is cancelled already; \`callsheet cancel ${word} --undo\` takes it back.`,
    );
    return;
  }
  const { waiting } = await store.progress(id, io.clock.now());
  if (waiting > 0 && (await isLive(store, campaign))) {
    await askToCancel(store, campaign, waiting, yes, io);
  }
  const detail = { before: state, waiting };
  const entry = { at: io.clock.now(), who: io.user, what: 'campaign.cancelled', detail };
  await store.changeCampaign(id, { state: 'cancelled' }, entry);
  const { held } = await store.progress(id, io.clock.now());
  const collect = `\`callsheet collect ${word}\` brings the results in.`;
  const rest = held === 0 ? '' : `${inProgress(held)} ${collect}`;
  const are = waiting === 1 ? 'is' : 'are';
  say(
    io,
    `Campaign "${name}" is cancelled: ${counted(waiting, 'waiting lead')} ${are} not called.${rest}`,
  );
  say(
    io,
    `\`callsheet cancel ${word} --undo\` takes it back, as long as nobody of them is called elsewhere.`,
  );
}

async function asJson(store: Store, { id, name }: Campaign, io: CommandIo) {
  const state = (await store.findCampaign(name))?.state;
  const { waiting, held } = await store.progress(id, io.clock.now());
  return { campaign: name, state, waiting, held };
}

/** @throws AppError `NOT_CONFIRMED` (exit 2) */
async function askToCancel(
  store: Store,
  { id, name, state }: Campaign,
  waiting: number,
  yes: boolean,
  io: CommandIo,
): Promise<void> {
  const { held } = await store.progress(id, io.clock.now());
  const { calls } = whoWorks(await store.runners(id), io);
  const people = waiting === 1 ? '1 person who waits' : `${grouped(waiting)} people who wait`;
  const runner = calls === null ? '' : ` The runner (${calls}) starts no new call.`;
  say(
    io,
    `Campaign "${name}" (${state}): ${people} would not be called by it.${runner}${held === 0 ? '' : `${inProgress(held)} Their results are still collected.`}`,
  );
  if (yes || (await confirm(io, 'Type yes to cancel it:'))) return;
  const onTerminal = io.stdinIsTty && io.stderrIsTty;
  throw new AppError(
    'NOT_CONFIRMED',
    onTerminal
      ? 'Not confirmed: nothing was cancelled.'
      : `To cancel ${people} needs a yes, and there is no terminal to ask on; nothing was cancelled.`,
    {
      hint: onTerminal
        ? 'run it again and type yes, in full'
        : 'run it on a terminal, or give --yes; `callsheet pause` holds it without an end',
      exitCode: EXIT.usage,
    },
  );
}

/** By what its history says of the service; where that is silent, people may be real. */
async function isLive(store: Store, { id, simulated }: Campaign): Promise<boolean> {
  const said = (await store.history(id)).findLast(({ detail }) => 'live' in detail);
  return said === undefined ? !simulated : said.detail['live'] === true;
}

async function cancelOne(
  store: Store,
  { id, name }: Campaign,
  phone: E164,
  json: boolean,
  io: CommandIo,
): Promise<ExitCode> {
  const entry = { at: io.clock.now(), who: io.user, what: 'lead.cancelled', detail: { phone } };
  const outcome = await store.cancelLead(id, phone, entry);
  if (json && outcome !== 'not_found') printJson(io, { campaign: name, phone, outcome });
  switch (outcome) {
    case 'cancelled':
      say(io, `${phone} is withdrawn from "${name}".`);
      return EXIT.ok;
    case 'calling':
      say(io, `${phone} is being called now; the service has no way to hang up.`);
      return EXIT.failed;
    case 'done':
      say(io, `${phone} is done already; see the results.`);
      return EXIT.ok;
    case 'not_found':
      throw leadUnknown(name, phone);
  }
}

function readPhone(text: string, { settings }: Campaign): E164 {
  const parsed = parsePhone(
    text,
    settings.country === null ? null : requireCountry(settings.country),
  );
  if (parsed.ok) return parsed.phone;
  throw new AppError('PHONE_INVALID', `--lead ${parsed.refusal.text}.`, {
    hint: 'give the number as in the column call_phone of the results',
    exitCode: EXIT.usage,
  });
}
