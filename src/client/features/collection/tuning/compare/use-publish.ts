import { useMutation } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import type { SearchMode } from '#shared/search.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { Tuning } from '../use-tuning.ts';

/** Saves all that is changed, as the forms do one by one, and measures. What could not be saved is still changed. */
export function usePublish(collection: number, tuning: Tuning, mode: SearchMode) {
  const settings = trpc.searchSettings.update.useMutation({ meta: { changes: 'searchSettings' } });
  const synonyms = trpc.synonyms.upsert.useMutation({ meta: { changes: 'synonyms' } });
  const overrides = trpc.overrides.upsert.useMutation({ meta: { changes: 'overrides' } });
  const measure = trpc.judgements.measure.useMutation({ meta: { changes: 'judgements' } });
  return useMutation({
    meta: { changes: null },
    mutationFn: async (draft: RuleDraft) => {
      if (draft.settings) {
        await settings.mutateAsync({ collection, ...draft.settings });
        tuning.setSettings({});
      }
      for (const synonym of draft.synonyms?.put ?? []) {
        await synonyms.mutateAsync({ collection, ...synonym });
        tuning.setSynonym(null);
      }
      for (const override of draft.overrides?.put ?? []) {
        await overrides.mutateAsync({ collection, ...override });
        tuning.setOverride(null);
      }
      return await measure.mutateAsync({ collection, mode });
    },
  });
}
