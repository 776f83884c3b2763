import { Text, Title } from '@mantine/core';
import type { IconShape } from '#client/components/display/icon.tsx';
import { Icon } from '#client/components/display/icon.tsx';
import classes from './cards.module.css';

interface CardGridProps {
  cards: { icon: IconShape; title: string; text: string }[];
  /** Beside each other where there is room. */
  columns: 3 | 4;
}

export function CardGrid({ cards, columns }: CardGridProps) {
  return (
    <ul className={classes['grid']} data-columns={columns}>
      {cards.map(({ icon, title, text }) => (
        <li key={title} className={classes['point']}>
          <span className={classes['icon']}>
            <Icon shape={icon} size={24} />
          </span>
          <Title order={3}>{title}</Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </li>
      ))}
    </ul>
  );
}
