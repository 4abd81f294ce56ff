import { z } from 'zod';
import { compileBody, unknownSlots } from '../http/body.ts';
import type { Body, BodyTree } from '../http/body.ts';
import { names, namesOrNone, namesTo, path } from './profile-fields.ts';
import { writePath } from './read-fields.ts';
import type { FieldPath } from './read-fields.ts';

/** How a service lists things, and the parts of an operation that all have. */

const as = z.enum(['json', 'form']).default('json');
/** `as`: how a body is sent, with POST. */
export const read = { method: z.enum(['GET', 'POST']), path, as };
export const write = { method: z.enum(['POST', 'PUT']), path, as };

/** A JSON body with `{{names}}` of which each must be known. */
export function bodyWith(isKnown: (name: string) => boolean, known: string) {
  const tree: z.ZodType<BodyTree> = z.lazy(() =>
    z.union(
      [z.string(), z.number(), z.boolean(), z.null(), z.array(tree), z.record(z.string(), tree)],
      'it must be text, a number, true, false, null, a list or an object',
    ),
  );
  return z.record(z.string(), tree).transform((value, context) => {
    for (const { at, name } of unknownSlots(value, isKnown)) {
      const message = `{{${name}}} is not known here; known: ${known}`;
      context.addIssue({ code: 'custom', message, path: at });
    }
    return compileBody(value);
  });
}

/**
 * The short form of a body: what is filled in, and the field it goes to.
 *
 * @param mayLack names whose fields are left out when there is no value
 */
export function shortBody(
  fields: Readonly<Record<string, FieldPath>>,
  mayLack: readonly string[] = [],
): Body {
  const body: Record<string, unknown> = {};
  for (const [name, at] of Object.entries(fields)) {
    writePath(body, at, `{{${name}${mayLack.includes(name) ? '?' : ''}}}`);
  }
  return compileBody(body as BodyTree);
}

/**
 * How the next page is found, in this order: a link in the Link header or the body, a value to send back
 * (cursor, page, offset), the last item's own field (time window), counting pages by ourselves, counting on
 * from the answer's own page or offset. All left out: the first page is all.
 */
const next = z.strictObject({
  /** Where what is sent back goes. */
  in: z.enum(['query', 'body']).default('query'),
  values: namesTo(z.string().min(1)).default([]),
  links: namesOrNone,
  more: namesOrNone,
  page: z.strictObject({ at: names, send: z.string().min(1) }).optional(),
  pages: namesOrNone,
  offset: z.strictObject({ at: names, send: z.string().min(1) }).optional(),
  total: namesOrNone,
  window: z
    .strictObject({ at: names, send: z.string().min(1), size: z.int().min(1).max(10_000) })
    .optional(),
  /** Pages `from`, `from` + 1 ... until one has fewer than `size` items; `with` is the parameter for the size. */
  count: z
    .strictObject({
      send: z.string().min(1),
      with: z.string().min(1).optional(),
      size: z.int().min(1).max(10_000),
      from: z.int().min(0).max(1).default(1),
    })
    .optional(),
});

/**
 * Operations that read a list; what an item is stands beside it.
 *
 * @param fills names that the body may have filled in
 */
export function listWith(fills: readonly string[]) {
  return {
    ...read,
    /** Sent with POST; what stands for the next page may be put into it, too. */
    body: bodyWith((name) => fills.includes(name), fills.join(', ') || 'none').optional(),
    items: names,
    within: names.default([[]]),
    next: next.prefault({}),
  };
}
