import { lettersOf, TypoMatcher } from '../../lexical/typos.ts';

/** Letters of a name that are compared. */
const comparedMax = 64;

interface Nearness {
  /** Typos, by the length of the name. */
  most: (length: number) => number;
  /** Whether one name is part of the other, which says better than letters which one is meant. Both are in lower case. */
  isPart: (name: string, known: string) => boolean;
}

/**
 * The known name that was probably meant: names are compared as the words of a query are, by typos, whatever their case; of long ones the beginning. Of
 * equally near ones the first; null: none is near. Cost: the known names times their length.
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  { most, isPart }: Nearness,
): string | null {
  const wanted = folded(name);
  const typosMax = most(wanted.length);
  const matcher = new TypoMatcher(wanted, typosMax);
  let nearest: string | null = null;
  let least = typosMax + 1;
  for (const each of known) {
    const own = folded(each);
    const distance = isPart(wanted, own) ? 0.5 : matcher.distanceTo(lettersOf(own));
    if (distance >= least) continue;
    nearest = each;
    least = distance;
  }
  return nearest;
}

function folded(name: string): string {
  return name.slice(0, comparedMax).toLowerCase();
}
