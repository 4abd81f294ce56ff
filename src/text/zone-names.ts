/** Names of time zones that people of North America say, with the zones that they mean. */
export const SPOKEN_ZONES: Readonly<Record<string, string>> = {
  Eastern: 'America/New_York',
  Central: 'America/Chicago',
  Mountain: 'America/Denver',
  Pacific: 'America/Los_Angeles',
  Arizona: 'America/Phoenix',
  Indiana: 'America/Indiana/Indianapolis',
  Alaska: 'America/Anchorage',
  Alaskan: 'America/Anchorage',
  Hawaii: 'Pacific/Honolulu',
  Atlantic: 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  Saskatchewan: 'America/Regina',
};

/** What may follow a spoken name: `Eastern Time (US & Canada)`, `Pacific Daylight Time`. */
const SUFFIXES = [
  '',
  ' time',
  ' standard time',
  ' daylight time',
  ' time us canada',
  ' us canada',
  ' time us and canada',
];

/** In small letters and with all that people say around them: `us eastern`, `pacific time`. */
export const SPOKEN_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries(SPOKEN_ZONES).flatMap(([spoken, zone]) => {
    const name = spoken.toLowerCase();
    const forms = [...SUFFIXES.map((suffix) => name + suffix), `canada ${name}`];
    return [...forms, `us ${name}`, `us ${name} time`].map((form) => [form, zone] as const);
  }),
);
