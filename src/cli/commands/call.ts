import { resolveSettings } from '../../config/settings.ts';
import { requireCountry } from '../../leads/countries.ts';
import { isFictional } from '../../leads/fictional.ts';
import { parsePhone } from '../../leads/parse-phone.ts';
import type { E164 } from '../../domain/phone.ts';
import { AppError, EXIT, type ExitCode } from '../../runtime/errors.ts';
import { isGone } from '../../runtime/process.ts';
import { runCampaign } from '../../runner.ts';
import type { ExportRow } from '../../store/port.ts';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { openToDial } from '../databases.ts';
import type { Io } from '../io.ts';
import { locateDatabase } from '../options.ts';
import { printJson, say } from '../output.ts';
import { campaignOptions, settingFlags } from '../run-options.ts';
import { chooseService, openService } from '../service.ts';
import { listenForStop } from '../stop.ts';

const {
  output: _output,
  format: _format,
  name: _name,
  concurrency: _c,
  pace: _p,
  ...callOptions
} = campaignOptions;

export const call = defineCommand({
  arguments: {
    number: { describe: 'the number to call, with + and country code', required: true },
  },
  options: {
    ...callOptions,
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
  run: async (args, io) => {
    const config = chooseService(args, io);
    const { settings, rulesFrom } = resolveSettings({
      ...settingFlags(args, io.cwd),
      defaults: { timezone: io.timezone, agent: config.simulated ? 'first' : undefined },
    });
    const phone = readNumber(args.number, settings.country, config.live);
    if (config.live && rulesFrom === 'default') {
      throw new AppError(
        'RULES_NOT_CHOSEN',
        `Service "${config.name}" calls real people, and no calling rules are chosen.`,
        {
          hint: 'call when it is allowed, and say so: --rules always',
          exitCode: EXIT.usage,
        },
      );
    }
    const place = locateDatabase(args, io, config.simulated);
    const store = openToDial(place, io, config.live);
    const opened = await openService(config, args, io);
    try {
      const { agents, complete } = await opened.service.listAgents();
      const agent = settings.agent === 'first' ? agents[0]?.id : settings.agent;
      if (agent === undefined || (complete && !agents.some(({ id }) => id === agent))) {
        throw new AppError(
          'AGENT_UNKNOWN',
          `${opened.service.url} has no agent "${agent ?? ''}".`,
          {
            hint: '`callsheet agents list` shows them',
            exitCode: EXIT.usage,
          },
        );
      }
      if (config.live) {
        say(
          io,
          `LIVE ${opened.service.url} agent ${agent}: 1 call to ${phone}; rules ${settings.rules.join(', ')}; database ${place.path}`,
        );
        if (!args.yes && !(await confirm(io, 'A real person will be called. Type yes to call:'))) {
          throw new AppError('NOT_CONFIRMED', 'Not confirmed: nobody was called.', {
            hint: 'type yes at the question, or give --yes where there is no terminal',
            exitCode: EXIT.usage,
          });
        }
      }
      const at = io.clock.now();
      const created = await store.createCampaign({
        id: io.newId('cmp'),
        name: `call ${phone} ${new Date(at).toISOString()}`,
        kind: 'call',
        service: opened.service.name,
        simulated: config.simulated,
        settings: { ...settings, agent },
        createdAt: at,
      });
      const list = await store.beginList(created.id, {
        id: io.newId('list'),
        path: '(call)',
        sha256: created.id,
        headers: ['phone'],
        at,
      });
      await store.addLeads(list.id, [
        { id: io.newId('lead'), phone, line: 1, cells: [args.number] },
      ]);
      await store.finishList(list.id, { good: 1, rejected: 0, duplicates: 0 });
      const campaign = await store.changeCampaign(
        created.id,
        { state: 'running' },
        { at, who: io.user, what: 'campaign.started', detail: { live: config.live, phone } },
      );
      say(io, `Calling ${phone} ...`);
      const stop = listenForStop(io, campaign.name);
      await runCampaign({
        store,
        campaign,
        dialAt: { service: opened.service, maxCalls: config.maxCalls },
        collectFrom: [opened.service],
        clock: io.clock,
        owner: io.owner,
        isGone: (owner) => isGone(owner, io.owner),
        limit: 1,
        until: null,
        waitUntil: null,
        notify: (notice) => {
          if ('detail' in notice) say(io, notice.detail);
        },
        stopDialling: stop.dialling,
        stop: stop.all,
      });
      stop.forget();
      const [row] = await store.exportPage(campaign.id, null, 1);
      if (row === undefined) throw new Error('the call left no row');
      if (args.json) printJson(io, row);
      else printCall(row, io);
      return exitCodeOf(row);
    } finally {
      await opened.close();
      await store.close();
    }
  },
});

function readNumber(text: string, country: string | null, live: boolean): E164 {
  const parsed = parsePhone(text, country === null ? null : requireCountry(country));
  if (!parsed.ok)
    throw new AppError('PHONE_INVALID', parsed.refusal.text, { exitCode: EXIT.usage });
  if (live && isFictional(parsed.phone)) {
    throw new AppError(
      'PHONE_FICTIONAL',
      `${parsed.phone} is of a range kept for fiction; a real service is not asked to call it.`,
      {
        hint: 'rehearse with --service simulated',
        exitCode: EXIT.usage,
      },
    );
  }
  return parsed.phone;
}

function printCall({ result, resultSource, state, analytics, attempt }: ExportRow, io: Io): void {
  const seconds = analytics?.durationMs == null ? null : analytics.durationMs / 1000;
  const { label, score } = analytics?.sentiment ?? { label: null, score: null };
  const facts: [string, string | number | null | undefined][] = [
    ['result', result === null ? state : `${result} (${resultSource ?? ''})`],
    ['call', attempt?.callId],
    ['duration', seconds === null ? null : `${seconds} s`],
    ['sentiment', [label, score].filter((part) => part !== null).join(' ')],
    ['summary', analytics?.summary],
    ['detail', result === 'answered' ? null : attempt?.detail],
  ];
  for (const [name, value] of facts) {
    if (value != null && value !== '') io.stdout.write(`${name}: ${value}\n`);
  }
  if (analytics?.transcript != null) io.stdout.write(`\n${analytics.transcript}\n`);
}

function exitCodeOf({ state, result }: ExportRow): ExitCode {
  if (state === 'done') return result === 'unconfirmed' ? EXIT.person : EXIT.ok;
  return state === 'waiting' ? EXIT.waiting : EXIT.person;
}
