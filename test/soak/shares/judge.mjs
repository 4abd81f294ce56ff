// How two campaigns shared the slots of one service: by the service's ledger alone.

/** By how much a campaign's calls may differ from its share of them, as a part of that share. */
const TOLERANCE = 0.05;
/**
 * What the campaign which is left has at least in progress on average while it has people, as a part of what both had
 * together: a slot is free only once callsheet has seen that its call is over, so some are never in use at the service.
 */
const USED = 0.9;

/**
 * @param found `ledger` of the service, `campaigns` (each with `name`, `weight` and `phones`), `maxCalls`, and `calls`:
 *   how many calls are counted from when both have begun
 * @returns `violations` as sentences, `shares` (each campaign's part of the counted calls), `peak`, and the
 *   average of calls in progress, while both had people (`together`) and while one was left (`alone`; null: never)
 */
export function judgeShares({ ledger, campaigns, maxCalls, calls }) {
  const owner = new Map(
    campaigns.flatMap(({ name, phones }) => phones.map((phone) => [phone, name])),
  );
  const rings = ledger.numbers
    .flatMap(({ phone_number: phone, rings: all }) =>
      all.map(({ rang_at, ended_at }) => ({
        ...{ phone, name: owner.get(phone) },
        ...{ from: Date.parse(rang_at), to: Date.parse(ended_at) },
      })),
    )
    .sort((one, other) => one.from - other.from);
  const of = (name) => rings.filter((ring) => ring.name === name);
  const spans = campaigns.map(({ name }) => {
    const own = of(name);
    return { name, from: own[0]?.from ?? Infinity, to: own.at(-1)?.from ?? -Infinity };
  });
  const bothFrom = Math.max(...spans.map(({ from }) => from));
  const bothTo = Math.min(...spans.map(({ to }) => to));
  const counted = rings.filter(({ from }) => from >= bothFrom && from <= bothTo).slice(0, calls);
  const sum = campaigns.reduce((all, { weight }) => all + weight, 0);
  const shares = campaigns.map(({ name, weight }) => {
    const own = counted.filter((ring) => ring.name === name).length;
    return { name, calls: own, due: (counted.length * weight) / sum };
  });
  const peak = mostAtOnce(rings);
  const together = average(rings, bothFrom, bothTo);
  const alone = averageAlone(rings, spans);
  const violations = [
    ...campaigns.flatMap(({ name, phones }) => missed(name, phones, of(name))),
    ...(counted.length === calls
      ? []
      : [`both had people for ${counted.length} calls only, ${calls} are counted`]),
    ...shares
      .filter(({ calls: own, due }) => Math.abs(own - due) > TOLERANCE * due)
      .map(
        ({ name, calls: own, due }) =>
          `${name} had ${own} of ${counted.length} calls, ${due} are its share`,
      ),
    ...(peak > maxCalls ? [`${peak} calls at once, ${maxCalls} are allowed`] : []),
    ...(alone !== null && alone >= USED * together
      ? []
      : [
          `the last campaign had ${alone ?? 0} calls at once on average, both together ${together}`,
        ]),
  ];
  return { violations, shares, peak, together, alone };
}

function missed(name, phones, rings) {
  const times = new Map();
  for (const { phone } of rings) times.set(phone, (times.get(phone) ?? 0) + 1);
  const wrong = phones.filter((phone) => times.get(phone) !== 1).length;
  return wrong === 0 ? [] : [`${wrong} people of ${name} were not called exactly once`];
}

/** A call that ends in the moment in which another one begins is over. */
function mostAtOnce(rings) {
  const moves = rings.flatMap(({ from, to }) => [
    [from, 1],
    [to, -1],
  ]);
  moves.sort(([one, oneBy], [other, otherBy]) => one - other || oneBy - otherBy);
  let [now, most] = [0, 0];
  for (const [, by] of moves) most = Math.max(most, (now += by));
  return most;
}

/** From when the other campaign's last call was over until the last call of all begins. */
function averageAlone(rings, spans) {
  const [first, last] = [...spans].sort((one, other) => one.to - other.to);
  const ends = rings.filter(({ name }) => name === first.name).map(({ to }) => to);
  const from = Math.max(...ends);
  return last.to > from ? average(rings, from, last.to) : null;
}

/** @returns how many calls were in progress on average, to one decimal */
function average(rings, from, to) {
  const inside = rings.map((ring) => Math.min(ring.to, to) - Math.max(ring.from, from));
  const held = inside.reduce((all, ms) => all + Math.max(0, ms), 0);
  return Math.round((held / (to - from)) * 10) / 10;
}
