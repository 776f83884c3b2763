import type { WriteOptions } from '#server/db/client.ts';
import type { WriteBatch } from '#server/engine/types.ts';
import type { AskedIndex } from './asked-index.ts';

/** What a change came to: the caller's answer, and the versions it committed, in their order. */
export interface Change<T> {
  answer: T;
  batches: WriteBatch[];
}

export interface ChangeOptions extends WriteOptions {
  /** Told why it failed within its turn, before the next one's begins. */
  onFailed?: (error: unknown) => void;
  /** An index that is not open stays so and gets the change when it is opened: nobody else's leaves the memory for it. */
  isOnlyIfOpen?: boolean;
}

export type ChangeTask<T> = (index: AskedIndex | null) => Promise<Change<T>>;

/** What a change needs of an index. */
export interface Need {
  /** Memory for more. */
  adds: boolean;
  isOnlyIfOpen: boolean;
}
