import { Loader, Paper, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Ref } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { searchIcon, sparklesIcon } from '#client/components/display/icon-shapes.gen.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { DemoAnswer } from '#shared/demo.ts';
import { ProductHit } from './product-hit.tsx';
import classes from './product-search.module.css';
import { Suggestions } from './suggestions.tsx';

const suggestions = ['something to keep me warm', 'gift for a coffee lover', 'my back hurts at work'];
const queryCharactersMin = 3;
const typingPauseMs = 60;

interface ProductSearchProps {
  inputRef: Ref<HTMLInputElement>;
  text: string;
  onType: (text: string) => void;
}

/** A real search over a made-up shop: the two best products as one types. */
export function ProductSearch({ inputRef, text, onType }: ProductSearchProps) {
  const [pausedText] = useDebouncedValue(text.trim(), typingPauseMs);
  const canSearch = pausedText.length >= queryCharactersMin;
  const search = trpc.demo.products.useQuery(
    { query: pausedText },
    // The last hits stay while the next load; one slow answer never replaces a newer one.
    { enabled: canSearch, placeholderData: (previous) => previous },
  );
  return (
    <Paper component="section" withBorder className={classes['box'] ?? ''} aria-label="Try the search">
      <TextInput
        ref={inputRef}
        type="search"
        size="lg"
        aria-label="Search for products"
        placeholder="Search for products"
        maxLength={256}
        autoComplete="off"
        leftSection={<Icon shape={searchIcon} size={20} />}
        rightSection={search.isFetching ? <Loader size="xs" aria-label="Searching" /> : null}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Suggestions suggestions={suggestions} onChoose={onType} />
      <div
        className={classes['answer']}
        data-stale={search.isPlaceholderData || undefined}
        aria-busy={search.isFetching}
      >
        <Answer search={search} canSearch={canSearch} />
      </div>
    </Paper>
  );
}

interface AnswerProps {
  search: { data: DemoAnswer | undefined; error: unknown; isError: boolean };
  canSearch: boolean;
}

function Answer({ search, canSearch }: AnswerProps) {
  if (canSearch && search.isError) {
    return (
      <Text size="sm" c="dimmed" role="alert">
        The demo cannot answer: {errorMessage(search.error)}
      </Text>
    );
  }
  if (canSearch && search.data) return <Hits {...search.data} />;
  return (
    <div className={classes['invitation']}>
      <Icon shape={sparklesIcon} size={28} />
      <Text size="sm" c="dimmed">
        Say what you are after in your own words. This searches a shop of sixty made-up products, live, with
        the engine you get.
      </Text>
    </div>
  );
}

function Hits({ hits, search_time_ms: timeMs }: DemoAnswer) {
  if (hits.length === 0) {
    return (
      <div className={classes['invitation']}>
        <Text size="sm" c="dimmed" role="status">
          Nothing in this shop fits, so nothing is shown. Try other words.
        </Text>
      </div>
    );
  }
  return (
    <>
      <Text size="xs" c="dimmed" role="status" className={classes['time'] ?? ''}>
        {hits.length === 1 ? 'The best hit' : `The ${hits.length} best hits`}, found in {timeMs.toFixed(1)} ms
      </Text>
      <ol className={classes['hits']}>
        {hits.map((hit) => (
          <ProductHit key={hit.id} hit={hit} />
        ))}
      </ol>
    </>
  );
}
