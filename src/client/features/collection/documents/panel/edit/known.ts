import type { JsonValue } from '#shared/documents.ts';

export type Fields = Record<string, JsonValue>;

/** A document as it was stored at some moment. */
export interface Known {
  version: number;
  document: Fields;
}

/** A document as it stands now, asked again whenever somebody changes it. */
export interface Current {
  data: Known | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}
