import { EXIT, messageOf } from '../../runtime/errors.ts';
import { expectFewAnswers } from '../../runtime/few-answers.ts';
import type { Survey } from '../../leads/survey.ts';
import type { Beginning } from '../ask-first.ts';
import { defineCommand } from '../command.ts';
import { columnLines, exampleLines, notTaken } from '../import-report.ts';
import type { Io } from '../io.ts';
import { progressJson } from '../json-times.ts';
import { printJson, say } from '../output.ts';
import { makePlan } from '../plan.ts';
import { planLines } from '../plan-lines.ts';
import { grouped } from '../../results/words.ts';
import { asSentence, counted } from '../plural.ts';
import { listOptions } from '../list-input.ts';
import { ageText } from '../suppression-age.ts';
import { campaignOptions } from '../run-options.ts';
import { interruptible } from '../underway.ts';
import { unfinishedSentence } from '../unfinished-import.ts';

export const check = defineCommand({
  arguments: {
    list: {
      describe:
        'a list (CSV, .gz, .zip, .xlsx; -: stdin), a campaign file (.yaml), or the name of a campaign',
      required: true,
    },
  },
  options: { ...campaignOptions, ...listOptions },
  examples: [
    [
      'check leads.csv --agent ag_123 --service main --rules always',
      'what would be called, and why not; calls nobody, writes nothing',
    ],
  ],
  run: interruptible(async (args, io) => {
    expectFewAnswers();
    let service: ServiceSeen | undefined;
    const plan = await makePlan(args.list, args, io, 'look', async (beginning) => {
      service = await checkService(beginning);
      return undefined;
    });
    try {
      service ??= await checkService(plan);
      if (args.json) {
        printJson(io, {
          campaign: plan.name,
          exists: plan.campaign !== undefined,
          callNow: plan.callNow,
          lists: plan.surveys.map(asJson),
          known: plan.known.map(({ path }) => path),
          progress:
            plan.progress === undefined
              ? null
              : progressJson(plan.progress, plan.resolved.settings.timezone),
          settings: plan.resolved.settings,
          service: {
            name: plan.opened.config.name,
            url: plan.opened.service.url,
            live: plan.opened.config.live,
            ...service,
          },
          database: { path: plan.place.path, exists: plan.store !== undefined },
        });
        return service.problem === null ? EXIT.ok : EXIT.failed;
      }
      for (const line of planLines(plan, service.agentName)) say(io, line);
      for (const survey of plan.surveys) showSurvey(survey, io);
      for (const list of plan.known)
        say(io, `${list.path}: in the campaign already (${counted(list.good, 'good row')}).`);
      for (const { path } of plan.others)
        say(io, `${path}: not the list that the campaign was made from; \`run\` needs --add.`);
      const [newest] = (await plan.store?.suppressionFiles()) ?? [];
      if (newest !== undefined)
        say(io, `Newest file on the suppression list: ${ageText(newest, io.clock.now())}.`);
      if (plan.unfinished !== undefined && plan.campaign !== undefined)
        say(io, unfinishedSentence(plan.unfinished, plan.campaign));
      if (plan.store === undefined) say(io, `There is no database at ${plan.place.path} yet.`);
      say(io, service.problem ?? `Service: ${plan.opened.service.url} answers, and has the agent.`);
      say(io, 'Nothing was called, nothing was written.');
      return service.problem === null ? EXIT.ok : EXIT.failed;
    } finally {
      await plan.close();
    }
  }),
});

interface ServiceSeen {
  agentName: string | null;
  /** A sentence; null: the service answers and has the agent. */
  problem: string | null;
}

async function checkService({ opened, resolved }: Beginning): Promise<ServiceSeen> {
  try {
    const { agents, complete } = await opened.service.listAgents();
    const found = agents.find(({ id }) => id === resolved.settings.agent);
    if (found !== undefined) return { agentName: found.name, problem: null };
    const sure = complete ? 'has no' : 'did not show all agents; among those read is no';
    return {
      agentName: null,
      problem: `Service: ${opened.service.url} ${sure} agent "${resolved.settings.agent}".`,
    };
  } catch (error) {
    return { agentName: null, problem: `Service: ${asSentence(messageOf(error))}` };
  }
}

function asJson({ scanned, ...survey }: Survey) {
  const { warnings, mapping, headerLine } = scanned;
  return { ...survey, phones: undefined, warnings, mapping, headerLine };
}

function showSurvey(survey: Survey, io: Io): void {
  const { path, rows, good, scanned } = survey;
  say(io, `${path}: ${counted(rows, 'row')}, ${grouped(good)} good${notTaken(survey)}.`);
  for (const line of columnLines(scanned)) say(io, line);
  for (const line of exampleLines(survey)) say(io, line);
}
