import { nearest } from '../text/nearest.ts';
import * as calling from './calling-fields.ts';
import * as field from './fields.ts';
import { fail, orNone, words } from './fields.ts';
import { notify } from './notify.ts';

/** An amount above zero with an ISO 4217 code: `40 EUR`; `none` removes a stored one. */
const money = orNone(
  words.transform((value, context) => {
    const [, digits, point = '', code] = MONEY.exec(value) ?? [];
    if (digits === undefined) {
      return fail(context, 'is not an amount with its currency such as 40 EUR, or none');
    }
    if (code === undefined) {
      return fail(context, `has no currency; write it as its ISO 4217 code, such as ${value} EUR`);
    }
    const currency = code.toUpperCase();
    if (!CURRENCIES.includes(currency)) {
      const near = nearest(currency, CURRENCIES);
      const meant = near === undefined ? ' such as EUR or USD' : `; did you mean ${near}?`;
      return fail(context, `has no ISO 4217 currency code${meant}`);
    }
    const cents = point.replace(/0{1,6}$/, '');
    const text = `${digits.replace(/^0+(?=\d)/, '')}${cents === '' ? '' : `.${cents}`}`;
    if (Number(text) > 0) return { amount: text, currency };
    return fail(context, 'is not above zero; give what may be spent, such as 40 EUR, or none');
  }),
);

/** Digits, decimals and letters; at most nine digits, as more are no budget but a mistake. */
const MONEY = /^(\d{1,9})(?:\.(\d{1,6}))?(?:\s*([A-Za-z]+))?$/;
const CURRENCIES = Intl.supportedValuesOf('currency');

/** Readers of values that are neither numbers nor choices, by the names that settings-table.ts gives them. */
export const OWN_READERS = {
  campaignName: field.campaignName,
  country: field.country,
  day: calling.dayOrNone,
  dayAndTime: calling.dayAndTime,
  days: calling.days,
  holidays: calling.holidays,
  endOfTime: calling.timeOfDay('24:00'),
  lists: field.texts('the path of a list'),
  listKeyName: field.listKeyName,
  maxAge: field.maxAge,
  money,
  notify,
  pace: field.pace,
  resultsFile: field.resultsFile,
  rules: calling.rules,
  schedule: calling.schedule,
  serviceName: field.serviceName,
  serviceUrl: field.serviceUrl,
  skipCalled: field.skipCalled,
  time: calling.timeOfDay('23:59'),
  timeOrNone: orNone(calling.timeOfDay('23:59')),
  timezone: field.timezone,
  unknownZones: calling.unknownZones,
  variables: calling.variables,
};
