import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import { z } from 'zod';

import { messageOf, usageError, type AppError } from '../../runtime/errors.ts';
import {
  parseYaml,
  problemsError,
  readAtBuild,
  type ParsedYaml,
  type Problem,
} from '../../runtime/yaml.ts';
import { nearest } from '../../text/nearest.ts';
import { fillPath, NAME, OWN } from '../http/address.ts';
import { analyticsSchema, callsSchema } from './profile-analytics.ts';
import {
  bodyOf,
  bodyWith,
  dialSchema,
  limitsSchema,
  listWith,
  slotsSchema,
  write,
} from './profile-dial.ts';
import { expression, field, header, names, namesOrNone, url } from './profile-fields.ts';
import { webhooksSchema } from './profile-webhooks.ts';

/**
 * A profile, ready to use: fields as paths, words as sets and maps. `campaigns/profiles/README.md` explains every key.
 */
export interface Profile extends z.output<typeof profileSchema> {
  /** The text of the file: part of the service's fingerprint. */
  text: string;
}

/**
 * Reads a profile file.
 * @param path for messages
 * @throws AppError `PROFILE_INVALID` (exit 2) with file:line:column, the key and the nearest known key
 */
export function loadProfile(text: string, path: string): Profile {
  const value = readAtBuild(text) ?? readYaml(text, path).value;
  // A profile is read once: to compile its schema takes longer than to follow it.
  const parsed = profileSchema.safeParse(value, { jitless: true });
  if (!parsed.success)
    throw profileError(path, readYaml(text, path), parsed.error.issues, profileSchema);
  return { ...parsed.data, text };
}

/** How the key is sent: in a header, or a key `user:password` as HTTP Basic (RFC 7617). */
const auth = z
  .strictObject({
    header: header.optional(),
    prefix: z.string().optional(),
    basic: z.literal(true).optional(),
  })
  .transform(({ header: name, prefix, basic }, context) => {
    if (basic !== undefined && (name ?? prefix) !== undefined) {
      const message = 'basic stands alone: it is the Authorization header';
      context.addIssue({ code: 'custom', message });
    }
    for (const [key, value] of Object.entries({ header: name, prefix })) {
      if ((basic ?? value) !== undefined) continue;
      context.addIssue({ code: 'custom', message: 'it is needed', path: [key] });
    }
    return { basic: basic ?? false, header: name ?? 'Authorization', prefix: prefix ?? 'Basic ' };
  });

const createFills = ['name', 'systemPrompt', 'voice'];
const create = z
  .strictObject({
    ...write,
    send: z.strictObject({ name: field, systemPrompt: field, voice: field }).optional(),
    body: bodyWith((name) => createFills.includes(name), createFills.join(', ')).optional(),
    within: names.default([[]]),
    id: names,
  })
  .transform(({ send, body, ...rest }, context) => ({
    ...rest,
    body: bodyOf({ send, body }, context, ['voice']),
  }));

const SECRET = /auth|cookie|credential|key|passw|secret|session|signature|token/i;
/** Headers that callsheet or HTTP itself sets. */
const TAKEN =
  /^(accept|connection|content-.*|date|expect|host|idempotency-key|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/** Why a profile may not set a header, as a clause; undefined: it may. */
function whyNotSet(name: string, value: string, taken: readonly (string | undefined)[]) {
  const isSame = (each: string | undefined) => each?.toLowerCase() === name.toLowerCase();
  if (TAKEN.test(name) || taken.some(isSame)) return 'callsheet sets this header itself';
  if (!SECRET.test(name) && !/^(basic|bearer)\s/i.test(value)) return undefined;
  return 'a secret stands in no profile: the key goes into `auth` and keyEnv of services.yaml';
}

const fields = z.strictObject({
  /** The base address; an address in services.yaml or a flag takes precedence. */
  url: url.optional(),
  auth,
  /** Sent with every request, e.g. the version of an API. */
  headers: z
    .record(header, z.string().regex(/^[!-~]+( +[!-~]+)*$/, 'it must be plain text'))
    .default({}),
  agents: z.strictObject({
    list: z.strictObject({
      ...listWith([]),
      id: names,
      name: namesOrNone,
      systemPrompt: namesOrNone,
      /** Items for which this condition is not true, or cannot be computed, are not agents. */
      only: expression.optional(),
    }),
    create: create.optional(),
  }),
  dial: dialSchema,
  analytics: analyticsSchema,
  calls: callsSchema.optional(),
  slots: slotsSchema.optional(),
  limits: limitsSchema.prefault({}),
  webhooks: webhooksSchema.optional(),
});

export const profileSchema = fields.superRefine(({ headers, auth: key, dial }, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const message = whyNotSet(name, value, [key.header, dial.idempotencyKey]);
    const at = { path: ['headers', name], params: { isKey: true } };
    if (message !== undefined) context.addIssue({ code: 'custom', message, ...at });
  }
});

export function readYaml(text: string, path: string) {
  const yaml = parseYaml(text);
  const error = yaml.document.errors[0];
  if (error !== undefined) throw invalid(path, yaml, error.pos[0], `${error.message}.`);
  try {
    return { ...yaml, text, value: yaml.document.toJS() as unknown };
  } catch (cause) {
    // The YAML has an alias without its anchor, or has so many aliases that they would fill the memory.
    throw invalid(path, yaml, 0, `${messageOf(cause)}.`);
  }
}

