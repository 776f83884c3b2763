import { Text } from '@mantine/core';
import classes from './figures.module.css';
import { Section } from './section.tsx';

/** Each is in docs/figures.md, with the command that measures it. */
export const figures = [
  {
    value: '1.8 ms',
    what: 'until half of the suggestions are there while somebody types, over 100,000 documents',
    command: 'scripts/measure-suggest.mjs',
  },
  {
    value: '89 %',
    what: 'of its best goes on being answered while ten times as much is asked; the rest is refused',
    command: 'scripts/measure-overload.mjs',
  },
  {
    value: '1.1 ×',
    what: 'is what your searches take while another account floods the server with searches',
    command: 'scripts/measure-fairness.mjs',
  },
] as const;

/** In place of what others would say of it: what it does, and how to see for oneself. */
export function Figures() {
  return (
    <Section
      id="figures"
      title="Measured, not promised"
      lead="Two shared cores, a database and the model in one process. The commands are in the repository: measure on your own machine."
    >
      <ul className={classes['figures']}>
        {figures.map(({ value, what, command }) => (
          <li key={command} className={classes['figure']}>
            <p className={classes['value']}>{value}</p>
            <Text size="sm">{what}</Text>
            <code className={classes['command']}>node {command}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}
