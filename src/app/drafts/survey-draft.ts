import { dirname, join } from 'node:path';
import { toRejectedRow } from '../../leads/import.ts';
import { openRejects } from '../../leads/rows/opt-outs.ts';
import type { ListRow } from '../../leads/rows/list-row.ts';
import type { Survey } from '../../leads/survey.ts';
import type { ConsoleStore } from '../../store/console.ts';
import { surveyLists } from '../plan/check-plan.ts';
import type { ListPath } from '../plan/plan-lists.ts';
import type { World } from '../world.ts';
import { draftRequest, type DraftFiles } from './draft-request.ts';
import { listNames, withNames, type OpenDraft } from './draft.ts';
import { findUpload } from './uploads.ts';

/** Rows of one list that are not taken, for one reason. */
export interface Reason {
  code: string;
  kind: 'rejected' | 'duplicate' | 'suppressed';
  count: number;
  /** The first five of them. */
  rows: { line: number; cells: string[]; why: string }[];
}

/** What an uploaded list would bring. */
export interface UploadSurvey {
  upload: string;
  name: string;
  survey: Survey;
  reasons: Reason[];
  /** How many rows the file of rejects has. */
  rejects: number;
}

/** So many rows of each reason are shown. */
const SHOWN = 5;

/**
 * Reads the lists of a draft as its campaign would take them. Writes nothing.
 *
 * @throws AppError those of `draftRequest` and of reading lists
 */
export function surveyDraft(
  draft: OpenDraft,
  files: DraftFiles,
  world: World,
): Promise<UploadSurvey[]> {
  return withNames(draft.uploads, async () => {
    const request = await draftRequest(draft, files, world);
    const watched = new Map<string, Tally>();
    const lists = request.lists.map((list): ListPath => ({
      ...list,
      watch: () => {
        const tally = newTally();
        watched.set(list.path, tally);
        return tally.add;
      },
    }));
    const { surveys } = await surveyLists({ ...request, lists }, world);
    const names = listNames(draft.uploads);
    return draft.uploads.flatMap(({ id, name }): UploadSurvey[] => {
      const path = names.get(id) ?? name;
      const survey = surveys.find((one) => one.path === path);
      const tally = watched.get(path);
      if (survey === undefined || tally === undefined) return [];
      const { rejects } = tally.found;
      return [{ upload: id, name: path, survey, reasons: [...tally.reasons.values()], rejects }];
    });
  });
}

type Tally = ReturnType<typeof newTally>;

function newTally() {
  const reasons = new Map<string, Reason>();
  const found = { rejects: 0 };
  const add = (rows: readonly ListRow[]): void => {
    for (const row of rows) {
      if (row.kind === 'good') continue;
      const { code, text } = row.refusal;
      const reason = reasons.get(code) ?? { code, kind: row.kind, count: 0, rows: [] };
      reasons.set(code, reason);
      reason.count += 1;
      if (reason.rows.length < SHOWN)
        reason.rows.push({ line: row.line, cells: row.cells, why: text });
      found.rejects += toRejectedRow(row).length;
    }
  };
  return { reasons, found, add };
}

/**
 * Writes the rows of one upload that would not be taken beside it, with line and reason, to be mended and sent again;
 * the file goes away with the upload.
 *
 * @returns its path; null: every row would be taken
 * @throws AppError `UPLOAD_UNKNOWN`, and those of `surveyDraft`
 */
export async function rejectsOfUpload(
  access: ConsoleStore,
  { draft, upload: id }: { draft: OpenDraft; upload: string },
  files: DraftFiles,
  world: World,
): Promise<string | null> {
  const upload = await findUpload(access, id);
  const path = listNames(draft.uploads).get(id) ?? upload.name;
  const at = world.clock.now();
  let rejects: ReturnType<typeof openRejects> | undefined;
  return withNames(draft.uploads, async () => {
    const request = await draftRequest(draft, files, world);
    const kept: ListRow[][] = [];
    const lists = request.lists.map((list): ListPath =>
      list.path !== path
        ? list
        : {
            ...list,
            watch: () => {
              kept.length = 0;
              return (rows) => {
                kept.push(rows.filter(({ kind }) => kind !== 'good'));
              };
            },
          },
    );
    const { surveys } = await surveyLists({ ...request, lists }, world);
    const headers = surveys.find((one) => one.path === path)?.scanned.headers ?? [];
    rejects = openRejects(join(dirname(upload.path), 'rejects'), { path, at, headers });
    for (const rows of kept) await rejects.add(rows.flatMap(toRejectedRow));
    return rejects.keep();
  }).finally(() => rejects?.discard());
}
