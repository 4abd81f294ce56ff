import { placeOf } from '../../domain/calling/zone-key.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { withIso } from '../../text/times.ts';
import type { ForecastReport } from '../../app/plan/forecast.ts';
import type { ExportRow, HistoryEntry } from '../../store/port.ts';

/** Values from the store as `--json` shows them: times are ISO 8601 with an offset. */

/** Without what rules come to, which `callsheet rules show NAME` prints. */
export function settingsJson(settings: CampaignSettings) {
  return { ...settings, policy: undefined };
}

export const forecastJson = ({ endsAt, byNight, ...report }: ForecastReport, timezone: string) => ({
  ...withIso(report, ['startAt'], timezone),
  endsAt: withIso(endsAt, ['low', 'middle', 'high'], timezone),
  byNight: byNight.map((night) => withIso(night, ['beginsAt'], timezone)),
});

export const historyJson = ({ detail, ...entry }: HistoryEntry, timezone: string) => ({
  ...withIso(entry, ['at'], timezone),
  // In entries of a schedule, `detail.at` is the scheduled time.
  detail: 'at' in detail ? withIso(detail, ['at'], timezone) : detail,
});

export const rowJson = ({ attempt, zoneKey, ...row }: ExportRow, timezone: string) => ({
  timezones: placeOf(zoneKey).zones,
  ...withIso(
    row,
    ['firstAttemptAt', 'lastAttemptAt', 'lastChangeAt', 'notBefore', 'callbackAt'],
    timezone,
  ),
  attempt:
    attempt === null ? null : withIso(attempt, ['intentAt', 'endedAt', 'settledAt'], timezone),
});
