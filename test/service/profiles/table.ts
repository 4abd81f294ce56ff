import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { outcomeOf } from '../../../src/domain/lead.ts';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { createDialler } from '../../../src/service/calls/dial.ts';
import type { DialAnswer } from '../../../src/service/port.ts';
import { loadProfile, type Profile } from '../../../src/service/profile/profile.ts';
import { connect, DIAL, fakeService, yes } from '../helpers.ts';

/** The rows of a file beside this one: columns between tabs, lines that begin with # left out. */
export function tableOf(file: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split('\t'));
}

export function builtIn(name: string): Profile {
  const path = `campaigns/profiles/${name}.yaml`;
  return loadProfile(readFileSync(path, 'utf8'), path);
}

/** What a call comes to by what a look at it finds: a result, or `pending`, `not_begun`, `ended`. */
export function meaningOf(profile: Profile, call: unknown): string {
  const reading = createAnalyticsReader(profile.analytics).read(call);
  if (reading.kind === 'settled') return outcomeOf(reading.analytics, reading.result).result;
  return reading.kind === 'pending' && reading.notBegun !== undefined ? 'not_begun' : reading.kind;
}

/** A dial as this profile makes it, answered with this. No request is made: a table has hundreds of answers. */
export async function dialAnswered(
  profile: Profile,
  status: number,
  body: unknown,
): Promise<DialAnswer> {
  const text = JSON.stringify(body);
  const rest = { retryAfter: undefined, link: undefined, location: undefined, brokeOff: null };
  const { startCall } = createDialler({
    client: { origin: 'https://service.example', dial: async () => ({ status, text, ...rest }) },
    rules: profile.dial,
    path: profile.dial.path,
    from: '+12125550199',
    now: () => 0,
  });
  return startCall(DIAL, yes);
}

/** One word for the answer, whether a refusal is named or told by its status alone. */
export async function dialMeans(profile: Profile, status: number, body: unknown): Promise<string> {
  return wordFor(await dialAnswered(profile, status, body)).replace('_by_status', '');
}

/** A dial that is answered with this over real HTTP. */
export async function dialAnsweredOverHttp(
  profile: Profile,
  status: number,
  body: unknown,
): Promise<DialAnswer> {
  const server = await fakeService(() => ({ status, body }));
  const ids = { account: 'ac_1', application: '14944' };
  const service = connect(server.url, { profile, from: '+12125550199', key: 'AC1:token', ids });
  onTestFinished(async () => {
    await service.close();
    await server.stop();
  });
  return service.startCall(DIAL, yes);
}

/** One word for it: `placed`, `rejected`, `rejected_by_status`, `pause`, `refused` or `unknown`. */
export function wordFor(answer: DialAnswer): string {
  if (answer.kind !== 'rejected') return answer.kind;
  if (answer.pause === true) return 'pause';
  return answer.named === true ? 'rejected' : 'rejected_by_status';
}
