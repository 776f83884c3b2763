import { violatedUnique } from '#server/db/violated-unique.ts';
import { AppError } from '#server/errors.ts';

/** What the record's trigger says of a name that an alias bears. */
const aliasTaken = 'aliases_name';

/** What a statement that gives a name in a project answers. @throws AppError CONFLICT when a collection or an alias of the project bears it */
export async function unlessNameTaken<T>(name: string, statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const violated = violatedUnique(error);
    if (violated === null) throw error;
    const bearer = violated === aliasTaken ? 'An alias' : 'A collection';
    throw new AppError('CONFLICT', `${bearer} named "${name}" already exists in this project`, {
      details: [{ path: 'name', message: 'is already taken in this project' }],
    });
  }
}
