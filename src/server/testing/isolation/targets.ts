import type { Deps } from '#server/deps.ts';
import type { Operation, Target } from './operations.ts';
import { readsOf } from './reads-of.ts';
import { type CallerName, type Made, makeTarget, type Tenants, unknownIds } from './world.ts';

type Needs = Pick<Operation, 'before' | 'endsSession' | 'usesUp' | 'input'>;

/** What operations are tried on. Making it takes longer than to call them, so each has its own only where it must. */
export class Targets {
  /** How many there are. */
  made = 0;
  readonly #deps: Deps;
  readonly #tenants: Tenants;
  /** By what must be so before the call. */
  readonly #untouched = new Map<Operation['before'], Promise<Made>>();
  readonly #workedOn = new Map<Operation['before'], Promise<Made>>();

  constructor(deps: Deps, tenants: Tenants) {
    this.#deps = deps;
    this.#tenants = tenants;
  }

  /** For those of these who may not change it, or only look: each test sees to it that nothing of it was changed. */
  untouched(operation: Needs, callers?: readonly CallerName[]): Promise<Made> {
    return operation.endsSession ? this.#lean(operation, callers) : this.#shared(this.#untouched, operation);
  }

  /** For those who may change it. */
  forChange(operation: Needs, callers?: readonly CallerName[]): Promise<Made> {
    const isOwn = operation.usesUp || operation.endsSession;
    return isOwn ? this.#lean(operation, callers) : this.#shared(this.#workedOn, operation);
  }

  /** The same, with all that any operation could name. */
  whole(operation: Needs, callers: readonly CallerName[]): Promise<Made> {
    const isOwn = operation.usesUp || operation.endsSession;
    return isOwn ? this.fresh(operation, callers) : this.#shared(this.#workedOn, operation);
  }

  /** With all that any operation could name. */
  fresh(operation: Pick<Needs, 'before' | 'endsSession'>, callers?: readonly CallerName[]): Promise<Made> {
    this.made += 1;
    return makeTarget(this.#deps, this.#tenants, operation, callers);
  }

  #lean(operation: Needs, callers?: readonly CallerName[]): Promise<Made> {
    this.made += 1;
    const needs = { ...operation, reads: readsOf(operation, anyTarget) };
    return makeTarget(this.#deps, this.#tenants, needs, callers);
  }

  #shared(known: Map<Operation['before'], Promise<Made>>, operation: Needs): Promise<Made> {
    const there = known.get(operation.before);
    if (there) return there;
    const made = this.fresh(operation);
    known.set(operation.before, made);
    // One that could not be made fails its own test alone.
    made.catch(() => known.delete(operation.before));
    return made;
  }
}

const anyTarget: Target = { ...unknownIds, documentId: '', email: '', password: '' };
