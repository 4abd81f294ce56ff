import type { Identity } from '../app/access/identity.ts';
import type { UploadPlace } from '../app/lists/uploads.ts';
import { UNATTENDED, type World } from '../app/world.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { ConsoleStore } from '../store/console.ts';
import type { Role } from '../views/access.ts';
import type { Told } from '../views/fields.ts';
import type { Jobs } from './jobs/jobs.ts';

/** Calls a minute, measured over this time. */
const OVER_MS = 60_000;
/** Over less than this, a rate says nothing. */
const AT_LEAST_MS = 5_000;
/** Looks closer together than this are not kept, however many pages ask. */
const APART_MS = 500;

/** How fast campaigns call, from how many calls were begun at each look. */
export class CallRates {
  readonly #looks = new Map<string, { at: number; dials: number }[]>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls begun a minute; null: nobody has asked for long enough. */
  look(campaign: string, dials: number): number | null {
    const at = this.#clock.monotonic();
    const looks = (this.#looks.get(campaign) ?? []).filter((look) => at - look.at <= OVER_MS);
    if (at - (looks.at(-1)?.at ?? -Infinity) >= APART_MS) looks.push({ at, dials });
    this.#looks.set(campaign, looks);
    const [first] = looks;
    if (first === undefined || at - first.at < AT_LEAST_MS) return null;
    return Math.round(((dials - first.dials) * 60_000) / (at - first.at));
  }
}

/** What every route of the console is given. */
export interface Desk {
  /** Nobody sits at it: each request has one of its own, `request.world`. */
  world: World;
  /** Which database and which services file; as the command line was given them. */
  files: { db: string | undefined; services: string | undefined };
  /** Users, tokens, sessions, and the log of who did what. */
  access: ConsoleStore;
  jobs: Jobs;
  rates: CallRates;
  log: Log;
  /** Who calls a campaign that is started here: this process at once, or `serve` at its schedule. */
  dials: 'here' | 'serve';
  /** Where uploads are kept until a campaign has taken them. */
  uploads: UploadPlace;
  /** Browsers reach it by https, so that cookies are for https alone. */
  secure: boolean;
  version: string;
}

/** What every handler finds at its request. */
declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity;
    /** What the handler does is done in it. */
    world: World;
    /** What that world was told, for the answer. */
    messages: Told[];
    /** What the log of who did what names; left out: what the address names. */
    about?: string;
  }
  interface FastifyContextConfig {
    /** The smallest role that may use the route; `anyone` needs no session. Default: viewer to read, operator to change. */
    role?: Role | 'anyone';
    /** What the log of who did what calls it; left out: it is not a change. */
    does?: string;
    /** Its body is a file, which may take long. */
    takesFile?: true;
  }
}

/** Sentences as they come, and the world that gathers them: a request can be told something, but asked nothing. */
export function worldOf(desk: Pick<Desk, 'world'>, { who }: Pick<Identity, 'who'>) {
  const messages: Told[] = [];
  const world: World = {
    ...desk.world,
    ...UNATTENDED,
    user: who,
    tell: (text, kind = 'told') => {
      messages.push({ text, kind });
    },
  };
  return { world, messages };
}
