import { EXIT, AppError } from '../../runtime/errors.ts';
import { parsePhone } from '../../leads/parse-phone.ts';
import { requireCountry } from '../../leads/countries.ts';
import type { E164 } from '../../domain/phone.ts';
import type { Campaign } from '../../store/port.ts';
import { defineCommand } from '../command.ts';
import { withCampaign } from '../databases.ts';
import { databaseOptions, jsonOption } from '../options.ts';
import { printJson, say } from '../output.ts';
import { counted } from '../plural.ts';
import { shellWord } from '../shell-word.ts';
import { inProgress } from './pause.ts';

export const cancel = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    lead: { type: 'text', describe: 'only this person: the number to call' },
    ...jsonOption,
  },
  examples: [
    ['cancel spring', 'call nobody of it any more, for good; calls in progress end by themselves'],
    ['cancel spring --lead +12125550123', 'withdraw one person'],
  ],
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'write', async (store, campaign) => {
      const entry = (what: string, detail: Record<string, unknown>) => ({
        at: io.clock.now(),
        who: io.user,
        what,
        detail,
      });
      if (args.lead === undefined) {
        const { waiting, held } = await store.progress(campaign.id, io.clock.now());
        await store.changeCampaign(
          campaign.id,
          { state: 'cancelled' },
          entry('campaign.cancelled', { waiting }),
        );
        if (args.json) {
          printJson(io, { campaign: campaign.name, state: 'cancelled', waiting, held });
        }
        const collect = `\`callsheet collect ${shellWord(campaign.name)}\` brings the results in.`;
        const rest = held === 0 ? '' : `${inProgress(held)} ${collect}`;
        const are = waiting === 1 ? 'is' : 'are';
        say(
          io,
          `Campaign "${campaign.name}" is cancelled: ${counted(waiting, 'waiting lead')} ${are} not called.${rest}`,
        );
        return EXIT.ok;
      }
      const phone = readPhone(args.lead, campaign);
      const answer = await store.cancelLead(campaign.id, phone, entry('lead.cancelled', { phone }));
      if (args.json && answer !== 'not_found') {
        printJson(io, { campaign: campaign.name, phone, outcome: answer });
      }
      switch (answer) {
        case 'cancelled':
          say(io, `${phone} is withdrawn from "${campaign.name}".`);
          return EXIT.ok;
        case 'calling':
          say(io, `${phone} is being called now; the service has no way to hang up.`);
          return EXIT.failed;
        case 'done':
          say(io, `${phone} is done already; see the results.`);
          return EXIT.ok;
        case 'not_found':
          throw new AppError(
            'LEAD_UNKNOWN',
            `No lead of "${campaign.name}" has the number ${phone}.`,
            {
              hint: 'give the number as in the column call_phone of the results',
              exitCode: EXIT.usage,
            },
          );
      }
    }),
});

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
