import type { OpenDraft } from '../../app/drafts/draft.ts';
import { isChoosable, MEANING_TEXTS, type Meaning } from '../../app/drafts/column-meanings.ts';
import type { UploadLook } from '../../app/drafts/look.ts';
import type { DraftPlan } from '../../app/drafts/plan-draft.ts';
import type { UploadSurvey } from '../../app/drafts/survey-draft.ts';
import type { Draft, DraftColumns, Planned, Surveyed } from '../contract/drafts.ts';
import { problemOf } from '../problems.ts';

export function draftAnswer({ body, uploads, gone, ...draft }: OpenDraft): Draft {
  const { id, version, at, changedAt, who } = draft;
  const names = gone.map(({ name }) => name);
  return { ...body, id, version, at, changedAt, who, files: uploads, gone: names };
}

/** What was found of each list, and what its columns may be chosen for. */
export function columnsAnswer(looks: readonly UploadLook[]): DraftColumns {
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
