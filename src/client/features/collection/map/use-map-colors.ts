import { useMemo } from 'react';
import type { Collection } from '#shared/collections.ts';
import type { DocumentMap, MapValue } from '#shared/document-map.ts';
import { colorless } from './map-state.ts';
import { colorPoints, type PointColors } from './point-colors.ts';
import { useColorFields, useMapValues } from './use-document-map.ts';

export interface MapColors {
  fields: string[];
  /** The one that colors; empty: none. */
  field: string;
  /** By point. */
  values: MapValue[];
  isDate: boolean;
  colors: PointColors;
}

/** What the points are colored by: the field in the address, or the one that parts them best. */
export function useMapColors({
  collection,
  map,
  wanted,
  again,
}: {
  collection: Collection;
  map: DocumentMap;
  wanted: string;
  again: number;
}): MapColors {
  const known = useColorFields(collection).data ?? { fields: [], best: '' };
  // An address may name a field that is gone.
  const asked = known.fields.includes(wanted) ? wanted : known.best;
  const field = wanted === colorless ? '' : asked;
  const values = useMapValues(collection, field, again).data;
  return useMemo(() => {
    const isPlain = field === '' || values === undefined;
    const own = map.ids.map((id) => (isPlain ? null : (values.valueOf.get(id) ?? null)));
    const isDate = values?.isDate ?? false;
    return {
      fields: known.fields,
      field,
      values: own,
      isDate,
      colors: colorPoints(own, { isPlain, isDate }),
    };
  }, [known.fields, field, values, map]);
}
