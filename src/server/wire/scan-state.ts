/** What a scanner of JSON reads, or waits for. */
export type State =
  | 'value'
  | 'first item'
  | 'first key'
  | 'key'
  | 'colon'
  /** Behind a value. */
  | 'end'
  | 'string'
  | 'escape'
  | 'hex'
  | 'word'
  | 'number';

/** What would be right where this state finds something else. */
export function wantedIn(state: State, isInObject: boolean): string {
  if (state === 'colon') return '":"';
  if (state === 'key' || state === 'first key') return 'a field name in double quotes';
  if (state !== 'end') return 'a value';
  return isInObject ? '"," or "}"' : '"," or "]"';
}

/** `place`: bytes before it, a byte order mark not counted. */
export interface ScanFault {
  /** `expected`: something else is there. `limit`: it may be JSON, but not that much of it. */
  kind: 'expected' | 'syntax' | 'limit';
  what: string;
  place: number;
}
