import { useQueryClient } from '@tanstack/react-query';
import { type SampleName, sampleSets } from '#shared/sample-sets.ts';
import { useAuth } from '../auth-provider.tsx';
import { errorMessage } from '../error-message.ts';
import { invalidate } from '../invalidate.ts';
import { trpc } from '../trpc.ts';
import { useWorkspace } from '../workspace-provider.tsx';
import { addImportJob, findImportJob, updateImportJob } from './import-jobs.ts';

/** By which the server's imports of a sample begin. */
const keyOf = (sample: SampleName) => `sample:${sample}:`;

/**
 * Loads a sample into a project, or where none is named into the chosen one, or the workspace's first. It goes on when the component is gone;
 * the dock shows how far it is. A second call while one is under way does nothing.
 */
export function useLoadSample(): (sample: SampleName, projectId?: number) => void {
  const { client } = trpc.useUtils();
  const queryClient = useQueryClient();
  const { user } = useAuth();
  const { workspace, project } = useWorkspace();

  return function load(sample, projectId = project?.id): void {
    const key = keyOf(sample);
    if (!user || !workspace || findImportJob(key)?.state === 'running') return;
    const { title, documents, query } = sampleSets[sample];
    addImportJob({
      key,
      userId: user.id,
      label: title,
      collection: null,
      rowsTotal: documents,
      upload: null,
      rows: 0,
      failed: 0,
      startedAt: Date.now(),
      state: 'running',
      message: null,
      query,
      retry: () => load(sample, projectId),
    });
    const place = projectId === undefined ? { workspaceId: workspace.id } : { projectId };
    client.samples.load
      .mutate({ sample, ...place })
      .then(
        ({ collection: { id, name, documentCount }, import: ended }) => {
          const collection = { id, name };
          if (ended && ended.state !== 'done') {
            const state = ended.state === 'canceled' ? 'cancelled' : 'failed';
            updateImportJob(key, { collection, state, rows: ended.rows, message: ended.error });
            return;
          }
          const rows = ended?.succeeded ?? documentCount;
          updateImportJob(key, { collection, state: 'done', rows, failed: ended?.failed ?? 0 });
        },
        (error: unknown) => updateImportJob(key, { state: 'failed', message: errorMessage(error) }),
      )
      .finally(() => invalidate(queryClient, 'samples'));
  };
}
