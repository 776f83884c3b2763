import { useMemo, useState } from 'react';
import type { Collection } from '#shared/collections.ts';
import type { DocumentMap } from '#shared/document-map.ts';
import type { PointColors } from './point-colors.ts';
import { useLitDocuments } from './use-lit-documents.ts';

/** What a search has found, of which some may not be on the map. */
export interface Hits {
  points: ReadonlySet<number>;
  found: number;
  /** Null: it did not fail. */
  error: unknown;
}

const none: ReadonlySet<number> = new Set();

interface SelectionScope {
  collection: Collection;
  map: DocumentMap;
  colors: PointColors;
  /** What is searched for on the map. */
  words: string;
}

/** Which points stand out: those that are selected, else those that a search has found. */
export function useMapSelection({ collection, map, colors, words }: SelectionScope) {
  const [selected, setSelected] = useState(none);
  /** The colors whose entry is selected: with other colors it is no entry's any more. */
  const [chosen, setChosen] = useState<{ colors: PointColors; entry: number } | null>(null);
  const hits = useHits(collection, map, words);
  const select = (points: Iterable<number>) => {
    setSelected(new Set(points));
    setChosen(null);
  };
  return {
    selected,
    points: useMemo(() => [...selected], [selected]),
    hits,
    lit: selected.size > 0 ? selected : (hits?.points ?? null),
    entry: chosen?.colors === colors ? chosen.entry : null,
    select,
    selectHits: () => select(hits?.points ?? none),
    selectEntry: (entry: number | null) => {
      select(map.ids.flatMap((_, point) => (colors.entryOf[point] === entry ? [point] : [])));
      if (entry !== null) setChosen({ colors, entry });
    },
    toggle: (point: number) => {
      const others = new Set(selected);
      if (!others.delete(point)) others.add(point);
      select(others);
    },
    clear: () => select(none),
  };
}

/** Null: nothing is searched for. */
function useHits(collection: Collection, map: DocumentMap, words: string): Hits | null {
  const { data, error } = useLitDocuments(collection, words);
  return useMemo(() => {
    if (words.trim() === '' || (data === undefined && error === null)) return null;
    const pointOf = new Map(map.ids.map((id, point) => [id, point]));
    const points = new Set((data ?? []).flatMap((id) => pointOf.get(id) ?? []));
    return { points, found: data?.length ?? 0, error };
  }, [data, error, words, map]);
}
