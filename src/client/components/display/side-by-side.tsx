import { Title, type TitleOrder } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { JoiningLines } from './joining-lines.tsx';
import classes from './side-by-side.module.css';

interface SideColumn {
  label: string;
  /** In their order; the same key is the same document in each column. */
  rows: { key: string; title: string; isFaint?: boolean }[];
  /** What is said above the rows: why there are none, say. */
  note: ReactNode;
}

interface SideBySideProps {
  columns: SideColumn[];
  /** Of the columns' names. */
  order: TitleOrder;
  /** Absent: there is nothing to open. */
  onOpen?: (key: string) => void;
}

/** Orders of the same documents, in which each is joined with itself and says in words where else it stands. */
export function SideBySide({ columns, order, onOpen }: SideBySideProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const keys = columns.map(({ rows }) => rows.map(({ key }) => key));
  return (
    <div className={classes['columns']}>
      {columns.map(({ label, rows, note }, i) => (
        <Fragment key={label}>
          {i > 0 && <JoiningLines left={keys[i - 1] ?? []} right={keys[i] ?? []} pointed={pointed} />}
          <section aria-label={label} className={classes['column']}>
            <Title order={order} size="h4" className={classes['label'] ?? ''}>
              {label}
            </Title>
            {note}
            <ol aria-label={`${label} hits`} className={classes['list']}>
              {rows.map(({ key, title, isFaint }) => (
                <li
                  key={key}
                  className={classes['row']}
                  data-pointed={pointed === key || undefined}
                  data-faint={isFaint || undefined}
                  onPointerEnter={() => setPointed(key)}
                  onPointerLeave={() => setPointed(null)}
                  onFocus={() => setPointed(key)}
                  onBlur={() => setPointed(null)}
                >
                  <Row onOpen={onOpen && (() => onOpen(key))}>
                    <span className={classes['title']} dir="auto">
                      {title}
                    </span>
                    <span className={classes['elsewhere']}>
                      {columns
                        .flatMap(({ label: other }, j) => (j === i ? [] : placeIn(other, keys[j], key)))
                        .join(' · ') || 'in this list alone'}
                    </span>
                  </Row>
                </li>
              ))}
            </ol>
          </section>
        </Fragment>
      ))}
    </div>
  );
}

function Row({ onOpen, children }: { onOpen: (() => void) | undefined; children: ReactNode }) {
  if (!onOpen) return <div className={classes['document']}>{children}</div>;
  return (
    <button type="button" className={classes['document']} onClick={onOpen}>
      {children}
    </button>
  );
}

/** None where it does not stand in the list. */
function placeIn(label: string, keys: string[] | undefined, key: string): string[] {
  const at = keys?.indexOf(key) ?? -1;
  return at === -1 ? [] : [`${label} #${at + 1}`];
}
