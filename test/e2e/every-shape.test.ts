import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import pLimit from 'p-limit';
import { parse, parseDocument } from 'yaml';
import { desk, rowsOf, type Desk } from '../helpers/callsheet.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { shareOf } from '../helpers/properties.ts';
import {
  ANSWERS,
  DIALS,
  EVENTS,
  type Dialled,
  type Event,
  type Shape,
} from '../helpers/services/wire-shapes.ts';

/*
 * Plays every shape through the program: a dial, looks, deliveries and results over HTTP on loopback. A shape is right, or
 * the run asks with lines for the profile; these are written as they are printed until the shape is right. `npm run
 * wire-shapes` plays and prints each; here one in twelve is played, by the seed which.
 */

const PHONE = '+12125550123';
const DEFAULT = readFileSync('campaigns/profiles/voice-agent.yaml', 'utf8');
const MOST_ROUNDS = 4;
const IS_PRINTED = process.env['WIRE_SHAPES'] !== undefined;

const played = <T>(all: readonly T[]): T[] => shareOf(all, IS_PRINTED ? 1 : 12);

test('each shape of an answer is read right, or the line that the run asks for mends it', async () => {
  const verdicts = await verdictsOf(played(ANSWERS), (shape) =>
    verdictOf(shape.name, (profile) => looked(shape, profile)),
  );
  expect(verdicts.filter((verdict) => !isGood(verdict))).toEqual([]);
}, 300_000);

test('each shape of an event is read right, or the line that the run asks for mends it', async () => {
  const verdicts = await verdictsOf(played(EVENTS), (event) =>
    verdictOf(event.name, (profile) => told(event, profile)),
  );
  expect(verdicts.filter((verdict) => !isGood(verdict))).toEqual([]);
}, 300_000);

test('each shape of an answer to a dial is read right, or the line that the run asks for mends it', async () => {
  const verdicts = await verdictsOf(played(DIALS), (dial) =>
    verdictOf(dial.name, (profile) => dialledSo(dial, profile)),
  );
  expect(verdicts.filter((verdict) => !isGood(verdict))).toEqual([]);
}, 300_000);

type Played = { isRight: boolean; err: string };
interface Verdict {
  name: string;
  is: 'right' | 'asks' | 'SILENT' | 'WRONG';
  lines: string[];
}

const isGood = ({ is }: Verdict) => is === 'right' || is === 'asks';

async function verdictsOf<T>(
  all: readonly T[],
  play: (one: T) => Promise<Verdict>,
): Promise<Verdict[]> {
  // They wait more than they work.
  const some = pLimit(6);
  const verdicts = await Promise.all(all.map((one) => some(() => play(one))));
  const count = (is: Verdict['is']) => verdicts.filter((verdict) => verdict.is === is).length;
  if (IS_PRINTED) {
    const lines = verdicts.map(
      ({ name, is, lines: asked }) =>
        `${is.padEnd(6)} ${name}${asked.map((line) => `\n         ${line}`).join('')}`,
    );
    const sum = `${verdicts.length} shapes: ${count('right')} right, ${count('asks')} ask with lines that mend them, ${count('SILENT')} silent, ${count('WRONG')} wrong for all that`;
    process.stdout.write(`${[...lines, sum].join('\n')}\n`);
  }
  return verdicts;
}

async function verdictOf(
  name: string,
  play: (profile: string) => Promise<Played>,
): Promise<Verdict> {
  const lines: string[] = [];
  let profile = DEFAULT;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { isRight, err } = await play(profile);
    if (isRight) return { name, is: lines.length === 0 ? 'right' : 'asks', lines };
    const asked = linesIn(err);
    if (asked.length === 0)
      return { name, is: round === 0 ? 'SILENT' : 'WRONG', lines: [...lines, err] };
    lines.push(...asked.map(({ text }) => text));
    for (const line of asked) profile = written(profile, line);
  }
  return { name, is: 'WRONG', lines };
}

interface Line {
  text: string;
  yaml: string;
  at: string[];
}

