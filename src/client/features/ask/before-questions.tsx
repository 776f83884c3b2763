import { Skeleton, Text, Title } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { chevronRightIcon, sparklesIcon } from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import classes from './before-questions.module.css';
import type { Askable } from './choose-collections.ts';

interface BeforeQuestionsProps {
  askable: Askable;
  onAsk: (message: string) => void;
}

/** Before the first question: what can be asked here. */
export function BeforeQuestions({ askable, onAsk }: BeforeQuestionsProps) {
  const { chosen } = askable;
  const isEmpty = chosen.every(({ documentCount }) => documentCount === 0);
  return (
    <div className={classes['root']}>
      <span className={classes['icon']}>
        <Icon shape={sparklesIcon} size={28} />
      </span>
      <Title order={2}>What do you want to know?</Title>
      <Text c="dimmed" size="sm" ta="center" maw="30rem" mt={4} className={classes['lead'] ?? ''}>
        {isEmpty
          ? 'There are no documents in what is chosen yet. Import some, and ask about them here.'
          : 'Answers come from your documents and from nothing else. Each sentence names its source, and where nothing is found, that is what is said.'}
      </Text>
      {!isEmpty && <Suggestions collections={chosen.map(({ id }) => String(id))} onAsk={onAsk} />}
    </div>
  );
}

const placeholders = ['first', 'second', 'third', 'fourth'];

function Suggestions({
  collections,
  onAsk,
}: { collections: string[] } & Pick<BeforeQuestionsProps, 'onAsk'>) {
  // They name documents, which may be gone or others by now.
  const { data, error, refetch } = trpc.chat.suggestions.useQuery(
    { collections },
    { staleTime: 0, refetchOnMount: 'always' },
  );
  if (error) return <ErrorView error={error} title="Suggestions could not be loaded" onRetry={refetch} />;
  if (data?.length === 0) {
    return (
      <Text c="dimmed" size="sm" ta="center" maw="30rem" mt="md">
        No question suggests itself: these documents have hardly a title or a text to ask about. Ask in your
        own words, or narrow their values down in <AnchorLink to="/search">Vector Search</AnchorLink>.
      </Text>
    );
  }
  return (
    <ul aria-label="Suggested questions" aria-busy={!data} className={classes['suggestions']}>
      {data
        ? data.map((question) => (
            <li key={question}>
              <button type="button" className={classes['suggestion']} onClick={() => onAsk(question)}>
                <span dir="auto">{question}</span>
                <Icon shape={chevronRightIcon} size={16} />
              </button>
            </li>
          ))
        : placeholders.map((place) => (
            <li key={place} aria-hidden="true">
              <Skeleton height={56} radius="lg" />
            </li>
          ))}
    </ul>
  );
}
