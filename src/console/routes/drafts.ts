import { openDraft, type OpenDraft } from '../../app/drafts/draft.ts';
import { changeDraft, createDraft, listDrafts, removeDraft } from '../../app/drafts/drafts.ts';
import {
  isChoosable,
  lookAtDraft,
  MEANING_TEXTS,
  type Meaning,
  type UploadLook,
} from '../../app/drafts/look.ts';
import type { DraftPlan } from '../../app/drafts/plan-draft.ts';
import type { UploadSurvey } from '../../app/drafts/survey-draft.ts';
import { usageError } from '../../runtime/errors.ts';
import { done, idParams } from '../contract/common.ts';
import {
  draft,
  draftChange,
  draftColumns,
  drafts,
  newDraft,
  type Draft,
  type DraftColumns,
  type Planned,
  type Surveyed,
} from '../contract/drafts.ts';
import { worldOf, type Desk } from '../desk.ts';
import { problemOf } from '../problems.ts';
import { answers, type Api } from './api.ts';

const tags = ['New campaigns'];

/** New campaigns while they are filled in: they can be left and taken up again, by anybody who may run campaigns. */
export function draftRoutes(api: Api, desk: Desk): void {
  const { access } = desk;
  const config = { role: 'operator' } as const;
  const { db } = desk.files;
  const refuseStarting = (id: string) => {
    if (desk.jobs.isStarting(id)) throw isStarting();
  };

  api.get(
    '/api/v1/drafts',
    {
      schema: {
        tags,
        operationId: 'listDrafts',
        summary: 'Those that were begun, the one that was changed last first',
        response: answers({ 200: drafts }),
      },
      config,
    },
    async () => ({ items: (await listDrafts(access)).map(draftAnswer), next: null }),
  );
  api.post(
    '/api/v1/drafts',
    {
      schema: {
        tags,
        operationId: 'createDraft',
        summary: 'Begin a campaign from lists that were sent',
        body: newDraft,
        response: answers({ 201: draft }),
      },
      config: { does: 'draft.begun' },
    },
    async ({ body, identity }, reply) => {
      const { world } = worldOf(desk, identity);
      const made = await createDraft(access, { ...body, db }, world);
      reply.code(201);
      return draftAnswer(made);
    },
  );
  api.get(
    '/api/v1/drafts/:id',
    {
      schema: {
        tags,
        operationId: 'getDraft',
        summary: 'One of them',
        params: idParams,
        response: answers({ 200: draft }),
      },
      config,
    },
    async ({ params }) => draftAnswer(await openDraft(access, params.id)),
  );
  api.patch(
    '/api/v1/drafts/:id',
    {
      schema: {
        tags,
        operationId: 'changeDraft',
        summary: 'Fill in more of it; 409 where somebody else has changed it meanwhile',
        params: idParams,
        body: draftChange,
        response: answers({ 200: draft }),
      },
    },
    async ({ params, body, identity }) => {
      const { world } = worldOf(desk, identity);
      // Its campaign takes the lists it had at the start, and deletes all that the draft has at the end.
      if (body.uploads !== undefined) refuseStarting(params.id);
      const given = Object.entries(body).filter(([, value]) => value !== undefined);
      const change = { ...Object.fromEntries(given), db };
      return draftAnswer(await changeDraft(access, params.id, change, world));
    },
  );
  api.delete(
    '/api/v1/drafts/:id',
    {
      schema: {
        tags,
        operationId: 'removeDraft',
        summary: 'Give it up: its lists are deleted',
        params: idParams,
        response: answers({ 200: done }),
      },
      config: { does: 'draft.removed' },
    },
    async ({ params }) => {
      refuseStarting(params.id);
      await removeDraft(access, params.id);
      return { messages: [] };
    },
  );
  api.get(
    '/api/v1/drafts/:id/columns',
    {
      schema: {
        tags,
        operationId: 'getColumns',
        summary: 'What each column of its lists was taken for, with samples',
        params: idParams,
        response: answers({ 200: draftColumns }),
      },
      config,
    },
    async ({ params }) => columnsAnswer(await lookAtDraft(await openDraft(access, params.id))),
  );
}

function isStarting() {
  return usageError(
    'DRAFT_STARTING',
    'A campaign is being made of this draft, and reads its lists.',
    'wait until it has, or stop it',
  );
}

export function draftAnswer({ body, uploads, gone, ...draft }: OpenDraft): Draft {
  const { id, version, at, changedAt, who } = draft;
  const names = gone.map(({ name }) => name);
  return { ...body, id, version, at, changedAt, who, files: uploads, gone: names };
}

/** What was found of each list, and what its columns may be chosen for. */
function columnsAnswer(looks: readonly UploadLook[]): DraftColumns {
  return {
    lists: looks.map(({ upload, name, look, columns, sentences, problem }) => ({
      upload,
      name,
      kind: look === null ? null : look.format.kind,
      encoding: look?.format.kind === 'text' ? look.format.encoding : null,
      delimiter: look?.format.kind === 'text' ? look.format.delimiter : null,
      sheet: look?.sheet ?? null,
      sheets: (look?.sheets ?? []).map(({ name: sheet, isHidden }) => ({
        name: sheet,
        hidden: isHidden,
      })),
      headerLine: look?.headerLine ?? null,
      rows: look?.rows ?? null,
      columns,
      warnings: look?.warnings ?? [],
      sentences,
      problem: problem && { ...problemOf(problem), field: upload },
    })),
    meanings: (Object.keys(MEANING_TEXTS) as Meaning[]).map((meaning) => ({
      meaning,
      text: MEANING_TEXTS[meaning],
      choosable: isChoosable(meaning),
    })),
  };
}

export function surveyAnswer(lists: readonly UploadSurvey[]): Surveyed {
  return {
    lists: lists.map(({ upload, name, survey, reasons, rejects }) => {
      const { rows, good, mended, fictional, rejected, duplicates, suppressed } = survey;
      const { headers, warnings } = survey.scanned;
      return {
        ...{ upload, name, rows, good, mended, fictional, rejected, duplicates, suppressed },
        ...{ headers, reasons, rejects, warnings },
        notes: Object.values(survey.notes).map(({ example }) => example),
      };
    }),
    good: lists.reduce((sum, { survey }) => sum + survey.good, 0),
  };
}

export function planAnswer({ surveys, forecast, ...plan }: DraftPlan): Planned {
  return {
    ...plan,
    lists: surveys.map((survey) => {
      const { path: name, rows, good, rejected, duplicates, suppressed, sentence } = survey;
      return { name, rows, good, rejected, duplicates, suppressed, sentence };
    }),
    forecast: forecast && {
      ...forecast.endsAt,
      nights: forecast.nights.middle,
      calls: forecast.calls.middle,
      sentences: forecast.sentences,
    },
  };
}
