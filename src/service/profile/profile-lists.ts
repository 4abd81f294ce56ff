import { z } from 'zod';
import { compileBody, slotsIn, type Body, type BodyTree } from '../http/body.ts';
import { names, namesOrNone, namesTo, pathWith } from './profile-fields.ts';
import { writePath, type FieldPath } from './read-fields.ts';

/** Schema parts that all operations of a profile share, and lists with their pages. */

const as = z.enum(['json', 'form']).default('json');
/** `as`: how the body of a POST is encoded. */
export const read = { method: z.enum(['GET', 'POST']), path: pathWith(), as };
export const write = { method: z.enum(['POST', 'PUT']), path: pathWith(), as };

/** A template of a JSON body; every `{{name}}` in it must be known. */
export function bodyWith(isKnown: (name: string) => boolean, known: string) {
  const tree: z.ZodType<BodyTree> = z.lazy(() =>
    z.union(
      [z.string(), z.number(), z.boolean(), z.null(), z.array(tree), z.record(z.string(), tree)],
      'it must be text, a number, true, false, null, a list or an object',
    ),
  );
  return z.record(z.string(), tree).transform((value, context) => {
    for (const { at, name } of slotsIn(value)) {
      if (isKnown(name)) continue;
      const message = `{{${name}}} is not known here; known: ${known}`;
      context.addIssue({ code: 'custom', message, path: at });
    }
    return compileBody(value);
  });
}

/**
 * The body that an operation sends: `body`, or the short form `send`, which only assigns values to fields.
 *
 * @param mayLack names whose fields are left out when there is no value
 */
export function bodyOf(
  { body: whole, send }: { body?: Body | undefined; send?: Record<string, FieldPath> | undefined },
  context: z.RefinementCtx,
  mayLack: readonly string[] = [],
): Body {
  if ((send === undefined) === (whole === undefined)) {
    const message = 'it needs either send (the short form) or body';
    context.addIssue({ code: 'custom', message });
  }
  if (whole !== undefined) return whole;
  const body: Record<string, unknown> = {};
  for (const [name, at] of Object.entries(send ?? {})) {
    writePath(body, at, `{{${name}${mayLack.includes(name) ? '?' : ''}}}`);
  }
  return compileBody(body as BodyTree);
}

/** A value of the answer, and the query parameter or body field in which it is sent back. */
const sentBack = { at: names, send: z.string().min(1) };
/** The number of items on a full page. */
const size = z.int().min(1).max(10_000);

/**
 * How the next page is found, in this order: a link in the Link header or the body; a value to send back (cursor, page,
 * offset); a field of the last item (time window); a page number that callsheet counts; the answer's own page number or
 * offset, increased. All left out: the first page is the only one.
 */
const next = z.strictObject({
  /** Whether cursor, page or offset is sent in the query or in the body. */
  in: z.enum(['query', 'body']).default('query'),
  values: namesTo(z.string().min(1)).default([]),
  links: namesOrNone,
  more: namesOrNone,
  page: z.strictObject(sentBack).optional(),
  pages: namesOrNone,
  offset: z.strictObject(sentBack).optional(),
  total: namesOrNone,
  window: z.strictObject({ ...sentBack, size }).optional(),
  /** Pages `from`, `from` + 1 ... until one has fewer than `size` items; `with` is the parameter for the size. */
  count: z
    .strictObject({
      send: z.string().min(1),
      with: z.string().min(1).optional(),
      size,
      from: z.int().min(0).max(1).default(1),
    })
    .optional(),
});

/**
 * The schema of an operation that reads a list; the caller adds the fields of an item.
 *
 * @param fills names that the body may use as `{{name}}`
 */
export function listWith(fills: readonly string[]) {
  return {
    ...read,
    /** Sent with POST; with `next.in: body`, cursor, page or offset is added to it. */
    body: bodyWith((name) => fills.includes(name), fills.join(', ') || 'none').optional(),
    items: names,
    within: names.default([[]]),
    next: next.prefault({}),
  };
}
