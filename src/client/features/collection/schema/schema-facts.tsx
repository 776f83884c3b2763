import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { type Collection, passageDefaults } from '#shared/collections.ts';
import classes from './schema-tab.module.css';

const metrics = {
  cosine: 'the angle between vectors, whatever their length',
  euclidean: 'the distance between their ends',
  dotproduct: 'their product, in which length counts',
} as const;

/** What was decided when the collection was made. */
export function SchemaFacts({ collection: { dimension, metric, metadata } }: { collection: Collection }) {
  const embedded = metadata?.embed?.fields;
  const characters = metadata?.embed?.passage_characters ?? passageDefaults.passage_characters;
  const most = metadata?.embed?.passages_max ?? passageDefaults.passages_max;
  return (
    <dl className={classes['facts']}>
      <Fact label="Vectors">
        {dimension} dimensions, compared by {metric}: {metrics[metric]}
      </Fact>
      <Fact label="Embedded">
        {embedded ? (
          embedded.map((name, i) => (
            <span key={name}>
              {i > 0 && ', '}
              <Code>{name}</Code>
            </span>
          ))
        ) : (
          <>All prose, the title first; addresses, dates and codes are not.</>
        )}
      </Fact>
      <Fact label="Long texts">
        {most === 1
          ? 'One vector each, of their beginning.'
          : `Beyond ${formatNumber(characters)} characters a vector for each passage, up to ${most}; the nearest one counts.`}
      </Fact>
      <Fact label="Declared">
        {metadata?.fields?.length
          ? `${metadata.fields.length} ${metadata.fields.length === 1 ? 'field is' : 'fields are'} checked in every document; the others are inferred.`
          : 'Nothing: types are inferred from the documents.'}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  );
}
