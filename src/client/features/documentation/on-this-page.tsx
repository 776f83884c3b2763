import { Text } from '@mantine/core';
import { useScrollSpy } from '@mantine/hooks';
import { type Block, plainText } from '#shared/articles/blocks.ts';
import classes from './on-this-page.module.css';

/** The parts of the article, the one that is read marked. */
export function OnThisPage({ blocks }: { blocks: Block[] }) {
  const parts = blocks.flatMap((block) =>
    block.kind === 'heading'
      ? [{ anchor: block.anchor, text: plainText(block.text), level: block.level }]
      : [],
  );
  const spy = useScrollSpy({ selector: 'article h2[id], article h3[id]', offset: 96 });
  if (parts.length < 2) return null;
  const current = spy.data[spy.active]?.id;
  return (
    <nav aria-label="On this page" className={classes['root']}>
      <Text size="xs" fw={600} c="dimmed" mb={4}>
        On this page
      </Text>
      <ul className={classes['list']}>
        {parts.map(({ anchor, text, level }) => (
          <li key={anchor} data-level={level}>
            <a
              href={`#${anchor}`}
              className={classes['link']}
              {...(anchor === current && { 'aria-current': 'location' as const })}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
