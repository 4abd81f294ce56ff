import { rowPersons } from '../../../src/leads/rows/row-person.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import { aPhone } from '../../helpers/factory.ts';
import type { CallingPlan } from './calling-plan.ts';
import { drawing, type Drawing } from './drawing.ts';

/** Who a row is about, and what its list says of them. */
export interface Named {
  /** Rows with the same number are one person, and no others are. */
  human: number;
  id: string;
  name: string;
}

/** One person, as lists write her. */
const ONE = {
  id: 'C-1001',
  names: ['Ann Mill', 'ann  MILL', 'Mill, Ann', 'Ann Lucy Mill'],
};
/** Strangers: one for each row, so that no two rows with one id have one name. */
const OTHERS = ['Bob Stone', 'Eva Mill', 'Cy Brook', 'Dee Ford', 'Flo Reed', 'Gus Hale'];
/** What a list has where it knows no id. */
const PLACEHOLDERS = ['', '0', '-', 'n/a', 'N/A', 'unknown', 'TEST', '99999', 'xxx'];
/** An id of more numbers is nobody's, as data/README.md says. */
const MOST_WITH_ONE_ID = 4;

/**
 * Half of the nights, in which lists say who people are: some rows are one person, with other numbers; beside them are
 * strangers with a placeholder as their id or with the id of that person. Drawn apart: the others stay what they were.
 *
 * @param mayGrow a list that comes later brings new rows; not where an older copy of the database may forget that list
 */
export function withPersons(seed: string, plan: CallingPlan, mayGrow: boolean): CallingPlan {
  const draw = drawing(seededRandom(`persons ${seed}`));
  if (draw.chance(0.5)) return plan;
  const newcomers = Array.from(
    { length: mayGrow && draw.chance(0.6) ? 1 + draw.upTo(2) : 0 },
    (_, i) => aPhone(70 + i),
  );
  const all = [
    ...plan.people,
    ...newcomers.map(() => ({
      zoneKey: draw.pick(plan.people).zoneKey,
      alternatives: [],
    })),
  ];
  let left = MOST_WITH_ONE_ID;
  const people = all.map((person, row) => {
    const named = namedFrom(draw, row, left > 0);
    if (named.id === ONE.id) left -= 1;
    return { ...person, named };
  });
  const at = Math.max(draw.upTo(12_000), ...plan.lists.map((list) => list.at + 1));
  const rows = people
    .map(({ zoneKey }, lead) => ({ lead, zoneKey }))
    .filter(({ lead }) => lead >= plan.people.length);
  const lists =
    newcomers.length === 0 ? plan.lists : [...plan.lists, { name: 'newcomers', at, rows }];
  return { ...plan, people, newcomers, lists };
}

function namedFrom(draw: Drawing, row: number, mayHaveTheId: boolean): Named {
  const kind = draw.upTo(8);
  const other = OTHERS[row % OTHERS.length] ?? '';
  if (mayHaveTheId && (row === 0 || kind < 4))
    return { human: 0, id: ONE.id, name: draw.pick(ONE.names) };
  if (mayHaveTheId && kind < 6) return { human: row + 1, id: ONE.id, name: other };
  if (kind === 6) return { human: row + 1, id: `C-20${row}`, name: other };
  return {
    human: row + 1,
    id: draw.pick(PLACEHOLDERS),
    name: draw.pick(ONE.names),
  };
}

const personOf = rowPersons({ fields: { name: 0, externalId: 2 } });

/** The cells of a row, under `name`, `phone` and `id`, and what an import makes of them. */
export function rowOf(named: Named | undefined, phone: string) {
  const cells = [named?.name ?? 'Somebody', phone, named?.id ?? ''];
  return { cells, person: named && personOf(cells) };
}

/** Who is who in a night, by its plan alone; numbers are those of its rows, in their order. */
export class WhoIsWho {
  readonly #people: CallingPlan['people'];
  readonly #phones: readonly string[];

  constructor(plan: CallingPlan | null, phones: readonly string[]) {
    this.#people = plan?.people ?? [];
    this.#phones = phones;
  }

  /** Whether two rows, by their numbers, are one person. */
  isOne(phone: string, other: string): boolean {
    if (phone === other) return true;
    const [one, two] = [phone, other].map((each) => this.#people[this.#phones.indexOf(each)]);
    return one?.named !== undefined && one.named.human === two?.named?.human;
  }

  /** All numbers of the rows that are this one's person. */
  numbersOf(phone: string): string[] {
    return this.#phones
      .filter((other) => this.isOne(phone, other))
      .flatMap((own) => [own, ...this.furtherOf(own)]);
  }

  furtherOf(phone: string): string[] {
    const known = this.#people[this.#phones.indexOf(phone)];
    return (known?.alternatives ?? []).map((each) => each.phone);
  }

  /** Whether nobody else has this number. */
  isTheirsAlone(phone: string, number: string): boolean {
    return this.#phones.every(
      (other) =>
        this.isOne(phone, other) || (other !== number && !this.furtherOf(other).includes(number)),
    );
  }
}
