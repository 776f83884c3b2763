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
  const uses = new Map<string, number>();

  return {
    shouldPrepare(text) {
      if (prepared.has(text)) return true;
      if (prepared.size >= preparedMax || text.length > textCharactersMax) return false;
      const before = uses.get(text) ?? 0;
      uses.delete(text);
      if (before >= usesBefore) {
        prepared.add(text);
        return true;
      }
      uses.set(text, before + 1);
      const [oldest] = uses.keys();
      if (uses.size > countedMax && oldest !== undefined) uses.delete(oldest);
      return false;
    },
  };
}
