import { AppError, EXIT, messageOf, type ExitCode } from '../../../runtime/errors.ts';
import { expectFewAnswers } from '../../../runtime/few-answers.ts';
import type { Beginning } from '../../../app/services/ask-first.ts';
import { checkList } from '../../print/check-list.ts';
import { defineCommand } from '../../args/command.ts';
import { printJson, say } from '../../terminal/output.ts';
import { makePlan } from '../../../app/plan/plan.ts';
import { planLines } from '../../../app/sentences/plan-lines.ts';
import { lookBack, planJson, sayPlanned } from '../../print/plan-report.ts';
import { asSentence } from '../../../text/plural.ts';
import { listOptions } from '../../args/list-input.ts';
import { campaignOptions, planRequest } from '../../args/run-options.ts';
import { interruptible } from '../../terminal/underway.ts';
import { unfinishedSentence } from '../../../app/plan/unfinished-import.ts';

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
    ['check leads.csv', 'what is in a list, and what is still missing to call it; asks no service'],
    [
      'check leads.csv --agent ag_123 --service main --rules always',
      'what would be called, and why not; calls nobody, writes nothing',
    ],
  ],
  run: interruptible(async (args, io) => {
    expectFewAnswers();
    const request = planRequest(args.list, args, io.clock.now());
    const alone = await checkList(request, args.json, io);
    if (alone !== undefined) return alone;
    let service: ServiceSeen | undefined;
    const plan = await makePlan(request, io, 'look', async (beginning) => {
      service = await checkService(beginning);
      return undefined;
    });
    try {
      service ??= await checkService(plan);
      const seen = await lookBack(plan, io);
      if (args.json) {
        const about = planJson(plan, seen);
        const { agentName, problem, next } = service;
        printJson(io, {
          ...about,
          service: { ...about.service, agentName, problem, next },
          missing: [],
        });
        return service.code;
      }
      for (const line of planLines(plan, service.agentName, { called: seen.called })) say(io, line);
      await sayPlanned(plan, seen, io);
      for (const { path } of plan.others)
        say(io, `${path}: not the list that the campaign was made from; \`run\` needs --add.`);
      if (plan.unfinished !== undefined && plan.campaign !== undefined)
        say(io, unfinishedSentence(plan.unfinished, plan.campaign));
      say(io, service.problem ?? `Service: ${plan.opened.service.url} answers, and has the agent.`);
      if (service.next !== null) say(io, `  next: ${service.next}`);
      say(io, 'Nothing was called, nothing was written.');
      return service.code;
    } finally {
      await plan.close();
    }
  }),
});

interface ServiceSeen {
  agentName: string | null;
  /** A sentence; null: the service answers and has the agent. */
  problem: string | null;
  /** What to do about it. */
  next: string | null;
  code: ExitCode;
}

async function checkService({ opened, resolved }: Beginning): Promise<ServiceSeen> {
  try {
    const { agents, complete } = await opened.service.listAgents();
    const found = agents.find(({ id }) => id === resolved.settings.agent);
    if (found !== undefined) {
      return { agentName: found.name, problem: null, next: null, code: EXIT.ok };
    }
    const sure = complete ? 'has no' : 'did not show all agents; among those read is no';
    return {
      agentName: null,
      problem: `Service: ${opened.service.url} ${sure} agent "${resolved.settings.agent}".`,
      next: '`callsheet agents list` shows them, `callsheet agents create` makes one',
      code: EXIT.failed,
    };
  } catch (error) {
    const known = error instanceof AppError ? error : undefined;
    return {
      agentName: null,
      problem: `Service: ${asSentence(messageOf(error))}`,
      next: known?.hint ?? null,
      code: known?.exitCode ?? EXIT.failed,
    };
  }
}
