/** What shares room, by the names of those it is of: the widest first. */
interface Shared {
  path: readonly string[];
}

/**
 * Who leaves when all places are taken: the newest of whoever has most, level by level, when that is more than the newcomer would have with
 * its place. Null: the newcomer itself. Looks at all that wait once a level.
 */
export function findLeaver<Item extends Shared>(
  waiting: ReadonlyMap<string, Item>,
  newcomer: Item,
): string | null {
  let within = [...waiting];
  for (const [level, own] of newcomer.path.entries()) {
    const parts = partsOf(within, level);
    const most = largestOf(parts);
    const ownPart = parts.get(own) ?? [];
    if (most.length > ownPart.length + 1) return newestOfMost(most, level + 1);
    within = ownPart;
  }
  return null;
}

function newestOfMost<Item extends Shared>(entries: [string, Item][], level: number): string | null {
  const isParted = entries.some(([, { path }]) => path.length > level);
  if (!isParted) return entries.at(-1)?.[0] ?? null;
  return newestOfMost(largestOf(partsOf(entries, level)), level + 1);
}

function partsOf<Item extends Shared>(
  entries: [string, Item][],
  level: number,
): Map<string, [string, Item][]> {
  const parts = new Map<string, [string, Item][]>();
  for (const entry of entries) {
    const name = entry[1].path[level] ?? '';
    const part = parts.get(name);
    if (part) part.push(entry);
    else parts.set(name, [entry]);
  }
  return parts;
}

/** Of equals the one that came last. */
function largestOf<Entry>(parts: Map<string, Entry[]>): Entry[] {
  let largest: Entry[] = [];
  for (const part of parts.values()) if (part.length >= largest.length) largest = part;
  return largest;
}
