import { Button, Code, Drawer, Group, Skeleton, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Icon } from '#client/components/display/icon.tsx';
import { copyIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { copyText } from '#client/lib/copy-text.ts';
import { titleOf } from '#client/lib/document-title.ts';
import { isNotFound } from '#client/lib/error-message.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { JsonValue } from '#shared/documents.ts';
import classes from './document-panel.module.css';

interface DocumentPanelProps {
  /** The one in the address; null: the panel is closed. */
  document: { collection: number; id: string } | null;
  onOpen: (document: { collection: number; id: string }) => void;
  onClose: () => void;
}

/** A document beside the hits: its fields, its JSON, and what is like it. */
export function DocumentPanel({ document, onOpen, onClose }: DocumentPanelProps) {
  return (
    <Drawer.Root opened={document !== null} onClose={onClose} position="right" size="34rem" padding="lg">
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content aria-label="Document">
        <Drawer.Header>
          <Drawer.Title>Document</Drawer.Title>
          <Group gap="xs">
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
        <Drawer.Body>{document && <Content key={document.id} at={document} onOpen={onOpen} />}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface ContentProps {
  at: { collection: number; id: string };
  onOpen: DocumentPanelProps['onOpen'];
}

function Content({ at, onOpen }: ContentProps) {
  const { data, error, refetch } = trpc.documents.get.useQuery(at);
  if (error && isNotFound(error)) {
    return <Text>There is no document with the id “{at.id}” (any more).</Text>;
  }
  if (error) return <ErrorView error={error} title="The document could not be loaded" onRetry={refetch} />;
  if (!data) return <Skeleton height={200} />;
  const json = JSON.stringify(data, null, 2);
  const { embedding: _, ...fields } = data as Record<string, JsonValue>;
  return (
    <>
      <Title order={2} size="h3" dir="auto" className={classes['title'] ?? ''}>
        {titleOf(at.id, fields)}
      </Title>
      <Text size="xs" c="dimmed" mb="sm" className={classes['id'] ?? ''}>
        {at.id}
      </Text>
      <Tabs defaultValue="fields" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="fields">Fields</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          <Tabs.Tab value="similar">Similar</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="fields">
          <dl className={classes['fields']}>
            {Object.entries(fields).map(([name, value]) => (
              <div key={name}>
                <dt title={name}>{fieldLabel(name)}</dt>
                <dd dir="auto">
                  <Value value={value} />
                </dd>
              </div>
            ))}
          </dl>
        </Tabs.Panel>
        <Tabs.Panel value="json" className={classes['json'] ?? ''}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
          <pre tabIndex={0}>{json}</pre>
          <div className={classes['copy']}>
            <CopyButton value={json} label="Copy document" />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="similar">
          <Similar at={at} onOpen={onOpen} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Value({ value }: { value: JsonValue }) {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  if (typeof value === 'object' && value !== null) return <Code block>{JSON.stringify(value, null, 2)}</Code>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? (
    <Text c="dimmed" span size="sm">
      null
    </Text>
  ) : (
    String(value)
  );
}

const similarMax = 8;

function Similar({ at, onOpen }: ContentProps) {
  const { client } = trpc.useUtils();
  const { data, error, refetch } = useQuery({
    queryKey: [['search'], 'similar', at],
    meta: { collections: [at.collection] },
    queryFn: ({ signal }) => client.search.similar.query({ ...at, k: similarMax }, { signal }),
  });
  if (error) return <ErrorView error={error} title="Nothing to compare" onRetry={refetch} />;
  if (!data) return <Skeleton height={120} mt="sm" />;
  if (data.hits.length === 0) {
    return (
      <Text size="sm" mt="sm">
        No other document can be compared with this one.
      </Text>
    );
  }
  return (
    <ol aria-label="Similar documents" className={classes['similar']}>
      {data.hits.map(({ id, document, score }) => (
        <li key={id}>
          <button type="button" onClick={() => onOpen({ collection: at.collection, id })}>
            <span dir="auto">{titleOf(id, document)}</span>
            <span className={classes['score']}>{score.toFixed(3)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
