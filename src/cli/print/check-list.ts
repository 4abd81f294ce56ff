import { resolveSettings } from '../../config/settings.ts';
import type { ServiceConfig } from '../../config/service.ts';
import { grouped } from '../../text/amounts.ts';
import { AppError, EXIT, type ExitCode } from '../../runtime/errors.ts';
import { findCampaign, openExisting } from '../../app/places/databases.ts';
import type { CommandIo } from '../io.ts';
import { printJson, say } from '../terminal/output.ts';
import { listPaths, type PlanRequest } from '../../app/plan/plan.ts';
import { AS_FOUND, nobodyToCall, readLists, type PlannedLists } from '../../app/plan/plan-lists.ts';
import { saySurvey, surveyJson } from './plan-report.ts';
import { counted } from '../../text/plural.ts';
import { requireRules } from '../../app/plan/rules.ts';
import { chooseService, knownServices } from '../../app/services/service.ts';
import { shellWord } from '../../text/shell-word.ts';
import { readTarget, type Target } from '../../app/places/target.ts';
import { locateDatabase } from '../../app/places/database-place.ts';

/** Something that `run` would need and that nobody has given yet. */
interface Missing {
  /** As it is given, e.g. `--agent ID`. */
  give: string;
  why: string;
}

/**
 * Looks at a list that cannot be called yet, as the service, its key, the agent or the rules are not chosen: what is in
 * it, what would be called, and what is still missing. Asks no service, needs no database, writes nothing.
 *
 * @returns undefined where nothing is missing, or where it is no list of a new campaign: the plan can be made
 * @throws AppError those of `readTarget`, `resolveSettings`, `readLists`, and `LIST_HAS_NO_GOOD_ROW` once it is shown
 */
export async function checkList(
  request: PlanRequest,
  json: boolean,
  io: CommandIo,
): Promise<ExitCode | undefined> {
  const { list: text, input = AS_FOUND } = request;
  const target = readTarget(text, io.cwd);
  const resolved = resolveSettings({
    ...request.given,
    cwd: io.cwd,
    file: target.file,
    defaults: { timezone: io.timezone, agent: NONE },
  });
  const lists = resolved.leads.length > 0 ? resolved.leads : target.lists;
  const name = resolved.name ?? target.name;
  if (lists.length === 0 || (await findCampaign(name, request, io)) !== undefined) return undefined;
  const { config, missing } = await missingFor(resolved, target, request, io);
  if (missing.length === 0) return undefined;

  const undo: (() => Promise<void>)[] = [];
  try {
    const place = locateDatabase(request, io, config?.simulated === true);
    const store = await openExisting(place, io, 'read');
    if (store !== undefined) undo.push(() => store.close());
    const reading = {
      live: config?.live === true,
      input,
      store,
      campaign: undefined,
      allowsNobody: true,
    };
    const planned = await readLists(await listPaths(lists, io, undo), resolved, reading, io);
    missing.push(...missingCountry(planned));
    if (json) {
      printJson(io, {
        campaign: name,
        exists: false,
        callNow: planned.fresh,
        lists: planned.surveys.map(surveyJson),
        known: [],
        progress: null,
        settings: null,
        service: null,
        database: { path: place.path, exists: store !== undefined },
        missing,
      });
    } else sayMissing(planned, missing, text, io);
    const canBeMended = missing.some(({ give }) => give === COUNTRY);
    if (planned.surveys.every(({ good }) => good === 0) && !canBeMended)
      throw nobodyToCall(planned.surveys, input);
    return EXIT.ok;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Stands for an agent that nobody has named. */
const NONE = 'none';
const COUNTRY = '--country CC';

async function missingFor(
  resolved: ReturnType<typeof resolveSettings>,
  target: Target,
  request: PlanRequest,
  io: CommandIo,
): Promise<{ config: ServiceConfig | undefined; missing: Missing[] }> {
  const missing: Missing[] = [];
  const { config, give } = serviceFor(resolved, target, request, io);
  if (give !== undefined) missing.push(give);
  if (config?.simulated !== true && resolved.settings.agent === NONE) {
    const from = request.service === undefined ? '' : ` --service ${shellWord(request.service)}`;
    const why = `who speaks; \`callsheet agents list${from}\` shows them`;
    missing.push({ give: '--agent ID', why });
  }
  try {
    // Whether people's phones ring at a service that is not chosen yet is not known: then it is said as well.
    await requireRules(resolved, config ?? { name: 'main', live: true });
  } catch (error) {
    if (!isMissing(error, 'RULES_NOT_CHOSEN')) throw error;
    const why = 'no calling hours and no caps are kept; needed where people are called';
    missing.push({ give: '--rules always', why });
  }
  return { config, missing };
}

function serviceFor(
  { service }: ReturnType<typeof resolveSettings>,
  { file }: Target,
  request: PlanRequest,
  io: CommandIo,
): { config?: ServiceConfig; give?: Missing } {
  try {
    return { config: chooseService(request, io, { choice: service, beside: file?.folder }) };
  } catch (error) {
    if (isMissing(error, 'SERVICE_KEY_MISSING')) {
      return { give: { give: 'the key', why: `${error.message} ${error.hint ?? ''}`.trim() } };
    }
    if (!isMissing(error, 'SERVICE_NOT_CHOSEN')) throw error;
    const { path, entries } = knownServices(request, io);
    const why = `of ${path} (${[...entries.keys()].join(', ')}), or --service-url URL`;
    return { give: { give: '--service NAME', why } };
  }
}

function isMissing(error: unknown, code: string): error is AppError {
  return error instanceof AppError && error.code === code;
}

function missingCountry({ surveys }: PlannedLists): Missing[] {
  const rows = surveys.reduce((sum, { byReason }) => sum + (byReason.no_country ?? 0), 0);
  if (rows === 0) return [];
  const have = `${counted(rows, 'row')} ${rows === 1 ? 'has a number' : 'have numbers'}`;
  return [{ give: COUNTRY, why: `${have} without + and country code, e.g. --country US` }];
}

function sayMissing(planned: PlannedLists, missing: Missing[], text: string, io: CommandIo): void {
  for (const survey of planned.surveys) saySurvey(survey, io);
  say(io, `${grouped(planned.fresh)} to call. To call them, this is still needed:`);
  for (const { give, why } of missing) say(io, `  ${give}: ${why}`);
  if (missing[0]?.give.startsWith('--service') === true) {
    const rehearse = `callsheet run ${shellWord(text)} --service simulated`;
    say(io, `\`${rehearse}\` rehearses it: nobody is called.`);
  }
  say(io, 'Nothing was called, nothing was written.');
}
