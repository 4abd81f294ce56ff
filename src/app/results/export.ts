import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { invalidFlag } from '../../config/campaign-file.ts';
import { formatByEnding, type ResultFormatName } from '../../domain/campaign.ts';
import type { E164 } from '../../domain/phone.ts';
import { refusedEnding } from '../../domain/file-trouble.ts';
import { LEAD_RESULTS, type LeadResult } from '../../domain/lead.ts';
import { writeCapturedLeads, writeResults } from '../../results/write.ts';
import { columnsOf, ownColumns } from '../../results/columns.ts';
import { usageError } from '../../runtime/errors.ts';
import { nearest } from '../../text/nearest.ts';
import type { Columns } from '../../views/results.ts';
import { findNight, type NightRequest } from '../nights/nights.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { requireOutput } from '../places/output-file.ts';
import { everybody, type Among } from '../watch/people.ts';
import type { World } from '../world.ts';
import { resultsFile } from './results-file.ts';

export interface OutputRequest extends CampaignRequest {
  /** The file as given; `-`: the standard output; undefined: where `run` writes results, for a report next to that. */
  output: string | undefined;
  /** A file that callsheet did not write may be replaced. */
  force: boolean;
}

interface ExportRequest extends OutputRequest {
  /** Undefined: the format by the ending of the file, else the one that `run` writes. */
  format: ResultFormatName | undefined;
}

export interface ResultsRequest extends ExportRequest, NightRequest {
  per: 'lead' | 'attempt';
  only: LeadResult[] | null;
  columns: string[] | null;
  /** Returns epoch ms: only calls begun, ended or settled since then; undefined: all. Gets the timezone. */
  since?: ((timezone: string) => Promise<number>) | undefined;
  /** Only leads that are done and were in no earlier `--since-last` export; they go to a new file. */
  onlyNew: boolean;
  /** Only people who match. Default: all. */
  among?: Among | undefined;
}

/**
 * Writes the results of a campaign as they are at one moment.
 * @returns what was written; `path` is null for the standard output
 */
export function exportResults(request: ResultsRequest, world: World) {
  const { per, only, columns, since, onlyNew } = request;
  const mode = onlyNew ? 'write' : 'read';
  return withCampaign(request, world, mode, async (open) => {
    const { store, campaign } = open;
    if (onlyNew && per === 'attempt')
      throw invalidFlag('--since-last is about leads; it does not go with --per attempt.');
    if (request.night !== undefined && per === 'lead')
      throw invalidFlag('--night is about calls; it goes with --per attempt.');
    const format = request.format ?? formatOf(request, campaign.settings.results.format);
    const to = await outputOf(request, defaultFile(onlyNew, format, open), open, onlyNew);
    refuseEnding(request);
    const night = await findNight(store, campaign, request.night);
    const from = (await since?.(campaign.settings.timezone)) ?? null;
    const phones = request.among === undefined ? null : new Set<E164>();
    if (request.among !== undefined)
      for await (const rows of everybody(request.among, open))
        for (const { phone } of rows) phones?.add(phone);
    const selection = { phones, per, only, columns, since: from, night, onlyNew };
    const written = await writeResults({ store, campaign, to, format, ...selection });
    return { campaign, format, ...written };
  });
}

/** Writes what agents noted in calls: one row per captured lead, one column per field. */
export function exportCapturedLeads(request: ExportRequest, world: World) {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const format = request.format ?? formatOf(request, 'csv');
    if (format === 'xlsx')
      throw invalidFlag(`--captured-leads are written as csv, excel or jsonl, not as ${format}.`);
    const ending = format === 'jsonl' ? 'jsonl' : 'csv';
    const name = `${campaign.name}-captured-leads.${ending}`;
    const file = join(store.folder, 'results', name);
    const to = await outputOf(request, file, open);
    refuseEnding(request);
    return { campaign, format, ...(await writeCapturedLeads({ store, campaign, to, format })) };
  });
}

/** The format by the ending of `output`; `otherwise` without a file name. */
function formatOf({ output }: ExportRequest, otherwise: ResultFormatName): ResultFormatName {
  return output === undefined || output === '-' ? otherwise : formatByEnding(output);
}

/** Where the output goes: an absolute path, or the standard output. */
export async function outputOf(
  { output, force }: OutputRequest,
  file: string,
  { store, world }: OpenCampaign,
  isNew = false,
) {
  if (output === '-') return world.data;
  const to = resolve(world.cwd, output ?? file);
  if (isNew && existsSync(to)) {
    const message = `${to} is there already: --since-last writes each row once, and replacing the file could lose rows that nobody has taken yet.`;
    throw usageError('RESULTS_EXIST', message, 'move that file away, or name another one with -o');
  }
  await requireOutput(to, { store, force }, world);
  return to;
}

/** Called after the check on files that must not be replaced, as that mistake is worse. */
function refuseEnding({ output, format }: ExportRequest): void {
  if (output === undefined || output === '-' || format !== undefined) return;
  const refused = /\.html?$/i.test(output)
    ? `-o "${output}" is a web page by its name: \`callsheet report -o\` writes that; results are written as .csv, .xlsx or .jsonl.`
    : refusedEnding('-o', output);
  if (refused !== undefined) throw invalidFlag(refused);
}

/** Every `--since-last` export gets a file of its own, because no later export repeats its rows. */
function defaultFile(onlyNew: boolean, format: ResultFormatName, open: OpenCampaign): string {
  const { store, campaign, world } = open;
  const { name, settings } = campaign;
  const { results } = settings;
  const unnamed = { ...settings, results: { file: null, format } };
  const now = world.clock.now();
  const file = resultsFile({ name, settings: unnamed }, store.folder, now);
  if (onlyNew) {
    const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const ending = file.slice(file.lastIndexOf('.'));
    return freeFile(join(dirname(file), `${name}-new-${time}`), ending);
  }
  if (results.file === null || results.format !== format) return file;
  return resultsFile(campaign, store.folder, now);
}

/** A path that does not exist yet: two exports may be asked for within one second. */
function freeFile(stem: string, ending: string): string {
  let path = stem + ending;
  for (let n = 2; existsSync(path); n++) path = `${stem}-${n}${ending}`;
  return path;
}

/**
 * Reads chosen results.
 * @param flag what the person calls the choice, e.g. `--only`
 * @throws AppError `FLAG_INVALID` (exit 2), with the word that was probably meant
 */
export function readResults(flag: string, words: readonly string[]): LeadResult[] {
  return words.map((word) => {
    const result = LEAD_RESULTS.find((known) => known === word);
    if (result !== undefined) return result;
    const near = nearest(word, LEAD_RESULTS);
    const meant =
      near === undefined ? `there are ${LEAD_RESULTS.join(', ')}.` : `did you mean "${near}"?`;
    throw invalidFlag(`${flag} "${word}" is not a result; ${meant}`);
  });
}

interface ColumnsRequest extends CampaignRequest {
  per: 'lead' | 'attempt';
  /** Default: the one that the campaign writes. */
  format?: ResultFormatName | undefined;
}

/** The columns that the results of a campaign have, in their order. @throws AppError `CAMPAIGN_UNKNOWN` (exit 2) */
export function resultColumns(
  { per, format: given, ...request }: ColumnsRequest,
  world: World,
): Promise<Columns> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const format = given ?? campaign.settings.results.format;
    const { headers } = ownColumns(await store.lists(campaign.id));
    const columns = columnsOf(headers, per, format === 'jsonl', null);
    return { items: columns.map(({ name, kind }) => ({ name, kind })), format };
  });
}
