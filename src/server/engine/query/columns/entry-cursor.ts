import type { EntryList } from './entry-list.ts';

/** Goes through the values of documents in ascending order: each is found near the one before, as fast as it is near, and any other one by binary search. */
export class EntryCursor {
  readonly list: EntryList;
  #ordinal = 0;
  /** The place of the document's first value, and the one behind its last. */
  start = 0;
  end = 0;

  constructor(list: EntryList) {
    this.list = list;
  }

  moveTo(ordinal: number): void {
    const { list } = this;
    this.start = ordinal < this.#ordinal ? list.start(ordinal) : list.startFrom(ordinal, this.start);
    this.end = this.start;
    while (list.isOf(ordinal, this.end)) this.end += 1;
    this.#ordinal = ordinal;
  }
}
