import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import type { DocumentMap, MapValue } from '#shared/document-map.ts';
import { learnColorFields } from './color-fields.ts';
import type { PackedRows } from './projection/unpack-rows.ts';

/** Under no router's name: what is written meanwhile must not draw another map under the reader's eyes. */
const keyPrefix = ['map'];

/** Which documents a map is of. */
export interface MapPart {
  /** Empty: all. */
  filter: string;
  /** Another number asks anew. */
  again: number;
}

/** A map's documents and vectors. */
export function useDocumentMap({ id }: Collection, { filter, again }: MapPart): UseQueryResult<DocumentMap> {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: [keyPrefix, 'documents', id, filter, again],
    queryFn: ({ signal }) => client.documents.map.query({ collection: id, ...filterBy(filter) }, { signal }),
  });
}

/** The rows as the thread takes them. */
export function usePackedRows(map: DocumentMap | undefined, { metric }: Collection): PackedRows | null {
  return useMemo(() => {
    if (map === undefined) return null;
    return {
      rows: new Int8Array(bytesOf(map.rows)),
      scales: new Float32Array(bytesOf(map.scales)),
      components: map.components,
      isNormalized: metric !== 'euclidean',
    };
  }, [map, metric]);
}

/** Fields that points can be colored by, and the one that parts them best. */
export function useColorFields({ id, isActive }: Collection) {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: [keyPrefix, 'fields', id],
    queryFn: ({ signal }) => learnColorFields(client, { collection: id, isActive }, signal),
  });
}

/** What the documents of a map have in a field; no field: nothing is asked. */
export function useMapValues({ id }: Collection, field: string, { filter, again }: MapPart) {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: [keyPrefix, 'values', id, field, filter, again],
    queryFn: async ({ signal }) => {
      const asked = { collection: id, color_by: field, with_vectors: false, ...filterBy(filter) };
      const { ids, values, isDate } = await client.documents.map.query(asked, { signal });
      return {
        field,
        valueOf: new Map(ids.map((one, i): [string, MapValue] => [one, values[i] ?? null])),
        isDate,
      };
    },
    enabled: field !== '',
    placeholderData: (before) => before,
  });
}

function filterBy(filter: string): { filter_by?: string } {
  return filter.trim() === '' ? {} : { filter_by: filter.trim() };
}

function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
}
