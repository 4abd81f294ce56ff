import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';

import { z } from 'zod';
import { maskNumbers, maskPhone, maskWrittenNumbers } from '../../domain/phone.ts';
import { marked } from '../../views/fields.ts';
import { problem } from '../contract/common.ts';

/** The server as routes see it: what they declare is what their handlers get. */
export type Api = Parameters<FastifyPluginAsyncZod>[0];

/** The schemas of a route's answers; whatever is refused is a problem. */
export function answers<T extends Record<number, unknown>>(schemas: T) {
  return { ...schemas, '4xx': problem, '5xx': problem } as const;
}

/** The answer of a route that sends a file. */
export const file = (what: string) => marked('file', z.unknown()).describe(what);

/** What somebody gets to see of numbers. */
export interface Shown {
  /** A number, or the masked one. */
  phone: (phone: string) => string;
  /** A text, with whatever may be a number in it masked. */
  text: (text: string) => string;
  /** The name of a file or a campaign: a date or a count in it stays, a number with its + or separators does not. */
  name: (name: string) => string;
  /** True: also what was said. */
  said: boolean;
}

/** Those who may read what was said may see whole numbers, too. */
export function shownTo({ transcripts }: { transcripts: boolean }): Shown {
  const asItIs = (text: string) => text;
  if (transcripts) return { phone: asItIs, text: asItIs, name: asItIs, said: true };
  return { phone: maskPhone, text: maskNumbers, name: maskWrittenNumbers, said: false };
}
