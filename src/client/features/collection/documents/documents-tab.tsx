import { Stack } from '@mantine/core';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import type { CollectionTabProps } from '../tab-props.ts';
import { DocumentList } from './document-list.tsx';
import { DocumentsToolbar } from './documents-toolbar.tsx';
import { DocumentPanel } from './panel/document-panel.tsx';
import { useDocuments } from './use-documents.ts';
import { useTypedFilter } from './use-typed-filter.ts';

/** What is in the collection: a list that is filtered and sorted, and beside it the document that is open. */
export function DocumentsTab({ collection, state, onChange }: CollectionTabProps) {
  const documents = useDocuments(collection.id, state);
  const { typed, type } = useTypedFilter(state.filter, (filter) =>
    onChange({ filter, page: 1 }, { replace: true }),
  );
  const { fields, list } = documents;
  // There is nothing to filter, and what to begin with has all of the page.
  const isEmpty =
    list.answer?.found === 0 && list.isCurrent && typed.trim() === '' && state.filter.trim() === '';
  return (
    <Stack>
      {!isEmpty && (
        <DocumentsToolbar
          documents={documents}
          outOf={collection.documentCount}
          state={state}
          onChange={onChange}
          filter={typed}
          onType={type}
        />
      )}
      {fields.isError && (
        <ErrorView error={fields.error} title="Failed to fetch fields" onRetry={fields.refetch} />
      )}
      <DocumentList
        collection={collection}
        documents={documents}
        state={state}
        onChange={onChange}
        onClearFilter={() => {
          type('');
          onChange({ filter: '', page: 1 });
        }}
      />
      <DocumentPanel collection={collection} fields={fields.data ?? []} state={state} onChange={onChange} />
    </Stack>
  );
}
