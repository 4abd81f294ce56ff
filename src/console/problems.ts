import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { MEND_VALUE } from '../config/campaign-file.ts';
import { AppError, EXIT, troubleOf } from '../runtime/errors.ts';
import { problem, type Problem, type Trouble } from '../views/fields.ts';
import { masking } from '../views/masking.ts';

/** Statuses of refusals whose code does not say it by its ending. */
const STATUS: Readonly<Record<string, number>> = {
  CAMPAIGN_CHANGED: 409,
  DRAFT_STARTING: 409,
  LIST_SENT_TWICE: 409,
  CAMPAIGN_STARTED: 409,
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
export function problemOf(error: unknown): Problem {
  if (error instanceof AppError) {
    const { hint, ...trouble } = troubleOf(error);
    // No page has that command.
    const next = hint === MEND_VALUE ? 'correct the value' : hint;
    const { fields } = error;
    const said = problemFrom({ ...trouble, hint: next }, statusOf(error));
    return { ...said, ...(fields && { errors: fields }) };
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation;
    const field = first?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? '';
    const detail = `${field === '' ? 'The request' : `"${field}"`}: ${first?.message ?? 'not as the schema says'}.`;
    const invalid = { code: 'REQUEST_INVALID', detail, hint: 'see /api/v1/openapi.json' };
    return { ...problemFrom(invalid, 400), ...(field !== '' && { field }) };
  }
  const { statusCode, message } = error as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const detail = `${message ?? 'The request cannot be read'}.`;
    return problemFrom({ code: 'REQUEST_INVALID', detail, hint: null }, statusCode);
  }
  const detail = 'Something went wrong in callsheet itself; nothing was lost.';
  const hint = 'the log of this console holds the cause; please report it';
  return problemFrom({ code: 'DEFECT', detail, hint }, 500);
}

/** A sentence may name a number that was asked for, or that a service has named. */
export const maskedProblem = masking(problem) as (problem: Problem) => Problem;

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

function problemFrom(trouble: Trouble, status: number): Problem {
  const title = trouble.code.toLowerCase().replaceAll('_', ' ');
  return { type: `urn:callsheet:${trouble.code}`, title, status, ...trouble };
}
