import { dirname, join, resolve } from 'node:path';
import { formatByEnding } from '../../domain/campaign.ts';
import { refusedEnding } from '../../domain/results-ending.ts';
import { writeCapturedLeads } from '../../results/captured-leads.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { printJson } from '../../cli/terminal/output.ts';
import { requireOutput } from '../places/output-file.ts';
import { counted } from '../../text/plural.ts';
import { invalidFlag } from '../../config/mend.ts';

/** `export --captured-leads`. @throws AppError `FLAG_INVALID` (exit 2), those of `writeCapturedLeads` */
export async function exportCapturedLeads(
  {
    output,
    format: named,
    force,
    json,
  }: {
    output: string | undefined;
    format: string | undefined;
    force: boolean;
    json: boolean;
  },
  store: Store,
  campaign: Campaign,
  world: World,
): Promise<ExitCode> {
  const isFile = output !== undefined && output !== '-';
  const format = named ?? (isFile ? formatByEnding(output) : 'csv');
  if (format !== 'csv' && format !== 'excel' && format !== 'jsonl') {
    throw invalidFlag(`--captured-leads are written as csv, excel or jsonl, not as ${format}.`);
  }
  const ending = format === 'jsonl' ? 'jsonl' : 'csv';
  const file = join(
    dirname(store.location),
    'results',
    `${campaign.name}-captured-leads.${ending}`,
  );
  const to = output === '-' ? world.data : resolve(world.cwd, output ?? file);
  if (typeof to === 'string') await requireOutput(to, { store, force }, world);
  const refused = isFile && named === undefined ? refusedEnding('-o', output) : undefined;
  if (refused !== undefined) throw invalidFlag(refused);
  const { rows, path } = await writeCapturedLeads({ store, campaign, to, format });
  if (json && path !== null)
    printJson(world.io, { campaign: campaign.name, file: path, format, rows });
  if (path !== null) world.tell(`Captured leads: ${path} (${counted(rows, 'row')})`);
  return EXIT.ok;
}
