import type { Match, TypedText } from './match-completion.ts';
import type { Completion } from './popular-queries.ts';

interface Looking {
  /** Without so many that match exactly, those that match with typos are looked for too. */
  enough: number;
  /** Waited for where there is much to compare. */
  turn: () => Promise<void>;
}

/** Work on the thread after which others have their turn. A thousand long queries that are all nearly right take some tens of milliseconds. */
const longMs = 2;

/** Texts that complete what is typed: without typos first, then those that begin with it, then in their order. */
export async function matchingCompletions(
  completions: Completion[],
  typed: TypedText,
  { enough, turn }: Looking,
): Promise<(Match & { text: string })[]> {
  const found: (Match & { text: string })[] = [];
  let since = performance.now();
  const look = async (withTypos: boolean) => {
    for (const completion of completions) {
      const match = typed.match(completion, { withTypos });
      if (match && (!withTypos || match.typos > 0)) found.push({ ...match, text: completion.text });
      if (performance.now() - since < longMs) continue;
      await turn();
      since = performance.now();
    }
  };
  await look(false);
  if (found.length < enough) await look(true);
  return found.sort((a, b) => a.typos - b.typos || Number(b.isLeading) - Number(a.isLeading));
}
