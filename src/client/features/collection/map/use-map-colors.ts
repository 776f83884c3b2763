import { useMemo } from 'react';
import type { Collection } from '#shared/collections.ts';
import type { DocumentMap, MapValue } from '#shared/document-map.ts';
import { colorless } from './map-state.ts';
import { colorPoints, type PointColors } from './point-colors.ts';
import { type MapPart, useColorFields, useMapValues } from './use-document-map.ts';

export interface MapColors {
  fields: string[];
  /** The one that is to color; empty: none. */
  field: string;
  /** The one that does, until the values of the other are there; empty: none. */
  shownField: string;
  /** Why there are no colors; null: nothing failed. */
  error: unknown;
  /** By point. */
  values: MapValue[];
  isDate: boolean;
  colors: PointColors;
}

const nothingKnown = { fields: [], best: '' };

/** What the points are colored by: the field in the address, or the one that parts them best. */
export function useMapColors({
  collection,
  map,
  wanted,
  part,
}: {
  collection: Collection;
  map: DocumentMap;
  wanted: string;
  part: MapPart;
}): MapColors {
  const fields = useColorFields(collection);
  const known = fields.data ?? nothingKnown;
  // An address may name a field that is gone.
  const there = known.fields.includes(wanted) ? wanted : known.best;
  const field = wanted === colorless ? '' : there;
  const asked = useMapValues(collection, field, part);
  const values = field === '' ? undefined : asked.data;
  const error = fields.error ?? asked.error;
  return useMemo(() => {
    const isPlain = values === undefined;
    const own = map.ids.map((id) => values?.valueOf.get(id) ?? null);
    const isDate = values?.isDate ?? false;
    return {
      fields: known.fields,
      field,
      shownField: values?.field ?? '',
      error,
      values: own,
      isDate,
      colors: colorPoints(own, { isPlain, isDate }),
    };
  }, [known.fields, field, values, error, map]);
}
