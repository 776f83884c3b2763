import { LeasedRateLimit } from '#server/admission/leased-rate-limit.ts';
import { takeOrReject } from '#server/admission/rate-limit.ts';
import type { Leasing } from '#server/admission/rate-limits.ts';
import { createRation } from '#server/admission/ration.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';

interface ModelRationParts {
  settings: Pick<Settings, 'modelRequestsPerMinute'>;
  clock: () => Date;
  /** Where servers share the limits. */
  leasing: Leasing | undefined;
}

/** Takes one request. @throws AppError TOO_MANY_REQUESTS; none is taken then */
export type TakeOfModels = (requester: Requester) => Promise<void>;

/** Accounts that may ask as often as they can in the same minute. */
const accounts = 10;
const retryAfterSeconds = 15;

/**
 * How often the models of others are asked, which cost whoever runs the server: so often a minute of an account, and ten times that in all. Half of that is
 * for accounts that sent none within the hour.
 */
export function createModelRation({ settings, clock, leasing }: ModelRationParts): TakeOfModels {
  const perTenant = settings.modelRequestsPerMinute;
  const perMinute = accounts * perTenant;
  const takeHere = createRation({ perMinute, perTenant, keptForOthers: perMinute / 2 }, clock);
  const leases = leasing && createLeases(perTenant, perMinute, leasing);
  return async ({ tenant }) => {
    const giveBack = await leases?.take(tenant);
    if (takeHere(tenant)) return;
    giveBack?.();
    throw tooManyOfModels(retryAfterSeconds);
  };
}

/** What all servers let through together, in budgets that fill up evenly. */
function createLeases(perTenant: number, perMinute: number, leasing: Leasing) {
  const lease = leasing('model');
  const limitOf = (each: number, burst = each) =>
    new LeasedRateLimit({ perMinute: each, burst, what: 'questions to models' }, lease);
  const ofTenant = limitOf(perTenant);
  const ofAll = limitOf(perMinute);
  const ofRecent = limitOf(perMinute / 2);
  /** One an hour: who gets it sent none within the hour before. */
  const firstOf = limitOf(1 / 60, 1);
  return {
    /** Answers how it is given back. */
    async take(tenant: string): Promise<() => void> {
      const first = { limit: firstOf, name: `first of ${tenant}` };
      const isFirst = (await takeOrReject(first.limit, first.name)) === null;
      const wanted = [
        { limit: ofTenant, name: `of ${tenant}` },
        ...(isFirst ? [] : [{ limit: ofRecent, name: 'recent' }]),
        { limit: ofAll, name: 'all' },
      ];
      const taken = isFirst ? [first] : [];
      const giveBack = () => {
        for (const { limit, name } of taken) limit.giveBack(name);
      };
      for (const each of wanted) {
        const rejection = await takeOrReject(each.limit, each.name);
        if (rejection !== null) {
          giveBack();
          throw tooManyOfModels(rejection.retryAfterSeconds);
        }
        taken.push(each);
      }
      return giveBack;
    },
  };
}

function tooManyOfModels(seconds: number): AppError {
  return new AppError(
    'TOO_MANY_REQUESTS',
    `Your account, or all together, have asked this model too often in the last minute; try again in ${seconds} s, or ask "vector-ai"`,
    { retryAfterSeconds: seconds },
  );
}
