import { RecentMap } from '#server/memory/recent-map.ts';

/**
 * Which statements are sent as prepared ones, by their text. Each costs memory in every connection of the database for as long as the
 * connection lives, so only texts that come again are, and not more than a server of this size has; a text made for one list of values
 * does not come again.
 */
export interface PreparedTexts {
  shouldPrepare(text: string): boolean;
}

const preparedMax = 250;
const usesBefore = 2;
/** Texts whose uses are counted; the one seen longest ago is forgotten first. */
const countedMax = 500;
const textCharactersMax = 4_000;

export function createPreparedTexts(): PreparedTexts {
  const prepared = new Set<string>();
  const uses = new RecentMap<number>({ entriesMax: countedMax });

  return {
    shouldPrepare(text) {
      if (prepared.has(text)) return true;
      if (prepared.size >= preparedMax || text.length > textCharactersMax) return false;
      const before = uses.peek(text) ?? 0;
      if (before < usesBefore) {
        uses.set(text, before + 1);
        return false;
      }
      uses.delete(text);
      prepared.add(text);
      return true;
    },
  };
}
