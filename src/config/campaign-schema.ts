import { CAMPAIGN_KEYS } from './keys.ts';
import { rowOf, settingWords } from './table/settings-table.ts';

/** The name of the schema file, which is written beside the campaign files that refer to it. */
export const SCHEMA_FILE = 'campaign.schema.json';

/** JSON Schema of a campaign file, for editors: the schema lists the keys; only callsheet checks the values. */
export function campaignSchema(): string {
  const keys = schemaOf('', CAMPAIGN_KEYS);
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...keys };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** @param path of the group that contains these keys, with a dot at the end; it can also have a value of its own */
function schemaOf(path: string, keys: readonly string[]): object {
  const value = ['string', 'number', 'array'];
  const row = rowOf(path.slice(0, -1));
  const about = row && { description: `${settingWords(row)}; default ${row.byDefault}` };
  if (keys.length === 0) return { ...about, type: value };
  const properties: Record<string, object> = {};
  for (const name of new Set(keys.map((key) => key.replace(/\..*/, '')))) {
    const inside = keys.filter((key) => key.startsWith(`${name}.`));
    const below = inside.map((key) => key.slice(name.length + 1));
    properties[name] = schemaOf(`${path}${name}.`, below);
  }
  const type = row === undefined ? 'object' : [...value, 'object'];
  return { ...about, type, properties, additionalProperties: false };
}
