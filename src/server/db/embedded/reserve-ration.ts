import { createRation } from '#server/admission/ration.ts';
import type { ReserveRation } from '../client.ts';

/**
 * What may be written of the storage reserve though it frees nothing to speak of, so that enough is left for deleting. About a kilobyte is
 * written each time: a reserve of 256 MB lasts for more than a day. Answers whether one more may.
 */
export function createReserveRations(clock: () => Date): (ration: ReserveRation) => boolean {
  const rations = {
    exports: createRation({ perMinute: 16, perTenant: 4, keptForOthers: 8 }, clock),
    deletions: createRation({ perMinute: 32, perTenant: 8, keptForOthers: 16 }, clock),
    signIns: createRation({ perMinute: 64, perTenant: 4, keptForOthers: 32 }, clock),
  };
  return ({ of, tenant }) => rations[of](tenant);
}
