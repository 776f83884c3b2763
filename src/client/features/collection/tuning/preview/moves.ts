/** What becomes of the first hits: `shown` of them are looked at, what is answered behind them tells where others have gone. */
export interface Moves {
  /** In the order before. `now`: the place from 1, null where it is not among those that were answered. */
  before: { id: string; now: number | null }[];
  /** In the order after. */
  after: { id: string; was: number | null }[];
  /** Among those shown: how many stand elsewhere, have come, and have gone from there. */
  moved: number;
  come: number;
  gone: number;
}

/** Ids in the order of two answers to one query; a document is in each once. */
export function movesOf(before: string[], after: string[], shown: number): Moves {
  const places = (ids: string[]) => new Map(ids.map((id, i) => [id, i + 1]));
  const [was, now] = [places(before), places(after)];
  const isShown = (place: number | null | undefined) => place != null && place <= shown;
  const rowsBefore = before.slice(0, shown).map((id) => ({ id, now: now.get(id) ?? null }));
  const rowsAfter = after.slice(0, shown).map((id) => ({ id, was: was.get(id) ?? null }));
  return {
    before: rowsBefore,
    after: rowsAfter,
    moved: rowsAfter.filter((row, i) => isShown(row.was) && row.was !== i + 1).length,
    come: rowsAfter.filter((row) => !isShown(row.was)).length,
    gone: rowsBefore.filter((row) => !isShown(row.now)).length,
  };
}

/** In one sentence, for everybody. */
export function movesSentence({ moved, come, gone }: Moves, shown: number): string {
  const parts = [moved > 0 && `${moved} moved`, come > 0 && `${come} new`, gone > 0 && `${gone} gone`].filter(
    (part) => part !== false,
  );
  return parts.length === 0 ? 'These hits stay as they are' : `Of the first ${shown}: ${parts.join(', ')}`;
}
