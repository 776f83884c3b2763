import type { IconShape } from '#client/components/display/icon.tsx';

/** Something that the palette leads to or does. */
export interface Entry {
  key: string;
  kind: 'Page' | 'Action' | 'Project' | 'Collection' | 'API key' | 'Document';
  label: string;
  /** Where it lies. */
  detail?: string;
  icon: IconShape;
  run: () => void;
}

const shownMax = 24;

/** The ones that fit what is typed, the best first: whole names, their beginnings, initials, words, parts. */
export function rankEntries(entries: Entry[], query: string): Entry[] {
  const typed = query.trim().toLowerCase();
  if (typed === '') return entries.filter(({ kind }) => kind === 'Page' || kind === 'Action');
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry.label.toLowerCase(), typed);
      return rank === null ? [] : [{ entry, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, shownMax)
    .map(({ entry }) => entry);
}

/** Smaller is better; null: it does not fit. */
function rankOf(label: string, typed: string): number | null {
  const words = label.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const initials = words.map((word) => word[0]).join('');
  if (label === typed) return 0;
  if (label.startsWith(typed)) return 1;
  if (typed.length > 1 && initials.startsWith(typed)) return 2;
  const parts = typed.split(/\s+/);
  if (parts.every((part) => words.some((word) => word.startsWith(part)))) return 3;
  return parts.every((part) => label.includes(part)) ? 4 : null;
}
