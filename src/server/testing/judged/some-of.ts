import type { RandomNumbers } from '#server/random-numbers.ts';

/** So many of them, each once, in no order; all where there are fewer. */
export function someOf<Item>(items: readonly Item[], count: number, random: RandomNumbers): Item[] {
  const rest = [...items];
  const picked: Item[] = [];
  while (picked.length < count && rest.length > 0) {
    const place = random.between(0, rest.length - 1);
    picked.push(...rest.slice(place, place + 1));
    const last = rest.pop();
    if (last !== undefined && place < rest.length) rest[place] = last;
  }
  return picked;
}
