import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { campaignSchema, SCHEMA_FILE } from '../../config/campaign-schema.ts';
import { DEFAULT_SERVICES } from '../../config/services-file.ts';
import { loadServices } from '../../config/services-file.ts';
import { usageError } from '../../runtime/errors.ts';
import { beginFile } from '../../runtime/replace-file.ts';
import { withPlan, type Plan } from '../plan/plan.ts';
import { columnLines } from '../sentences/import-lines.ts';
import type { World } from '../world.ts';

/** What `init` was told; paths are absolute, '' stands for none. */
export interface Setup {
  home: string;
  service: { name: string; url: string; profile: string; keyFile: string };
  /** What is to be written to the key file; null: it is there. */
  key: string | null;
  /** What the service has not been seen to accept, e.g. `the agent is`; null: nothing. */
  untested: string | null;
  campaign: { name: string; list: string; agent: string; country: string; timezone: string };
  /** '' where nobody had to choose. */
  rules: string;
}

export function campaignPath({ home, campaign }: Pick<Setup, 'home' | 'campaign'>): string {
  return join(home, 'campaigns', `${campaign.name}.yaml`);
}

/**
 * Before anything is asked in vain: nothing that is there is replaced.
 *
 * @throws AppError `SERVICE_EXISTS`, `CAMPAIGN_FILE_EXISTS` (exit 2), and those of `loadServices`
 */
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
 * Writes all of it, reads it as a check would, and takes everything back where something fails.
 *
 * @returns the files it made or changed
 * @throws AppError as `withPlan`
 */
export async function writeSetup(setup: Setup, world: World): Promise<string[]> {
  const services = join(setup.home, DEFAULT_SERVICES);
  const schema = join(setup.home, 'campaigns', SCHEMA_FILE);
  const before = existsSync(services) ? readFileSync(services, 'utf8') : null;
  const files: [path: string, text: string][] = [
    ...(setup.key === null ? [] : [[setup.service.keyFile, `${setup.key}\n`] as [string, string]]),
    [services, servicesText(before, setup)],
    ...(existsSync(schema) ? [] : [[schema, campaignSchema()] as [string, string]]),
    [campaignPath(setup), campaignText(setup)],
  ];
  const written: string[] = [];
  try {
    for (const [path, text] of files) {
      await writeWhole(path, text);
      written.push(path);
    }
    await checkWritten(setup, world);
    return written;
  } catch (error) {
    for (const path of written.reverse()) {
      if (path === services && before !== null) await writeWhole(path, before);
      else await rm(path, { force: true });
    }
    throw error;
  }
}

/** The service was asked before, or need not answer today. */
async function checkWritten(setup: Setup, world: World): Promise<void> {
  const { home, campaign, untested } = setup;
  const services = join(home, DEFAULT_SERVICES);
  const list = relative(world.cwd, campaignPath(setup));
  const look = async ({ surveys }: Plan) => {
    for (const { scanned } of surveys) for (const line of columnLines(scanned)) world.tell(line);
    const good = surveys.reduce((sum, survey) => sum + survey.good, 0);
    const but = untested === null ? '' : `, but ${untested} not tested`;
    world.tell(
      `Campaign "${campaign.name}" is in order${but}; numbers that can be called: ${good}.`,
    );
  };
  await withPlan({ list, services }, world, 'look', look, async () => undefined);
}

/** With the mode that the file had, if it was there; else only for its owner. */
async function writeWhole(path: string, text: string): Promise<void> {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const file = await beginFile(path);
  try {
    await file.write(text);
    if (mode !== undefined) await chmod(file.temporaryPath, mode);
    await file.commit(path);
  } finally {
    await file.discard();
  }
}

/** Added at the end, so that every comment stays where it is. */
function servicesText(before: string | null, { home, service }: Setup): string {
  const head =
    before ?? '# Voice-agent services by name. Keys never stand here, only where each one is.\n';
  const newline = head === '' || head.endsWith('\n') ? '' : '\n';
  const campaigns = join(home, 'campaigns');
  const keyFile = from(campaigns, service.keyFile);
  return `${head}${newline}
${service.name}:
  url: ${scalar(service.url)}
  profile: ${scalar(isAbsolute(service.profile) ? from(campaigns, service.profile) : service.profile)}
  keyFile: ${scalar(keyFile)}
`;
}

function campaignText({ home, service, campaign, rules }: Setup): string {
  const lines = [
    `# yaml-language-server: $schema=./${SCHEMA_FILE}`,
    `name: ${scalar(campaign.name)}`,
    `leads: ${scalar(from(join(home, 'campaigns'), campaign.list))}`,
    `service: ${service.name}`,
    `agent: ${scalar(campaign.agent)}`,
    ...(campaign.country === '' ? [] : [`country: ${campaign.country}`]),
    `timezone: ${campaign.timezone}`,
    ...(rules === '' ? [] : [`rules: [${rules}]`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Relative as long as it is near: the folder may be moved as a whole. */
function from(folder: string, path: string): string {
  const way = relative(folder, path);
  return way.startsWith(join('..', '..')) || isAbsolute(way) ? path : way;
}

/** As one value of YAML, whatever signs are in it. */
function scalar(text: string): string {
  return /^[A-Za-z_./][\w./:@+-]*$/.test(text) && !text.endsWith(':') ? text : JSON.stringify(text);
}
