import { violatedUnique } from '#server/db/violated-unique.ts';
import { AppError } from '#server/errors.ts';

/** What a statement that gives a collection its name answers. @throws AppError CONFLICT when another collection of the project bears it */
export async function unlessNameTaken<T>(name: string, statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (violatedUnique(error) === null) throw error;
    throw new AppError('CONFLICT', `A collection named "${name}" already exists in this project`, {
      details: [{ path: 'name', message: 'is already taken in this project' }],
    });
  }
}
