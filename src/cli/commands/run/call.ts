import { resolveSettings } from '../../../config/settings.ts';
import type { ExitCode } from '../../../runtime/errors.ts';
import { requireYes } from '../../../app/plan/approve.ts';
import { checkAgent } from '../../../app/services/ask-first.ts';
import { printCallReport } from '../../print/call-report.ts';
import { defineCommand } from '../../args/command.ts';
import { openExisting, openToDial, requireMayCreate } from '../../../app/places/databases.ts';
import { databaseOptions, jsonOption, logOf, serviceOptions } from '../../args/options.ts';
import { say } from '../../terminal/output.ts';
import { requireRules } from '../../../app/plan/rules.ts';
import { givenIn, settingOptions } from '../../args/run-options.ts';
import { chooseService, openService } from '../../../app/services/service.ts';
import { createSingleCall, readNumber, runSingleCall } from '../../../app/run/single-call.ts';
import { watchRun } from '../../terminal/watch-run.ts';
import { refuseSuppressed } from '../../../app/suppression/suppression-store.ts';
import { locateDatabase } from '../../../app/places/database-place.ts';

const { agent, country, requests, rules, timezone, set } = settingOptions;

export const call = defineCommand({
  arguments: {
    number: { describe: 'the number to call, with + and country code', required: true },
  },
  options: {
    ...{ agent, country, requests, rules, timezone, set },
    ...serviceOptions,
    ...databaseOptions,
    ...jsonOption,
    yes: {
      type: 'switch',
      describe: 'call a real person without asking; needed without a terminal',
    },
  },
  examples: [
    [
      'call +12125550123 --agent ag_123 --service simulated',
      'one test call: waits, prints transcript, duration and sentiment',
    ],
  ],
  run: async (args, io): Promise<ExitCode> => {
    const config = chooseService(args, io);
    const settingsOf = (agent: string | undefined) =>
      resolveSettings({
        ...givenIn(args),
        cwd: io.cwd,
        defaults: { timezone: io.timezone, agent },
      });
    const draft = settingsOf(config.simulated ? 'any' : undefined);
    await requireRules(draft, config);
    const phone = readNumber(args.number, draft.settings.country, config.live);
    const place = locateDatabase(args, io, config.simulated);
    requireMayCreate(place, io, config.live);
    const existing = await openExisting(place, io, 'dial');
    const undo = [async () => existing?.close()];
    try {
      await refuseSuppressed(existing, phone, io);
      const opened = await openService(config, args, io);
      undo.push(opened.close);
      const { service } = opened;
      const first = config.simulated ? (await service.listAgents()).agents[0]?.id : undefined;
      const { settings } = settingsOf(first);
      const agentName = (await checkAgent(service, settings.agent, io))?.name ?? null;
      if (config.live) {
        const agent = agentName === null ? settings.agent : `${agentName} (${settings.agent})`;
        const rules = settings.rules.join(', ');
        say(
          io,
          `LIVE ${service.url} agent ${agent}: 1 call to ${phone}; rules ${rules}; database ${place.path}`,
        );
        await requireYes(1, args.yes, io);
      }
      const store = existing ?? (await openToDial(place, io));
      if (existing === undefined) undo.unshift(() => store.close());
      const campaign = await createSingleCall(store, config, { ...args, phone, settings }, io);
      say(io, `Calling ${phone} ...`);
      const run = {
        dialAt: { service, maxCalls: opened.config.maxCalls },
        collectFrom: [service],
        limit: 1,
        until: null,
        waitUntil: null,
      };
      const options = { store, campaign, run, log: logOf(args, io), watch: watchRun(io) };
      return printCallReport(await runSingleCall(options, io), args.json, io);
    } finally {
      for (const step of undo.reverse()) await step();
    }
  },
});
