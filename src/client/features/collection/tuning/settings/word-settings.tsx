import { SegmentedControl, Switch } from '@mantine/core';
import { languageName } from '#client/lib/language-name.ts';
import { searchDefaults } from '#shared/search-parameters.ts';
import { ChoiceField } from './choice-field.tsx';
import { FieldWeights } from './field-weights.tsx';
import { LanguageField } from './language-field.tsx';
import { NumberField } from './number-field.tsx';
import { SettingRow } from './setting-row.tsx';
import type { SettingsView } from './settings-view.ts';
import { StopWordsField } from './stop-words-field.tsx';

const matches = {
  auto: { label: 'Automatic', effect: 'All words of a short query, most of the words of a long one.' },
  all: { label: 'All', effect: 'Every word has to be in a document.' },
  any: { label: 'Any', effect: 'One of the words is enough.' },
};

const breaks = {
  off: { label: 'Never', effect: 'Words are looked for as they are typed.' },
  fallback: {
    label: 'Where few are found',
    effect: 'Where few documents are found, “note book” finds “notebook” too, and the other way round.',
  },
  always: {
    label: 'Always',
    effect: '“note book” finds “notebook”, and the other way round, however many documents are found.',
  },
};

const typos = ['None', 'One', 'Two'];

/** How words are searched for. */
export function WordSettings({ view, known }: { view: SettingsView; known: string[] }) {
  const { saved, value, set, row } = view;
  const match = value('match') ?? searchDefaults.match;
  const split = value('split_join_tokens') ?? searchDefaults.split_join_tokens;
  const prefix = value('prefix') ?? searchDefaults.prefix;
  return (
    <>
      <SettingRow
        label="Fields that are searched"
        description="Where words are looked for, and how much a match there counts against the other fields."
        defaultText="all texts"
        {...row('query_by')}
      >
        <FieldWeights
          fields={value('query_by')}
          weights={value('query_by_weights')}
          known={known}
          onChange={(fields, weights) => {
            set('query_by', fields);
            set('query_by_weights', weights);
          }}
        />
      </SettingRow>
      <SettingRow
        label="How many of the words have to match"
        description="Fewer find more, and less exactly."
        defaultText="automatic"
        {...row('match')}
      >
        <ChoiceField
          label="How many of the words have to match"
          choices={matches}
          value={match}
          onChange={(next) => set('match', next === searchDefaults.match ? null : next)}
        />
      </SettingRow>
      <SettingRow
        label="Typos that are forgiven in a word"
        description="One from four letters on, two from eight: “alein” then finds “alien”."
        defaultText="two"
        {...row('num_typos')}
      >
        <SegmentedControl
          size="xs"
          aria-label="Typos that are forgiven in a word"
          data={typos.map((label, i) => ({ value: String(i), label }))}
          value={String(value('num_typos') ?? searchDefaults.num_typos)}
          onChange={(next) =>
            set('num_typos', Number(next) === searchDefaults.num_typos ? null : Number(next))
          }
        />
      </SettingRow>
      <SettingRow
        label="The last word may be unfinished"
        description="For a search that answers while somebody types: “rob” finds “robot”."
        defaultText="yes"
        {...row('prefix')}
      >
        <Switch
          label={prefix ? 'Longer words that begin so are found too' : 'Whole words only'}
          checked={prefix}
          onChange={(event) =>
            set('prefix', event.currentTarget.checked === searchDefaults.prefix ? null : !prefix)
          }
        />
      </SettingRow>
      <SettingRow
        label="Words written in one or in two"
        description="Whether they find each other, behind what is written as it was typed."
        defaultText="where few documents are found"
        {...row('split_join_tokens')}
      >
        <ChoiceField
          label="Words written in one or in two"
          choices={breaks}
          value={split}
          onChange={(next) =>
            set('split_join_tokens', next === searchDefaults.split_join_tokens ? null : next)
          }
        />
      </SettingRow>
      <SettingRow
        label="Words may be left out of a query that finds little"
        description="Until there are so many hits, the search is tried with fewer of its words. 0: never."
        defaultText={`up to ${searchDefaults.drop_tokens_threshold} hit`}
        {...row('drop_tokens_threshold')}
      >
        <NumberField
          w="8rem"
          aria-label="Hits that are enough"
          placeholder={String(searchDefaults.drop_tokens_threshold)}
          value={value('drop_tokens_threshold')}
          range={{ min: 0, max: 1_000_000, isWhole: true }}
          onChange={(hits) => set('drop_tokens_threshold', hits)}
        />
      </SettingRow>
      <SettingRow
        label="Words that are left out of every query"
        description="“the”, “of” and the like say little, and would match everywhere."
        defaultText="those of the language"
        {...row('stop_words')}
      >
        <StopWordsField value={value('stop_words')} onChange={(words) => set('stop_words', words)} />
      </SettingRow>
      <SettingRow
        label="Language of the texts"
        description="Says which words are forms of one, and which are left out of queries. The index is made anew when it changes."
        defaultText={
          saved.language === null ? languageName(saved.acting_language) : 'as detected, or English'
        }
        {...row('language')}
      >
        <LanguageField
          value={value('language')}
          saved={saved}
          onChange={(language) => set('language', language)}
        />
      </SettingRow>
    </>
  );
}
