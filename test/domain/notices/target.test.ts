import { describe, expect, it } from 'vitest';
import {
  allowedTarget,
  receiverOf,
  type CampaignTarget,
  type NoticeTarget,
} from '../../../src/domain/notices.ts';

const isLoopback = (url: string) => url.includes('127.0.0.1');
const ON = ['attention'] as const;
const OWN: NoticeTarget[] = [
  { on: [], command: ['./tell', 'ops'], folder: '/srv/campaigns' },
  { on: [], url: 'https://ops.example.com/hook', secretEnv: 'OPS_SECRET' },
  { on: [], url: 'http://127.0.0.1:9/hook' },
  { on: [], urlEnv: 'CHAT_URL' },
];
const fromFile = (target: NoticeTarget): CampaignTarget => ({ ...target, from: 'file' });
const allowed = (target: CampaignTarget, own = OWN) => allowedTarget(target, own, isLoopback);

describe('a receiver that a campaign file names', () => {
  const command = fromFile({ on: ON, command: ['./tell', 'ops'], folder: '/tmp/from-somebody' });

  it('is a command only where services.yaml has the same, and then it runs in that folder', () => {
    expect(allowed(command)).toEqual({
      on: ON,
      command: ['./tell', 'ops'],
      folder: '/srv/campaigns',
    });
    expect(allowed(command, [])).toBeNull();
    expect(allowed(fromFile({ on: ON, command: ['./tell', 'x'], folder: '/' }))).toBeNull();
  });

  it('may be any address that is not on this machine, as long as nothing is signed', () => {
    const other = { on: ON, url: 'https://other.example.com/hook' };
    expect(allowed(fromFile(other))).toEqual(other);
    expect(allowed(fromFile({ on: ON, url: 'http://127.0.0.1:8/hook' }))).toBeNull();
    expect(allowed(fromFile({ on: ON, url: 'http://127.0.0.1:9/hook' }))).not.toBeNull();
  });

  it('gets what is signed with a secret only at the address to which services.yaml gives that secret', () => {
    const signed = (url: string, secretEnv = 'OPS_SECRET') =>
      allowed(fromFile({ on: ON, url, secretEnv }));
    expect(signed('https://ops.example.com/hook')).not.toBeNull();
    expect(signed('https://ops.example.com/another')).toBeNull();
    expect(signed('https://other.example.com/hook')).toBeNull();
    expect(signed('https://ops.example.com/hook', 'VOICE_API_KEY')).toBeNull();
  });

  it('names a variable with an address only if services.yaml names it, too', () => {
    expect(allowed(fromFile({ on: ON, urlEnv: 'CHAT_URL' }))).toEqual({
      on: ON,
      urlEnv: 'CHAT_URL',
    });
    expect(allowed(fromFile({ on: ON, urlEnv: 'OTHER_URL' }))).toBeNull();
    expect(allowed(fromFile({ on: ON, urlEnv: 'CHAT_URL', secretEnv: 'OPS_SECRET' }))).toBeNull();
  });
});

it('a receiver that the operator names with the command is used as it is', () => {
  const target = { on: ON, command: ['./tell', 'ops'], folder: '/srv' };
  expect(allowed({ ...target, from: 'given' }, [])).toEqual(target);
});

it('two targets that reach the same receiver are known as one, whatever they want', () => {
  const url = 'https://ops.example.com/hook';
  expect(receiverOf({ on: ON, url })).toBe(receiverOf({ on: [], url, secretEnv: 'A' }));
  expect(receiverOf({ on: ON, url })).not.toBe(receiverOf({ on: ON, url: `${url}2` }));
  expect(receiverOf({ on: ON, urlEnv: 'A' })).not.toBe(receiverOf({ on: ON, urlEnv: 'B' }));
  expect(receiverOf({ on: ON, command: ['a'], folder: '/' })).not.toBe(
    receiverOf({ on: ON, command: ['a'], folder: '/b' }),
  );
});
