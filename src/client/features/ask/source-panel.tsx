import { Alert, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { DocumentFields } from '#client/components/document/document-fields.tsx';
import { DocumentHeading } from '#client/components/document/document-heading.tsx';
import { ScrolledToMark } from '#client/components/document/scrolled-to-mark.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { AssistantMessage, ChatSource, ConversationMessage } from '#shared/chat.ts';
import type { JsonValue } from '#shared/documents.ts';
import { type OpenSource, openSource } from './ask-state.ts';
import { citedBy } from './cited-by.ts';
import classes from './source-panel.module.css';

interface SourcePanelProps {
  /** As it stands in the address; absent: the panel is closed. */
  source: string | undefined;
  messages: ConversationMessage[];
  onClose: () => void;
}

/** A source of an answer, beside it, with what the answer has of it marked. */
export function SourcePanel({ source, messages, onClose }: SourcePanelProps) {
  const isOpen = findSource(source, messages) !== null;
  const shown = findSource(useLast(isOpen ? (source ?? null) : null), messages);
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} position="right" size="34rem" padding="lg">
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content aria-label="Source">
        <Drawer.Header>
          <Drawer.Title>Source {shown?.open.number}</Drawer.Title>
          <Group gap="xs">
            {shown && (
              <ButtonLink
                to="/collections/$id"
                params={{ id: shown.source.collection.id }}
                search={{ open: shown.source.id }}
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon shape={stack2Icon} size={16} />}
              >
                Open in {shown.source.collection.name}
              </ButtonLink>
            )}
            <Drawer.CloseButton aria-label="Close source" />
          </Group>
        </Drawer.Header>
        <Drawer.Body>
          {shown && (
            <Content key={`${shown.answer.id} ${shown.open.number} ${shown.open.sentence}`} {...shown} />
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Null: there is no such answer here, or no such source of it. */
function findSource(text: string | null | undefined, messages: ConversationMessage[]): ContentProps | null {
  const open = openSource(text ?? undefined);
  const answer = messages.find(({ id }) => id === open?.message);
  if (!open || answer?.role !== 'assistant') return null;
  const source = answer.sources[open.number - 1];
  return source ? { open, answer, source } : null;
}

interface ContentProps {
  open: OpenSource;
  answer: AssistantMessage;
  source: ChatSource;
}

function Content({ open, answer, source }: ContentProps) {
  const at = { collection: String(source.collection.id), id: source.id };
  const { data, error, refetch } = trpc.documents.get.useQuery(at);
  const isChanged = answer.staleSources.includes(open.number);
  if (error && isNotFound(error))
    return (
      <Changed answer={answer} open={open}>
        The document “{source.title}” is gone.
      </Changed>
    );
  if (error) return <ErrorView error={error} title="The document could not be loaded" onRetry={refetch} />;
  if (!data) return <Skeleton height={200} />;
  const { embedding: _, ...fields } = data as Record<string, JsonValue>;
  return (
    <Stack gap="sm">
      {isChanged && (
        <Changed answer={answer} open={open}>
          The document has been changed since. Below it stands as it is now.
        </Changed>
      )}
      <div>
        <DocumentHeading id={source.id} document={fields} />
        <ScrolledToMark>
          <DocumentFields document={fields} marks={isChanged ? [] : citedBy(answer, open)} />
        </ScrolledToMark>
      </div>
    </Stack>
  );
}

/** What the answer rests on is no longer there: so it is told what that was. */
function Changed({
  answer,
  open,
  children,
}: Pick<ContentProps, 'answer' | 'open'> & { children: React.ReactNode }) {
  const quoted = answer.sentences.filter(({ citations }) =>
    citations.some(({ source }) => source === open.number),
  );
  return (
    <Alert color="yellow" icon={<Icon shape={alertTriangleIcon} />}>
      <Text size="sm">{children}</Text>
      {quoted.length > 0 && (
        <Text size="sm" mt="xs">
          By it the answer said:
        </Text>
      )}
      {quoted.map(({ start, end }) => (
        <blockquote key={start} className={classes['quote']} dir="auto">
          {answer.content.slice(start, end)}
        </blockquote>
      ))}
    </Alert>
  );
}
