import type { MadeNoun, Operation, Target } from './operations.ts';

/** What of a target an operation's call names. */
export interface Reads {
  fields: ReadonlySet<string>;
  made: ReadonlySet<MadeNoun>;
}

/** Found by asking the operation. `target`: any. */
export function readsOf({ input }: Pick<Operation, 'input'>, target: Target): Reads {
  const fields = new Set<string>();
  const nouns = new Set<MadeNoun>();
  const noting = <T extends object>(of: T, note: (name: string) => void) =>
    new Proxy(of, {
      get(object, name) {
        note(String(name));
        return Reflect.get(object, name);
      },
    });
  const made = noting(target.made, (name) => void nouns.add(name as MadeNoun));
  input(
    noting({ ...target, made }, (name) => void fields.add(name)),
    0,
  );
  return { fields, made: nouns };
}
