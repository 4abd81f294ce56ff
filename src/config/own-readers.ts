import * as calling from './calling/calling-fields.ts';
import * as field from './fields.ts';
import { orNone } from './field-readers.ts';
import { money } from './nights/stop-fields.ts';
import { notify } from './notify.ts';

/** Readers of values that are neither numbers nor choices, by the names that settings-table.ts gives them. */
export const OWN_READERS = {
  campaignName: field.campaignName,
  country: field.country,
  day: calling.dayOrNone,
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
  schedule: field.schedule,
  serviceName: field.serviceName,
  serviceUrl: field.serviceUrl,
  skipCalled: field.skipCalled,
  time: calling.timeOfDay('23:59'),
  timeOrNone: orNone(calling.timeOfDay('23:59')),
  timezone: field.timezone,
  unknownZones: calling.unknownZones,
  variables: calling.variables,
};
