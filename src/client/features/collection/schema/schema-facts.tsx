import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { languageName } from '#client/lib/language-name.ts';
import { type Collection, passageDefaults } from '#shared/collections.ts';
import type { ShownSettings } from '#shared/search-settings.ts';
import { detectedText } from '../detected-text.ts';
import classes from './schema-tab.module.css';

const metrics = {
  cosine: 'the angle between vectors, whatever their length',
  euclidean: 'the distance between their ends',
  dotproduct: 'their product, in which length counts',
} as const;

interface SchemaFactsProps {
  collection: Collection;
  language: LanguageFacts;
}
/** Undefined while it is fetched. */
type LanguageFacts = ShownSettings | undefined | 'failed';

/** What was decided when the collection was made, and what its texts are read as. */
export function SchemaFacts({ collection, language }: SchemaFactsProps) {
  const { dimension, metric, metadata } = collection;
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
      <Fact label="Language">
        <LanguageFact collection={collection.id} facts={language} />
      </Fact>
      <Fact label="Declared">
        {metadata?.fields?.length
          ? `${metadata.fields.length} ${metadata.fields.length === 1 ? 'field is' : 'fields are'} checked in every document; the others are inferred.`
          : 'Nothing: types are inferred from the documents.'}
      </Fact>
    </dl>
  );
}

function LanguageFact({ collection, facts }: { collection: number; facts: LanguageFacts }) {
  if (facts === undefined) return '…';
  if (facts === 'failed') return 'It could not be fetched.';
  const { language, acting_language, detected_language, detected_documents } = facts;
  const detected = detected_language && detectedText(detected_language, detected_documents);
  const acting = languageName(acting_language);
  if (language !== null)
    return detected && detected_language !== language
      ? `${acting}, as it was set. ${detected}.`
      : `${acting}, as it was set.`;
  if (detected_language === acting_language) return `${detected}.`;
  return (
    <>
      {detected ? `${detected}, but read as ${acting} until it is` : `Read as ${acting}. Another one is`}{' '}
      <AnchorLink
        to="/collections/$id"
        params={{ id: collection }}
        search={{ tab: 'tuning' }}
        size="sm"
        underline="always"
      >
        set in Tuning
      </AnchorLink>
      .
    </>
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
