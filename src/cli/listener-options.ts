import type { Options } from './command.ts';

/** For every command that receives webhooks. */
export const listenerOptions = {
  port: { type: 'text', describe: 'port that webhooks come to', default: '4280' },
  host: { type: 'text', describe: 'address that webhooks come to', default: '127.0.0.1' },
  'public-url': {
    type: 'text',
    describe: 'the address under which services reach it, e.g. https://calls.example.com',
  },
} as const satisfies Options;

export interface ListenerFlags {
  port: string;
  host: string;
  'public-url': string | undefined;
}
