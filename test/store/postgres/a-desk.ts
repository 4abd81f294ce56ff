import { inject } from 'vitest';
import type * as Main from '../../../src/cli/main.ts';
import { desk } from '../../helpers/callsheet.ts';
import { aSchema, built } from './a-schema.ts';

export const { main } = await built<typeof Main>('../../cli/main');
export const { host, port, user, password, database } = inject('postgres');

/** The address of a schema, at this server unless told otherwise. */
export const urlOf = (schema: string, { as = user, at = port, of = database } = {}) =>
  `postgres://${as}@${host}:${at}/${of}?schema=${schema}`;

/** A desk at a schema of its own, which does not exist yet. */
export function aDesk() {
  const { schema } = aSchema();
  const url = urlOf(schema);
  const at = desk({ CALLSHEET_DB: url, PGPASSWORD: password }, undefined, main);
  return { at, schema, url };
}
