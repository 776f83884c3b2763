import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import {
  arrowsExchangeIcon,
  pencilIcon,
  plusIcon,
  trashIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { Pager } from '#client/components/display/pager.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { pageOf } from '#client/lib/page-of.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Synonym } from '#shared/synonyms.ts';
import type { SynonymEdit } from '../tuning-draft.ts';
import { useSynonyms } from '../use-rules.ts';
import type { Tuning } from '../use-tuning.ts';
import { SynonymForm } from './synonym-form.tsx';
import { useDeleteSynonym } from './use-delete-synonym.ts';

/** Fewer are seen at a glance. */
const filteredFrom = 8;

/** The collection's synonyms, and the one that is written. */
export function SynonymsPart({ collection, tuning }: { collection: number; tuning: Tuning }) {
  const synonyms = useSynonyms(collection);
  const edit = tuning.draft.synonym;
  if (synonyms.isError)
    return <ErrorView error={synonyms.error} title="Failed to fetch synonyms" onRetry={synonyms.refetch} />;
  if (!synonyms.data) return <TableSkeleton />;
  const add = (
    <Button leftSection={<Icon shape={plusIcon} />} onClick={() => tuning.setSynonym(newSynonym())}>
      Add synonym
    </Button>
  );
  return (
    <Stack gap="md">
      {edit && <SynonymForm key={edit.id} collection={collection} edit={edit} onChange={tuning.setSynonym} />}
      {!edit && synonyms.data.length > 0 && <Group>{add}</Group>}
      {synonyms.data.length === 0 && !edit && (
        <EmptyState
          icon={arrowsExchangeIcon}
          title="No synonyms yet"
          description="Words that mean the same find each other's documents: “tv” and “television”."
        >
          {add}
        </EmptyState>
      )}
      {synonyms.data.length > 0 && (
        <SynonymList
          collection={collection}
          synonyms={synonyms.data}
          editedId={edit?.id ?? null}
          onEdit={(synonym) => tuning.setSynonym(toEdit(synonym))}
        />
      )}
    </Stack>
  );
}

/** Its id is nobody else's; it is not shown, since nothing depends on it. */
function newSynonym(): SynonymEdit {
  const random = crypto.getRandomValues(new Uint32Array(2));
  const id = [...random].map((part) => part.toString(36).padStart(7, '0')).join('');
  return { saved: null, id, words: '', root: null };
}

function toEdit(saved: Synonym): SynonymEdit {
  return { saved, id: saved.id, words: saved.synonyms.join('\n'), root: saved.root };
}

interface SynonymListProps {
  collection: number;
  synonyms: Synonym[];
  editedId: string | null;
  onEdit: (synonym: Synonym) => void;
}

function SynonymList({ collection, synonyms, editedId, onEdit }: SynonymListProps) {
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const remove = useDeleteSynonym(collection);
  const wanted = text.trim().toLowerCase();
  const matching = synonyms.filter((synonym) => sentenceOf(synonym).toLowerCase().includes(wanted));
  const { shown, ...pages } = pageOf(matching, page);
  return (
    <Stack gap="sm">
      {synonyms.length >= filteredFrom && (
        <SearchField label="Filter synonyms" value={text} onChange={setText} />
      )}
      {matching.length === 0 && (
        <Text size="sm" c="dimmed">
          No synonym has these words.
        </Text>
      )}
      {matching.length > 0 && (
        <TablePanel
          minWidth={280}
          head={
            <>
              <th scope="col">Words</th>
              <th scope="col" aria-label="Actions" />
            </>
          }
        >
          {shown.map((synonym) => (
            <tr key={synonym.id} data-edited={synonym.id === editedId || undefined}>
              <td className={cells['words']} dir="auto">
                {sentenceOf(synonym)}
              </td>
              <td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <ActionIcon aria-label={`Edit ${sentenceOf(synonym)}`} onClick={() => onEdit(synonym)}>
                    <Icon shape={pencilIcon} />
                  </ActionIcon>
                  <May atLeast="editor">
                    <ActionIcon
                      aria-label={`Delete ${sentenceOf(synonym)}`}
                      disabled={synonym.id === editedId}
                      onClick={() => remove(synonym)}
                    >
                      <Icon shape={trashIcon} />
                    </ActionIcon>
                  </May>
                </Group>
              </td>
            </tr>
          ))}
        </TablePanel>
      )}
      <Pager {...pages} total={matching.length} noun="synonyms" onChange={setPage} />
    </Stack>
  );
}

/** “tv = television”, “phone → smartphone, handset”. */
function sentenceOf({ root, synonyms }: Synonym): string {
  return root === null ? synonyms.join(' = ') : `${root} → ${synonyms.join(', ')}`;
}