/** All faults of a profile in one error, in the order of the file. */
export function profileError(
  path: string,
  yaml: ReturnType<typeof readYaml>,
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
): AppError {
  const misspelt = issues
    .filter(({ code }) => code === 'unrecognized_keys')
    .map(({ path: at }) => at.join('.'));
  const problems = issues.flatMap((issue) => {
    const found = problemsOf(yaml, issue, schema);
    // A misspelt key causes two issues, "unknown" and "missing": the misspelling is what has to be corrected.
    const isMissing = found.some(({ sentence }) => sentence.endsWith('" is missing.'));
    return isMissing && misspelt.includes(issue.path.slice(0, -1).join('.')) ? [] : found;
  });
  return problemsError('PROFILE_INVALID', path, problems, HINT);
}

function problemsOf(
  yaml: ReturnType<typeof readYaml>,
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
): Problem[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, at);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const meant = near ? `the nearest known key is "${near}"` : `known here: ${known.join(', ')}`;
      const offset = offsetOf(yaml.document, [...at, key], 'key');
      const dotted = [...at, key].join('.');
      return { ...yaml.placeAt(offset), sentence: `"${dotted}" is not a known key; ${meant}.` };
    });
  }
  const key = at.join('.');
  const given = at.reduce<unknown>(
    (from, name) => (from as Record<string, unknown> | undefined)?.[name],
    yaml.value,
  );
  const { offset, isKey } = (issue.code === 'custom' ? issue.params : undefined) ?? {};
  const node = offsetOf(yaml.document, at, isKey === true ? 'key' : 'value');
  const place = typeof offset === 'number' ? inText(yaml.text, node, offset) : node;
  const sentence =
    given === undefined
      ? `"${key}" is missing.`
      : `"${key}" is ${JSON.stringify(given).slice(0, 80)}; ${reason(issue)}.`;
  return [{ ...yaml.placeAt(place), sentence }];
}

/**
 * The offset in the file of one character of a value, which may be quoted; for a value of several lines, of its start.
 */
function inText(yaml: string, start: number, offset: number): number {
  const quote = /['"]/.test(yaml[start] ?? '') ? 1 : 0;
  const isOneLine =
    !/[|>]/.test(yaml[start] ?? '') && !yaml.slice(start, start + offset).includes('\n');
  return isOneLine ? start + quote + offset : start;
}

function reason(issue: z.core.$ZodIssue): string {
  const nested = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return (nested ?? issue).message.replace(/^Invalid (input|option): /, '');
}

function invalid(path: string, yaml: ParsedYaml, offset: number, sentence: string): AppError {
  return problemsError('PROFILE_INVALID', path, [{ ...yaml.placeAt(offset), sentence }], HINT);
}

const HINT =
  'Compare it with campaigns/profiles/reference.yaml, which has every key; README.md beside it explains them.';

/**
 * The offset where a key or its value begins; for a missing key, where the innermost existing group around it begins.
 */
function offsetOf(document: Document, path: readonly string[], what: 'key' | 'value'): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const name = path[depth - 1] ?? '';
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    const isValue = what === 'value' && depth === path.length;
    const node = isSeq(parent)
      ? parent.items[Number(name)]
      : ((isValue ? pair?.value : undefined) ?? pair?.key);
    if (node !== undefined) return (node as Node).range?.[0] ?? 0;
  }
  return document.contents?.range?.[0] ?? 0;
}

function knownKeys(schema: z.ZodType, path: readonly string[]): string[] {
  let at = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const name of path) at = (at.properties?.[name] ?? {}) as typeof at;
  return Object.keys(at.properties ?? {});
}

/** The ids of the account that a profile needs, each with the first path that names it. */
export function idsIn({ agents, dial, analytics, calls, slots }: Profile): Map<string, string> {
  const { list, create } = agents;
  const found = new Map<string, string>();
  for (const { path } of [dial, analytics, analytics.more, list, create, calls, slots].filter(
    (operation) => operation != null,
  ))
    for (const [, name = ''] of path.matchAll(NAME))
      if (!OWN.has(name) && !found.has(name)) found.set(name, path);
  return found;
}

/**
 * Makes the function that fills the operator's ids into a profile's paths, as in `/accounts/{account}/calls`.
 * @param ids the ids of services.yaml, by the names in braces
 * @throws AppError `SERVICE_ID_MISSING` (exit 2) if a path of the profile names an id that services.yaml does not give
 */
export function createPathFiller(
  profile: Profile,
  service: string,
  ids: Readonly<Record<string, string>>,
): (path: string) => string {
  for (const [name, path] of idsIn(profile)) {
    if (Object.hasOwn(ids, name)) continue;
    throw usageError(
      'SERVICE_ID_MISSING',
      `Service ${service} has no id "${name}", and its profile asks at ${path}.`,
      `give it in services.yaml: \`ids: { ${name}: ... }\``,
    );
  }
  const own = Object.entries(ids).filter(([name]) => !OWN.has(name));
  return (path) => fillPath(path, Object.fromEntries(own));
}
