import { createRation } from '#server/admission/ration.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';

/** Accounts that may ask as often as they can in the same minute. */
const accounts = 10;
const retryAfterSeconds = 15;

/**
 * How often the models of others are asked, which cost whoever runs the server: so often a minute of an account, and ten times that in all. The
 * function answered throws AppError TOO_MANY_REQUESTS.
 */
export function createModelRation(
  { modelRequestsPerMinute: perTenant }: Pick<Settings, 'modelRequestsPerMinute'>,
  clock: () => Date,
): (requester: Requester) => void {
  const perMinute = accounts * perTenant;
  const take = createRation({ perMinute, perTenant, keptForOthers: perMinute / 2 }, clock);
  return ({ tenant }) => {
    if (take(tenant)) return;
    throw new AppError(
      'TOO_MANY_REQUESTS',
      `Your account, or all together, have asked this model too often in the last minute; try again in ${retryAfterSeconds} s, or ask "vector-ai"`,
      { retryAfterSeconds },
    );
  };
}
