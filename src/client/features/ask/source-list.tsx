import { Badge } from '@mantine/core';
import { Disclosure } from '#client/components/display/disclosure.tsx';
import type { ChatSource } from '#shared/chat.ts';
import classes from './source-list.module.css';

/** With its number, as `[n]` counts. */
type NumberedSource = ChatSource & { number: number };

export function numbered(sources: ChatSource[]): NumberedSource[] {
  return sources.map((source, i) => ({ ...source, number: i + 1 }));
}

interface SourceListProps {
  cited: NumberedSource[];
  /** Were read, and are not cited. */
  others: NumberedSource[];
  /** Numbers of those that are not any more what they were. */
  stale: number[];
  onOpen: (number: number) => void;
}

/** The documents that an answer rests on. */
export function SourceList({ cited, others, stale, onOpen }: SourceListProps) {
  return (
    <>
      {cited.length > 0 && <Sources label="Sources" {...{ sources: cited, stale, onOpen }} />}
      {others.length > 0 && (
        <div className={classes['others']}>
          <Disclosure label={readText(others.length, cited.length > 0)}>
            <Sources label="Other documents" {...{ sources: others, stale, onOpen }} />
          </Disclosure>
        </div>
      )}
    </>
  );
}

function readText(count: number, isMore: boolean): string {
  const noun = `${isMore ? 'more ' : ''}${count === 1 ? 'document was' : 'documents were'}`;
  return `${count} ${noun} read`;
}

function Sources({
  label,
  sources,
  stale,
  onOpen,
}: { label: string; sources: NumberedSource[] } & Pick<SourceListProps, 'stale' | 'onOpen'>) {
  return (
    <ul aria-label={label} className={classes['list']}>
      {sources.map(({ number, title, snippet, collection }) => (
        <li key={number}>
          <button type="button" className={classes['source']} onClick={() => onOpen(number)}>
            <span className={classes['head']}>
              <span className={classes['number']}>{number}</span>
              <span className={classes['title']} dir="auto">
                {title}
              </span>
              {stale.includes(number) && (
                <Badge size="xs" color="yellow">
                  Changed
                </Badge>
              )}
            </span>
            <span className={classes['snippet']} dir="auto">
              {snippet}
            </span>
            <span className={classes['collection']}>{collection.name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
