import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useInViewport } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import { SideBySide } from '#client/components/display/side-by-side.tsx';
import { AlphaSlider } from '#client/components/fields/alpha-slider.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { DemoComparison } from '#shared/demo.ts';
import type { SearchMode } from '#shared/search.ts';
import classes from './comparison.module.css';
import { Section } from './section.tsx';
import { Suggestions } from './suggestions.tsx';

/** Questions to which the three ways answer differently. */
const suggestions = ['my back hurts at work', 'water bottle', 'loud neighbours', 'cofee grindr'];
const firstQuery = suggestions[0] ?? '';
const typingPauseMs = 120;

const columns: { mode: SearchMode; label: string }[] = [
  { mode: 'keyword', label: 'Keyword' },
  { mode: 'hybrid', label: 'Hybrid' },
  { mode: 'vector', label: 'Semantic' },
];

/** One question to the made-up shop, answered by words, by meaning and by both at once. */
export function Comparison() {
  const [text, setText] = useState(firstQuery);
  const [alpha, setAlpha] = useState(0.5);
  const [asked] = useDebouncedValue({ query: text.trim(), alpha }, typingPauseMs);
  const { ref, inViewport } = useInViewport();
  const [isSeen, setSeen] = useState(false);
  // Who never comes so far asks nothing.
  if (inViewport && !isSeen) setSeen(true);
  const { data, error, isFetching } = trpc.demo.compare.useQuery(asked, {
    enabled: isSeen && asked.query !== '',
    placeholderData: (previous) => previous,
  });
  const shown = asked.query === '' ? undefined : data;
  return (
    <Section
      id="compare"
      title="By words, by meaning, or both"
      lead="The same question to the same sixty products, three ways, live. A line joins a product with itself; move the weight and watch the column in the middle."
    >
      <div ref={ref} className={classes['box']} aria-busy={isFetching}>
        <div className={classes['asked']}>
          <TextInput
            type="search"
            className={classes['query'] ?? ''}
            aria-label="Compare by"
            placeholder="Ask for something"
            maxLength={256}
            autoComplete="off"
            leftSection={<Icon shape={searchIcon} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <AlphaSlider alpha={alpha} onChange={setAlpha} />
        </div>
        <Suggestions suggestions={suggestions} onChoose={setText} />
        <Text size="xs" c="dimmed" role="status" className={classes['said'] ?? ''}>
          {error ? `The demo cannot answer: ${errorMessage(error)}` : summaryOf(shown)}
        </Text>
        <div className={classes['answer']}>
          <SideBySide
            order={3}
            columns={columns.map(({ mode, label }) => ({
              label,
              rows: (shown?.columns[mode] ?? []).map(({ id, name, fits }) => ({
                key: id,
                title: name,
                isFaint: !fits,
              })),
              note: shown?.columns[mode].length === 0 && (
                <Text size="sm" c="dimmed">
                  No product has these words.
                </Text>
              ),
            }))}
          />
        </div>
      </div>
    </Section>
  );
}

function summaryOf(comparison: DemoComparison | undefined): string {
  if (!comparison) return '';
  const isAnswered = Object.values(comparison.columns).some((places) => places.some(({ fits }) => fits));
  return isAnswered
    ? `Three searches in ${comparison.search_time_ms.toFixed(1)} ms. What is dashed is found so, but does not fit.`
    : 'Nothing in this shop fits: these are only the closest.';
}
