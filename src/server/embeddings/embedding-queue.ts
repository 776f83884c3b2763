import { FairQueue } from '#server/admission/fair-queue.ts';
import { pathOf } from '#server/admission/requester.ts';
import type { EmbeddingTask, EmbeddingText } from './embedder.ts';

/** Documents that wait for their vectors. */
export interface EmbeddingJob {
  task: EmbeddingTask;
  /** The first text that is not in work yet. */
  next: number;
}

/** Texts that go to the thread at once. */
export interface JobSlice<Job> {
  job: Job;
  start: number;
  texts: EmbeddingText[];
}

/** Jobs that wait: all other memory of theirs is bounded by what admits requests and imports. */
const jobsMax = 1_024;
const jobsPerTenantMax = 256;
/** Some ten milliseconds of work, so that a small write is not held up by a large import. */
const sliceTextsMax = 32;
const sliceCharactersMax = 32_768;
/** What a text takes beside its characters, in characters. */
const textCharacters = 256;
const bulkWeight = 1 / 4;
/** Characters that a tenant owes at most for what was embedded while nobody else waited: a quarter of a second. */
const debtMax = 1 << 20;

/**
 * Jobs take turns slice by slice: tenants by the characters they had embedded, and so do a tenant's callers. What is embedded in bulk counts four
 * times. A single text is no more than a slice.
 */
export class EmbeddingQueue<Job extends EmbeddingJob> {
  readonly #queue = new FairQueue<Job>(placeOf, debtMax);
  readonly #jobsOf = new Map<string, number>();

  get size(): number {
    return this.#queue.size;
  }

  /** @returns false: too many wait, of all or of its tenant */
  add(job: Job): boolean {
    const { tenant } = job.task.for;
    const ofTenant = this.#jobsOf.get(tenant) ?? 0;
    if (this.#queue.size >= jobsMax || ofTenant >= jobsPerTenantMax) return false;
    this.#jobsOf.set(tenant, ofTenant + 1);
    this.#queue.add(job);
    return true;
  }

  remove(job: Job): void {
    if (this.#queue.remove(job)) this.#removed(job);
  }

  /** Null: none waits. The job goes on waiting while it has more. */
  takeSlice(): JobSlice<Job> | null {
    const job = this.#queue.takeNext();
    if (job === null) return null;
    const start = job.next;
    const { texts, characters } = sliceFrom(job.task.texts, start);
    job.next += texts.length;
    if (job.next < job.task.texts.length) this.#queue.add(job);
    else this.#removed(job);
    this.#queue.charge(job, characters);
    return { job, start, texts };
  }

  takeAll(): Job[] {
    this.#jobsOf.clear();
    return this.#queue.takeAll();
  }

  #removed({ task }: Job): void {
    const left = (this.#jobsOf.get(task.for.tenant) ?? 0) - 1;
    if (left > 0) this.#jobsOf.set(task.for.tenant, left);
    else this.#jobsOf.delete(task.for.tenant);
  }
}

export const isBulk = ({ texts }: EmbeddingTask): boolean => texts.length > 1;

function placeOf({ task }: EmbeddingJob) {
  const { caller } = task.for;
  return isBulk(task)
    ? { path: pathOf(task.for, `bulk ${caller}`), weight: bulkWeight }
    : { path: pathOf(task.for, `single ${caller}`), weight: 1 };
}

/** At least one text. */
function sliceFrom(all: EmbeddingText[], start: number): { texts: EmbeddingText[]; characters: number } {
  const texts: EmbeddingText[] = [];
  let characters = 0;
  for (let i = start; i < all.length && texts.length < sliceTextsMax; i += 1) {
    const text = all[i];
    if (text === undefined) break;
    const own = text.title.length + text.text.length + textCharacters;
    if (texts.length > 0 && characters + own > sliceCharactersMax) break;
    texts.push(text);
    characters += own;
  }
  return { texts, characters };
}
