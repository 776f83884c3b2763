/** What a reader of JSON reads, or waits for. */
export type State =
  | 'value'
  | 'first item'
  | 'first key'
  | 'key'
  | 'colon'
  /** Behind a value. */
  | 'end'
  | 'string'
  | 'word'
  | 'number';

/** What would be right where this state finds something else. */
export function wantedIn(state: State, isInObject: boolean): string {
  if (state === 'colon') return '":"';
  if (state === 'key' || state === 'first key') return 'a field name in double quotes';
  if (state !== 'end') return 'a value';
  return isInObject ? '"," or "}"' : '"," or "]"';
}

export interface ReadFault {
  /** `limit`: it may be JSON, but not that much of it. */
  kind: 'syntax' | 'limit';
  what: string;
  /** Characters before it. */
  position: number;
  /** From 1. */
  line: number;
  column: number;
}
