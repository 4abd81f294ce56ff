import { RegExpParser, type AST } from '@eslint-community/regexpp';

/**
 * Says by what text an expression takes more than linear time: the search of V8 tries one way after the other, so two
 * loops that take the same text one after the other (or the search itself and a loop) take it in all divisions.
 *
 * The expression is made an automaton; `p` and `q` are loops of it such that a text leads from `p` to `p`, from `p` to
 * `q` and from `q` to `q`. States from which the end is reached without another sign are left out: there it has matched.
 * Repetitions with bounds count as often as written up to `MOST_COPIES`, and backreferences as any sign.
 *
 * @returns the text to repeat; null when the expression is linear
 */
export function slowText({ source, flags }: { source: string; flags: string }): string | null {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const machine = new Machine(pattern, flags);
  return machine.slowText();
}

const MOST_COPIES = 4;
const SOME = [
  ...Array.from({ length: 128 }, (_, at) => String.fromCharCode(at)),
  ...Array.from(
    '\u0085\u00a0\u00ab\u00bb\u00ad\u00b4\u00df\u00e4\u00c4\u0131\u0130\u017f\u0301\u0430\u0645\u0660\u0966\u200b\u2010' +
      '\u2013\u2014\u2018\u2019\u201c\u201d\u2028\u2029\u20ac\u2212\u3000\u3002\u3042\u30a2\u4e00\u5e74\uac00\ufeff\uff0b' +
      '\uff0d\uff11\uff61\ufffb\ufffd\u{1f600}\u{1d7ce}\ud800',
  ),
];

interface Edge {
  to: number;
  /** Of the signs that it takes; null: none is needed. */
  signs: Set<string> | null;
  /** May fail although no sign is taken: `$`, `\b`, a look around. */
  isGuarded: boolean;
}

class Machine {
  readonly #edges: Edge[][] = [];
  readonly #flags: string;
  readonly #signs: string[];
  readonly #before: number;
  readonly #end: number;
  readonly #sets = new Map<string, Set<string>>();
  #lookbehind = '';

  constructor(pattern: AST.Pattern, flags: string) {
    this.#flags = flags.replaceAll(/[gyd]/g, '');
    this.#signs = [...new Set([...SOME, ...Array.from(pattern.raw)])];
    this.#before = this.#state();
    // The search begins at each place: `#before` takes what is before it. A sticky one begins at one place.
    if (!flags.includes('y')) this.#take(this.#before, this.#before, new Set(this.#signs));
    const start = this.#state();
    this.#free(this.#before, start);
    this.#end = this.#alternatives(pattern.alternatives, start, true);
  }

  slowText(): string | null {
    if (this.#lookbehind !== '') return this.#lookbehind;
    const moves = this.#moves(this.#certain(this.#end));
    const loops = new Map<number, { from: Set<number>; around: Set<number> }>();
    for (const at of moves.keys()) {
      const from = reachable([at], moves);
      if (from.has(at)) loops.set(at, { from, around: within(at, from, moves) });
    }
    for (const [p, { from, around }] of loops) {
      const text = this.#twoWays(p, around, moves);
      if (text !== null) return text;
      for (const [q, loop] of loops) {
        if (q === p || !from.has(q)) continue;
        // A text that leads from p to p, from p to q and from q to q.
        const pumped = this.#walk([p, p, q], [p, q, q], [around, from, loop.around], moves);
        if (pumped !== null) return pumped;
      }
    }
    return null;
  }

  /** A text that leads from p to p in two ways, which stay in the states around it. */
  #twoWays(p: number, around: ReadonlySet<number>, moves: Moves): string | null {
    const seen = new Set<string>();
    const queue: [number, number, boolean, string][] = [[p, p, false, '']];
    for (const [a, b, differ, text] of queue) {
      const [one, two] = [moves.get(a), moves.get(b)];
      for (const [kind, landings] of one ?? [])
        for (const to of landings) {
          if (!around.has(to)) continue;
          for (const other of two?.get(kind) ?? []) {
            if (!around.has(other)) continue;
            const isTwice =
              a === b && to === other && landings.indexOf(to) !== landings.lastIndexOf(to);
            const apart = differ || to !== other || isTwice;
            const longer = text + kind;
            if (apart && to === p && other === p) return longer;
            const key = `${to} ${other} ${apart}`;
            if (seen.has(key)) continue;
            seen.add(key);
            queue.push([to, other, apart, longer]);
          }
        }
    }
    return null;
  }

