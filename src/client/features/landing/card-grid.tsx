import { Text, Title } from '@mantine/core';
import { Icon, type IconName } from '#client/components/icon.tsx';
import classes from './cards.module.css';

export function CardGrid({ cards }: { cards: { icon: IconName; title: string; text: string }[] }) {
  return (
    <ul className={classes['grid']}>
      {cards.map(({ icon, title, text }) => (
        <li key={title} className={classes['card']}>
          <span className={classes['icon']}>
            <Icon name={icon} size={20} />
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
