import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Shown } from './routes/api.ts';
import type { ProblemBody } from './contract/common.ts';

/** Statuses of refusals whose code does not say it by its ending. */
const STATUS: Readonly<Record<string, number>> = {
  CAMPAIGN_CHANGED: 409,
  DRAFT_STARTING: 409,
  LIST_SENT_TWICE: 409,
  CAMPAIGN_STARTED: 409,
  DOUBT_NOT_SETTLED: 409,
  LAST_ADMIN: 409,
  COLUMN_UNKNOWN: 422,
  NOT_SIGNED_IN: 401,
  LOGIN_REFUSED: 401,
  LINK_REFUSED: 401,
  NOT_ALLOWED: 403,
  PASSWORD_WRONG: 403,
  ORIGIN_REFUSED: 403,
  HOST_UNKNOWN: 421,
  UPLOAD_TOO_LARGE: 413,
  TOO_MANY_LOGINS: 429,
  NO_SUCH_ADDRESS: 404,
};

/** What went wrong, as the API tells it: the sentence and the next step of the command line. */
export function problemOf(error: unknown): ProblemBody {
  if (error instanceof AppError) {
    const { code, message, hint } = error;
    return body(code, statusOf(error), message, hint ?? null);
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation;
    const field = first?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? '';
    const detail = `${field === '' ? 'The request' : `"${field}"`}: ${first?.message ?? 'not as the schema says'}.`;
    const hint = 'see /api/v1/openapi.json';
    return { ...body('REQUEST_INVALID', 400, detail, hint), ...(field !== '' && { field }) };
  }
  const { statusCode, message } = error as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return body('REQUEST_INVALID', statusCode, `${message ?? 'The request cannot be read'}.`, null);
  return body(
    'DEFECT',
    500,
    'Something went wrong in callsheet itself; nothing was lost.',
    'the log of this console holds the cause; please report it',
  );
}

/** A sentence may name a number that was asked for, or that a service has named. */
export function shownProblem(problem: ProblemBody, { text }: Shown): ProblemBody {
  const { detail, hint } = problem;
  return { ...problem, detail: text(detail), hint: hint === null ? null : text(hint) };
}

/** True for what the operator has to find in the log the next morning. */
export function isDefect(error: unknown): boolean {
  return problemOf(error).code === 'DEFECT';
}

function statusOf({ code, exitCode }: AppError): number {
  const known = STATUS[code];
  if (known !== undefined) return known;
  if (/_(UNKNOWN|NOT_FOUND|MISSING)$/.test(code)) return 404;
  if (/_(EXISTS|UNFINISHED|NOT_DONE|NOT_UNDONE)$/.test(code)) return 409;
  if (exitCode === EXIT.usage) return 422;
  return exitCode === EXIT.person ? 503 : 502;
}

function body(code: string, status: number, detail: string, hint: string | null): ProblemBody {
  const title = code.toLowerCase().replaceAll('_', ' ');
  return { type: `urn:callsheet:${code}`, title, status, detail, code, hint };
}
