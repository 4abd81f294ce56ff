import { CAMPAIGN_KEYS } from './keys.ts';

/** The name of the schema file, which is written beside the campaign files that refer to it. */
export const SCHEMA_FILE = 'campaign.schema.json';

/** JSON Schema of a campaign file, for editors: the schema lists the keys; only callsheet checks the values. */
export function campaignSchema(): string {
  const keys = schemaOf(CAMPAIGN_KEYS, false);
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...keys };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** @param isValue the group that contains these keys can also have a value of its own, as in `service: main` */
function schemaOf(keys: readonly string[], isValue: boolean): object {
  const value = ['string', 'number', 'array'];
  if (keys.length === 0) return { type: value };
  const properties: Record<string, object> = {};
  for (const name of new Set(keys.map((key) => key.replace(/\..*/, '')))) {
    const inside = keys.filter((key) => key.startsWith(`${name}.`));
    const below = inside.map((key) => key.slice(name.length + 1));
    properties[name] = schemaOf(below, keys.includes(name));
  }
  const type = isValue ? [...value, 'object'] : 'object';
  return { type, properties, additionalProperties: false };
}
