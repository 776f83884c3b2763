import { addressGroup } from '#server/admission/address.ts';
import { AppError } from '#server/errors.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { Visitor } from '../visitor.ts';

/** See `Auth.tryLink`. What nobody could look up counts as none that was made up. */
export async function tryLink<T>(
  { unknownLinks, lookUps }: Pick<AuthParts, 'unknownLinks' | 'lookUps'>,
  from: Visitor,
  ask: () => Promise<T>,
): Promise<T> {
  const tried = unknownLinks.take(addressGroup(from.address));
  try {
    const found = await lookUps(from, ask);
    tried.giveBack();
    return found;
  } catch (error) {
    const isMadeUp = error instanceof AppError && error.code === 'NOT_FOUND';
    if (!isMadeUp) tried.giveBack();
    throw error;
  }
}