  #walk(from: number[], to: number[], path: ReadonlySet<number>[], moves: Moves): string | null {
    const seen = new Set<string>();
    const goal = to.join(' ');
    const queue: [number[], string][] = [[from, '']];
    for (const [at, text] of queue) {
      const [one, two, three] = at.map((state) => moves.get(state));
      for (const kind of one?.keys() ?? [])
        for (const a of one?.get(kind) ?? []) {
          if (path[0]?.has(a) !== true) continue;
          for (const b of two?.get(kind) ?? []) {
            if (path[1]?.has(b) !== true) continue;
            for (const c of three?.get(kind) ?? []) {
              if (path[2]?.has(c) !== true) continue;
              const key = `${a} ${b} ${c}`;
              if (key === goal) return text + kind;
              if (seen.has(key)) continue;
              seen.add(key);
              queue.push([[a, b, c], text + kind]);
            }
          }
        }
    }
    return null;
  }

  /** Moves by one sign between states that have such moves, with what needs no sign before them. */
  #moves(done: ReadonlySet<number>): Moves {
    const kinds = this.#kinds();
    const isReal = this.#edges.map((edges) => edges.some(({ signs }) => signs !== null));
    const landings = this.#edges.map((_, at) => this.#landings(at, isReal));
    const moves: Moves = new Map();
    for (const [at, edges] of this.#edges.entries()) {
      if (isReal[at] !== true || done.has(at)) continue;
      const found = new Map<string, number[]>();
      for (const { to, signs } of edges) {
        if (signs === null || done.has(to)) continue;
        const reached = (landings[to] ?? []).filter((one) => !done.has(one));
        for (const kind of kinds)
          if (signs.has(kind)) found.set(kind, [...(found.get(kind) ?? []), ...reached]);
      }
      moves.set(at, found);
    }
    return moves;
  }

  /** One sign of each kind: signs that every move takes alike are one kind. */
  #kinds(): string[] {
    const sets = this.#edges.flat().flatMap(({ signs }) => signs ?? []);
    const all = [...new Set(sets)];
    const kinds = new Map<string, string>();
    for (const sign of this.#signs) {
      const key = all.map((signs) => (signs.has(sign) ? 1 : 0)).join('');
      if (!kinds.has(key)) kinds.set(key, sign);
    }
    return [...kinds.values()];
  }

  /** States with moves by a sign that are reached without one: once for each way to them. */
  #landings(from: number, isReal: readonly boolean[]): number[] {
    const found: number[] = [];
    const path = new Set<number>();
    const visit = (at: number) => {
      if (path.has(at)) return;
      path.add(at);
      if (isReal[at] === true) found.push(at);
      for (const { to, signs } of this.#edges[at] ?? []) if (signs === null) visit(to);
      path.delete(at);
    };
    visit(from);
    return found;
  }

  /** States from which `end` is certainly reached without a sign. */
  #certain(end: number): Set<number> {
    const done = new Set([end]);
    for (let size = 0; size !== done.size;) {
      size = done.size;
      for (const [at, edges] of this.#edges.entries())
        if (edges.some(({ to, signs, isGuarded }) => signs === null && !isGuarded && done.has(to)))
          done.add(at);
    }
    return done;
  }

  #state(): number {
    return this.#edges.push([]) - 1;
  }

  #free(from: number, to: number, isGuarded = false): void {
    this.#edges[from]?.push({ to, signs: null, isGuarded });
  }

  #take(from: number, to: number, signs: Set<string>): void {
    this.#edges[from]?.push({ to, signs, isGuarded: false });
  }

  /** @param isFirst nothing of the expression has taken a sign before */
  #alternatives(all: readonly AST.Alternative[], from: number, isFirst = false): number {
    const end = this.#state();
    for (const { elements } of all) {
      let at = this.#state();
      let isStill = isFirst;
      this.#free(from, at);
      for (const element of elements) {
        at = this.#element(element, at, isStill);
        isStill &&= element.type === 'Assertion';
      }
      this.#free(at, end);
    }
    return end;
  }

  #element(element: AST.Element, from: number, isFirst = false): number {
    if (element.type === 'Quantifier') return this.#quantifier(element, from);
    if (element.type === 'Group' || element.type === 'CapturingGroup')
      return this.#alternatives(element.alternatives, from, isFirst);
    const to = this.#state();
    if (element.type !== 'Assertion') {
      this.#take(from, to, this.#signsOf(element));
      return to;
    }
    // What must be before the place where the search begins is the last sign that the search has passed over.
    const before = isFirst ? this.#signsBefore(element) : undefined;
    if (before !== undefined) {
      if (before.size > 0) this.#take(this.#before, to, before);
      return to;
    }
    this.#free(from, to, true);
    if (element.kind === 'lookahead') this.#alternatives(element.alternatives, from);
    // It is looked for backwards: a `$` at its end is tried first, and found in one place.
    if (
      element.kind === 'lookbehind' &&
      /[*+]|,\}/.test(element.raw) &&
      !element.raw.endsWith('$)')
    )
      this.#lookbehind = element.raw;
    return to;
  }

  /** Signs of which one must be before; none at the start of the text. Undefined for what says more than that. */
  #signsBefore(element: AST.Assertion): Set<string> | undefined {
    if (element.kind === 'start')
      return new Set(this.#flags.includes('m') ? this.#signs.filter((sign) => sign === '\n') : []);
    if (element.kind !== 'lookbehind') return undefined;
    const [only, ...others] = element.alternatives.map(({ elements }) => elements);
    const [sign, ...more] = only ?? [];
    if (sign === undefined || others.length + more.length > 0) return undefined;
    if (sign.type !== 'Character' && !sign.type.startsWith('Character')) return undefined;
    const taken = this.#signsOf(sign);
    return element.negate ? new Set(this.#signs.filter((one) => !taken.has(one))) : taken;
  }

  #quantifier({ min, max, element }: AST.Quantifier, from: number): number {
    let at = from;
    for (let copy = 0; copy < Math.min(min, MOST_COPIES); copy++) at = this.#element(element, at);
    const end = this.#state();
    if (max === Infinity) {
      const loop = this.#state();
      this.#free(at, loop);
      this.#free(this.#element(element, loop), loop);
      this.#free(loop, end);
      return end;
    }
    this.#free(at, end);
    for (let copy = min; copy < Math.min(max, min + MOST_COPIES); copy++) {
      at = this.#element(element, at);
      this.#free(at, end);
    }
    return end;
  }

  #signsOf(element: AST.Element): Set<string> {
    const all = this.#sets.get(element.raw) ?? new Set(this.#signs);
    if (element.type === 'Backreference' || this.#sets.has(element.raw)) return all;
    const one = new RegExp(`^(?:${element.raw})$`, this.#flags);
    const found = new Set(this.#signs.filter((sign) => one.test(sign)));
    this.#sets.set(element.raw, found);
    return found;
  }
}

/** Where a sign of each kind leads, by state. */
type Moves = Map<number, ReadonlyMap<string, readonly number[]>>;

/** States that are reached by one sign or more. */
function reachable(from: Iterable<number>, moves: Moves): Set<number> {
  const found = new Set<number>();
  const queue = [...from];
  for (const at of queue)
    for (const landings of moves.get(at)?.values() ?? [])
      for (const to of landings) {
        if (found.has(to)) continue;
        found.add(to);
        queue.push(to);
      }
  return found;
}

/** Those of `from` from which `to` is reached. */
function within(to: number, from: ReadonlySet<number>, moves: Moves): Set<number> {
  const found = new Set([to]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const at of from)
      if (
        Array.from(moves.get(at)?.values() ?? []).some((all) => all.some((one) => found.has(one)))
      )
        found.add(at);
  }
  return found;
}
