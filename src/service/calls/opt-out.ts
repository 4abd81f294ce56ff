import { normalizeWord } from '../../text/fold-words.ts';
import { asObject } from '../profile/read-fields.ts';

/** Texts that say that nobody has opted out, as `normalizeWord` spells them without marks at their ends. */
const NO_OPT_OUT = new Set(
  'false f no n 0 null none nil off undefined unknown n/a na not_requested not_asked not_opted_out no_opt_out not_dnc no_dnc opted_in opt_in not_applicable not_mentioned not_specified not_stated not_provided no_thanks'.split(
    ' ',
  ),
);

/**
 * As `asTrue`, for an opt-out. Of an object its `value` decides (`{ value: true, rationale: ... }`), else that one of
 * its fields is true and none is false; of a list, that it names calls (`['phone', 'email']`).
 */
export function asOptOut(value: unknown): true | undefined {
  const object = asObject(value);
  if (object !== undefined && 'value' in object) return asOptOut(object['value']);
  if (object !== undefined) {
    const said = Object.values(object);
    return (said.includes(true) && !said.includes(false)) || undefined;
  }
  if (Array.isArray(value))
    return (
      value.some((each) => each === true || /call|phone|voice|^all$/i.test(String(each))) ||
      undefined
    );
  if (typeof value !== 'string') return asTrue(value);
  const word = normalizeWord(value).replaceAll(/[,;!]/g, '').replace(/^_/, '').replace(/_$/, '');
  return word === '' || NO_OPT_OUT.has(word) ? undefined : asTrue(value);
}

/** Returns undefined for false, 0, null, empty text and the texts `false`, `no`, `0` and `null`; otherwise true. */
export function asTrue(value: unknown): true | undefined {
  const isUp =
    typeof value === 'string' ? !/^(false|no|0|null|)$/i.test(value.trim()) : Boolean(value);
  return isUp ? true : undefined;
}