/** `duration: auto` under analytics.duration; `mood` in the list analytics.sentiment.at */
function linesIn(err: string): Line[] {
  const asked = err
    .replaceAll(/\s+/g, ' ')
    .matchAll(
      /Write into the profile: (`([^`]+)`.*?(?:under|in the list) ([a-z]+(?:\.[a-zA-Z]+)*))/g,
    );
  return [...asked].map(([, text = '', yaml = '', at = '']) => ({ text, yaml, at: at.split('.') }));
}

/** The profile with a line in its place. */
function written(profile: string, { yaml, at }: Line): string {
  const document = parseDocument(profile);
  const value: unknown = parse(yaml);
  if (typeof value === 'object' && value !== null) {
    for (const [key, to] of Object.entries(value)) document.setIn([...at, key], to);
  } else if (document.hasIn(at)) document.addIn(at, value);
  else document.setIn(at, document.createNode([value]));
  return document.toString();
}

const FAST = ['--set', 'longestCall=20s', '--set', 'polling.deadline=3m'];

async function aCampaign(
  profile: string,
  url: string,
  floor = '1s',
): Promise<{ at: Desk; argv: string[] }> {
  const at = desk({ VOICE_API_URL: url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONE}\n`);
  at.write('service.yaml', profile);
  return {
    at,
    argv: [
      'run',
      'leads.csv',
      '--name',
      'shapes',
      '--agent',
      'ag_1',
      '-o',
      'out.csv',
      '--service-url',
      url,
      '--profile',
      'service.yaml',
      ...FAST,
      ...['--set', `polling.floor=${floor}`],
    ],
  };
}

async function looked(shape: Shape, profile: string): Promise<Played> {
  const url = await standIn((callId, origin) => shape.answer({ callId, origin }));
  const { at, argv } = await aCampaign(profile, url);
  const { err } = await at.run(argv, { clock: hastyClock(200) });
  const [row = {}] = rowsOf(at.read('out.csv'));
  const isRight = Object.entries(shape.right).every(([column, value]) => row[column] === value);
  return { isRight, err: isRight ? err : `${err}\n${JSON.stringify(row)}` };
}

async function dialledSo({ status, body, result }: Dialled, profile: string): Promise<Played> {
  const done = { status: 'completed', transcript: 'agent: Hello.\nuser: Hi.', duration_seconds: 3 };
  const url = await standIn(() => done, { status, body: body('call-1') });
  const { at, argv } = await aCampaign(profile, url);
  const { err } = await at.run(argv, { clock: hastyClock(200) });
  const [row = {}] = rowsOf(at.read('out.csv'));
  return { isRight: row['call_result'] === result, err };
}

async function told(event: Event, profile: string): Promise<Played> {
  let looks = 0;
  let onLook: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => (onLook = resolve));
  let isTold = false;
  const url = await standIn(() => {
    looks += 1;
    onLook();
    const isOver = isTold && looks > 4;
    return isOver
      ? {
          status: 'completed',
          transcript: 'agent: Hello.\nuser: Hi.',
          duration_seconds: 3,
          sentiment: 'neutral',
        }
      : { status: 'in-progress' };
  });
  const { at, argv } = await aCampaign(profile, url, '100ms');
  const { io, ended } = at.begin([...argv, '--webhooks', '--port', '0'], { clock: hastyClock(5) });
  await io.written('Webhooks of');
  const address = /go to (\S+) \(/.exec(io.err())?.[1] ?? '';
  await looked;
  const body = JSON.stringify(event.body('call-1'));
  await fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  isTold = true;
  const { err } = await ended;
  const [row = {}] = rowsOf(at.read('out.csv'));
  const { out } = await at.run(['inbox', 'list', '--json']);
  const [delivery] = (JSON.parse(out) as { items: { state: string }[] }).items;
  const isRight =
    event.brings === 'lead'
      ? (row['call_captured_lead'] ?? '').includes('ann@example.com')
      : delivery?.state === 'hint';
  return { isRight, err: isRight ? err : `${err}\n${JSON.stringify(delivery)}` };
}

/** A service of a few lines: one agent, one call, and what it says of the call. */
async function standIn(
  answer: (callId: string, origin: string) => unknown,
  dial: { status: number; body: unknown } = { status: 201, body: { call_id: 'call-1' } },
): Promise<string> {
  const server = createServer((request, response) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    request.resume();
    const { url = '', headers } = request;
    const body = url.startsWith('/v1/agents')
      ? { data: [{ id: 'ag_1', name: 'Renewals' }] }
      : url === '/v1/calls/outbound'
        ? dial.body
        : url === '/transcripts/1' && headers.authorization === 'Bearer k'
          ? [
              { role: 'agent', text: 'Hello.' },
              { role: 'user', text: 'Hi there.' },
            ]
          : answer('call-1', origin);
    response.writeHead(url === '/v1/calls/outbound' ? dial.status : 200, {
      'content-type': 'application/json',
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
