import { Button, Drawer, Group, Skeleton, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { copyIcon, pencilIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { DocumentViews, type DocumentViewsProps } from '#client/components/document/document-views.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { copyText } from '#client/lib/copy-text.ts';
import { isNotFound } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { JsonValue } from '#shared/documents.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import { type SearchResults, searchedWords } from '../search-results.ts';
import { foundMarks } from './found-marks.ts';
import { useNearestSentences } from './use-nearest-sentences.ts';

interface DocumentPanelProps {
  /** The one in the address; null: the panel is closed. */
  document: { collection: number; id: string } | null;
  /** That it may be a hit of; undefined: none are there (yet). */
  results: SearchResults | undefined;
  onOpen: (document: { collection: number; id: string }) => void;
  onClose: () => void;
}

/** A document beside the hits: its fields, its JSON, and what is like it. */
export function DocumentPanel({ document, results, onOpen, onClose }: DocumentPanelProps) {
  return (
    <Drawer.Root opened={document !== null} onClose={onClose} position="right" size="34rem" padding="lg">
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content aria-label="Document">
        <Drawer.Header>
          <Drawer.Title>Document</Drawer.Title>
          <Group gap="xs">
            {document && (
              <ButtonLink
                to="/collections/$id"
                params={{ id: document.collection }}
                search={{ open: document.id }}
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon shape={pencilIcon} size={16} />}
              >
                Edit
              </ButtonLink>
            )}
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<Icon shape={copyIcon} size={16} />}
              onClick={() =>
                void copyText(window.location.href, 'The link opens this search with this document.')
              }
            >
              Copy link
            </Button>
            <Drawer.CloseButton aria-label="Close document" />
          </Group>
        </Drawer.Header>
        <Drawer.Body>
          {document && <Content key={document.id} at={document} {...{ results, onOpen }} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface ContentProps {
  at: { collection: number; id: string };
  results: SearchResults | undefined;
  onOpen: DocumentPanelProps['onOpen'];
}

function Content({ at, results, onOpen }: ContentProps) {
  const { data, error, refetch } = trpc.documents.get.useQuery(at);
  if (error && isNotFound(error)) {
    return <Text>There is no document with the id “{at.id}” (any more).</Text>;
  }
  if (error) return <ErrorView error={error} title="The document could not be loaded" onRetry={refetch} />;
  if (!data) return <Skeleton height={200} />;
  const { embedding: _, ...fields } = data as Record<string, JsonValue>;
  const views = { at, fields, json: data, onOpen };
  const hit = results?.hits.find(({ collection, id }) => collection.id === at.collection && id === at.id);
  return results && hit ? <FoundViews {...{ views, results, hit }} /> : <DocumentViews {...views} />;
}

interface FoundViewsProps {
  views: DocumentViewsProps;
  results: SearchResults;
  hit: MergedSearchHit;
}

/** With what meaning has found in it marked. */
function FoundViews({ views, results, hit }: FoundViewsProps) {
  const sentences = useNearestSentences(results);
  const marks = foundMarks(views.fields, hit, sentences.get(`${views.at.collection}/${views.at.id}`));
  const faint = marks.some(({ isAround }) => isAround)
    ? ' The passage that was found is marked more faintly.'
    : '';
  const note = `Marked is what is nearest in meaning to “${searchedWords(results)}”.${faint}`;
  return <DocumentViews {...views} marked={marks.length > 0 ? { marks, note } : null} />;
}
