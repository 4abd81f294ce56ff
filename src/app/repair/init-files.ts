import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { campaignSchema, SCHEMA_FILE } from '../../config/campaign-file.ts';
import { DEFAULT_SERVICES, loadServices, SIMULATED } from '../../config/services-file.ts';
import { usageError } from '../../runtime/errors.ts';
import { packageRoot } from '../../runtime/files.ts';
import type { Agent } from '../../service/port.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { openStore } from '../places/databases.ts';
import { isThere, locateDatabase, nameOf } from '../places/home.ts';
import { withPlan, type Plan } from '../plan/plan.ts';
import { columnLines, noteLines, placeLines } from '../sentences/import-lines.ts';
import { pathFrom, scalar, servicesText, writeAll } from '../services/add-service.ts';
import { variableLines, variablesOf } from '../services/prompt-variables.ts';
import type { World } from '../world.ts';

/** The answers to the questions of `init`; paths are absolute, '' means none. */
export interface Setup {
  home: string;
  /** null: the embedded one, which is always there. */
  service: { name: string; url: string; profile: string; keyFile: string } | null;
  /** The key to write to the key file; null: the file exists. */
  key: string | null;
  /** The agent as the service returned it; null: the service does not show it. */
  agent: Agent | null;
  /** What could not be tested with the service, e.g. `the agent is`; null: nothing. */
  untested: string | null;
  campaign: { name: string; list: string; agent: string; country: string; timezone: string };
  /** '' when no rules had to be chosen. */
  rules: string;
}

export function campaignPath({ home, campaign }: Pick<Setup, 'home' | 'campaign'>): string {
  return join(home, 'campaigns', `${campaign.name}.yaml`);
}

type Written = [path: string, text: string];

/** The answer that stands for a list of fictional numbers. */
export const SAMPLE = 'sample';

/** The file with the rows of a list that `init` is to write: only the sample is not there yet. */
export function sampleOr(list: string): string {
  return existsSync(list) ? list : join(packageRoot(), 'data', 'samples', 'leads.csv');
}

/** Checked before any question, so that nothing is asked in vain: `init` replaces no existing entry or file. */
export function refuseExisting(home: string, service: string | undefined, campaign?: string): void {
  const services = loadServices(null, home);
  if (service !== undefined && services.entries.has(service)) {
    throw usageError(
      'SERVICE_EXISTS',
      `There is a service "${service}" in ${join(home, DEFAULT_SERVICES)} already; it is not replaced.`,
      'name another one with --service, or edit that file',
    );
  }
  const path = campaign === undefined ? '' : join(home, 'campaigns', `${campaign}.yaml`);
  if (path === '' || !existsSync(path)) return;
  throw usageError(
    'CAMPAIGN_FILE_EXISTS',
    `There is a campaign file ${path} already; it is not replaced.`,
    'name another campaign with --name, or edit that file',
  );
}

/**
 * Writes all files, reads them as `check` would, and restores the former state if anything fails.
 *
 * @returns the files it made or changed
 */
export async function writeSetup(setup: Setup, world: World): Promise<string[]> {
  const services = join(setup.home, DEFAULT_SERVICES);
  const schema = join(setup.home, 'campaigns', SCHEMA_FILE);
  const before = existsSync(services) ? readFileSync(services, 'utf8') : null;
  const files: Written[] = [
    ...(setup.key === null || setup.service === null
      ? []
      : [[setup.service.keyFile, `${setup.key}\n`] as Written]),
    ...(setup.service === null
      ? []
      : [[services, servicesText(before, setup.service, services)] as Written]),
    ...(existsSync(schema) ? [] : [[schema, campaignSchema()] as Written]),
    ...(existsSync(setup.campaign.list)
      ? []
      : [[setup.campaign.list, readFileSync(sampleOr(setup.campaign.list), 'utf8')] as Written]),
    [campaignPath(setup), campaignText(setup)],
  ];
  const made: string[] = [];
  const written = await writeAll(files, async () => {
    await checkWritten(setup, world);
    const place = locateDatabase({}, world, setup.service === null);
    if (isThere(place)) return;
    // So that the first night by cron finds it: without a typed yes none is created then.
    await (await openStore(place, 'write', world)).close();
    made.push(nameOf(place));
  });
  return [...written, ...made];
}

/** Does not ask the service: it was asked before, or need not answer yet. */
async function checkWritten(setup: Setup, world: World): Promise<void> {
  const { home, campaign, agent, untested } = setup;
  const services = setup.service === null ? undefined : join(home, DEFAULT_SERVICES);
  const list = relative(world.cwd, campaignPath(setup));
  const look = async (plan: Plan) => {
    const { surveys } = plan;
    for (const survey of surveys) {
      const { scanned, notes, zonesDisagree, good } = survey;
      const told = columnLines(scanned, scanned.memory.cells);
      told.push(...noteLines(notes), ...placeLines(survey));
      const doubtful = zonesDisagree + (notes.unassigned_number?.count ?? 0);
      if (campaign.country !== '' && doubtful > COUNTRY_IN_DOUBT * good)
        told.push(
          `  Is ${campaign.country} the country of this list? If not, correct it in ${list}.`,
        );
      for (const line of told) world.tell(line);
    }
    if (setup.service !== null)
      for (const line of variableLines(await variablesOf(plan, agent), true)) world.tell(line);
    const sum = (of: 'good' | 'rows') => surveys.reduce((all, survey) => all + survey[of], 0);
    const [good, rows] = [sum('good'), sum('rows')];
    const but = untested === null ? '' : `, but ${untested} not tested`;
    const why =
      good === rows ? '' : `: \`callsheet check ${shellWord(list)}\` says why the others cannot`;
    world.tell(
      `Campaign "${campaign.name}" can be run${but}; ${good} of ${counted(rows, 'row')} can be called${why}.`,
    );
  };
  await withPlan({ list, services }, world, 'look', look, async () => undefined);
}

/** A cell phone may have moved to another time zone; that many have not. */
const COUNTRY_IN_DOUBT = 0.1;

function campaignText({ home, service, campaign, rules }: Setup): string {
  const lines = [
    `# yaml-language-server: $schema=./${SCHEMA_FILE}`,
    `name: ${scalar(campaign.name)}`,
    `leads: ${scalar(pathFrom(join(home, 'campaigns'), campaign.list))}`,
    `service: ${service?.name ?? SIMULATED}`,
    ...(campaign.agent === '' ? [] : [`agent: ${scalar(campaign.agent)}`]),
    ...(campaign.country === '' ? [] : [`country: ${campaign.country}`]),
    `timezone: ${campaign.timezone}`,
    ...(rules === '' ? [] : [`rules: [${rules}]`]),
  ];
  return `${lines.join('\n')}\n`;
}
