import { limits } from '#shared/limits.ts';

/** What a JSON body may have. */
export interface BodyLimits {
  bytesMax: number;
  /** Items and members at every level together. */
  valuesMax: number;
}

export const bodyLimits = {
  /** From somebody who is not known yet. */
  anonymous: { bytesMax: limits.anonymousBodyBytesMax, valuesMax: limits.otherValuesMax },
  document: { bytesMax: limits.jsonBodyBytesMax, valuesMax: limits.jsonValuesMax },
  search: { bytesMax: limits.searchBodyBytesMax, valuesMax: limits.searchValuesMax },
  multiSearch: { bytesMax: limits.multiSearchBodyBytesMax, valuesMax: limits.multiSearchValuesMax },
  other: { bytesMax: limits.otherBodyBytesMax, valuesMax: limits.otherValuesMax },
} satisfies Record<string, BodyLimits>;
