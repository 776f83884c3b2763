import { z } from 'zod';
import { entityId } from './fields.ts';
import { type SampleName, sampleNames } from './sample-sets.ts';

/** Into a project, or into a workspace: then into its first project, which is made where there is none. */
export const sampleLoad = z
  .strictObject({
    sample: z.enum(sampleNames),
    projectId: entityId.optional(),
    workspaceId: entityId.optional(),
  })
  .refine(
    ({ projectId, workspaceId }) => (projectId === undefined) !== (workspaceId === undefined),
    'needs either a projectId or a workspaceId',
  );

/** By which imports of samples are known among others. */
const keyPrefix = 'sample:';

/** A new one for each load, because one that was cancelled is not taken up again. */
export function sampleKey(sample: SampleName, id: string): string {
  return `${keyPrefix}${sample}:${id}`;
}
