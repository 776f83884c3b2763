import { CloseButton, Text, UnstyledButton } from '@mantine/core';
import { AnchorLink } from '#client/components/display/links.tsx';
import classes from './point-card.module.css';

interface PointCardProps {
  collection: number;
  id: string;
  title: string;
  /** What it has in the field that colors; null: no field does. */
  value: string | null;
  /** The nearest by meaning, whose places on the map are as near as a plane allows. */
  nearest: { point: number; title: string }[];
  onChoose: (point: number | null) => void;
}

/** The document that one looks at. */
export function PointCard({ collection, id, title, value, nearest, onChoose }: PointCardProps) {
  return (
    <section className={classes['card']} aria-label="Chosen document">
      <div className={classes['head']}>
        <AnchorLink
          to="/collections/$id"
          params={{ id: collection }}
          search={{ open: id }}
          fw={600}
          dir="auto"
          className={classes['title'] ?? ''}
        >
          {title}
        </AnchorLink>
        <CloseButton size="sm" aria-label="Close this document" onClick={() => onChoose(null)} />
      </div>
      {value !== null && (
        <Text size="xs" c="dimmed" dir="auto">
          {value}
        </Text>
      )}
      {nearest.length > 0 && (
        <>
          <Text size="xs" c="dimmed" mt={6}>
            Nearest in meaning
          </Text>
          <ul className={classes['list']}>
            {nearest.map((other) => (
              <li key={other.point}>
                <UnstyledButton
                  className={classes['near'] ?? ''}
                  dir="auto"
                  onClick={() => onChoose(other.point)}
                >
                  {other.title}
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
