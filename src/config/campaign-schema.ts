import { CAMPAIGN_KEYS } from './keys.ts';

/** The file's name, beside the campaign files that name it. */
export const SCHEMA_FILE = 'campaign.schema.json';

interface Keys {
  /** It can have a value of its own, as in `service: main`. */
  isValue: boolean;
  below: Map<string, Keys>;
}

/** JSON Schema of a campaign file, for editors: it lists the keys; values are checked by callsheet alone. */
export function campaignSchema(): string {
  const root: Keys = { isValue: false, below: new Map() };
  for (const key of CAMPAIGN_KEYS) {
    let at = root;
    for (const part of key.split('.')) {
      const next = at.below.get(part) ?? { isValue: false, below: new Map() };
      at.below.set(part, next);
      at = next;
    }
    at.isValue = true;
  }
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(root) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function schemaOf({ isValue, below }: Keys): object {
  const value = ['string', 'number', 'array'];
  if (below.size === 0) return { type: value };
  const properties = Object.fromEntries([...below].map(([name, keys]) => [name, schemaOf(keys)]));
  return {
    type: isValue ? [...value, 'object'] : 'object',
    properties,
    additionalProperties: false,
  };
}
