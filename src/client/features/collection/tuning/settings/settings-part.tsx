import { Button, Group, SegmentedControl, Slider, Switch, Text } from '@mantine/core';
import { Disclosure } from '#client/components/display/disclosure.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { searchDefaults } from '#shared/search-parameters.ts';
import type { ShownSettings } from '#shared/search-settings.ts';
import { SaveButton } from '../save-button.tsx';
import { settingsWith } from '../tuning-draft.ts';
import type { Tuning } from '../use-tuning.ts';
import { NumberField } from './number-field.tsx';
import { RankingConstants } from './ranking-constants.tsx';
import { SettingRow } from './setting-row.tsx';
import classes from './settings-part.module.css';
import { type SettingsView, settingsView } from './settings-view.ts';
import { WordSettings } from './word-settings.tsx';

interface SettingsPartProps {
  collection: number;
  tuning: Tuning;
  saved: ShownSettings;
  /** Fields with texts. */
  known: string[];
}

/** How the collection is searched unless a search says otherwise. */
export function SettingsPart({ collection, tuning, saved, known }: SettingsPartProps) {
  const view = settingsView(saved, tuning);
  return (
    <div>
      <Text size="sm" c="dimmed" pb="md">
        They hold for every search that does not say otherwise, of this page and of the API.
      </Text>
      <WordSettings view={view} known={known} />
      <MeaningSettings view={view} />
      <RuleSettings view={view} />
      <div className={classes['more']}>
        <Disclosure label="Constants of the ranking">
          <RankingConstants
            values={view.value('ranking')}
            onChange={(values) => view.set('ranking', values)}
          />
        </Disclosure>
      </div>
      <SaveBar {...{ collection, tuning, saved }} />
    </div>
  );
}

function MeaningSettings({ view: { value, set, row } }: { view: SettingsView }) {
  const alpha = value('alpha') ?? searchDefaults.alpha;
  return (
    <>
      <SettingRow
        label="Meaning against words"
        description="In hybrid search: how much of a hit's score is its meaning, and how much its words."
        defaultText="half and half"
        {...row('alpha')}
      >
        <div className={classes['alpha']}>
          <Text size="xs" c="dimmed" aria-hidden="true">
            words
          </Text>
          <Slider
            className={classes['slider'] ?? ''}
            min={0}
            max={1}
            step={0.05}
            size="sm"
            label={(share) => share.toFixed(2)}
            thumbLabel="Meaning against words"
            value={alpha}
            onChange={(share) => set('alpha', share === searchDefaults.alpha ? null : share)}
          />
          <Text size="xs" c="dimmed" className={classes['meaning'] ?? ''}>
            meaning {alpha.toFixed(2)}
          </Text>
        </div>
      </SettingRow>
      <SettingRow
        label="How both are put together"
        description="By scores, which say how well a document fits; or by places alone, where scores do not compare."
        defaultText="by scores"
        {...row('fusion')}
      >
        <SegmentedControl
          size="xs"
          aria-label="How words and meaning are put together"
          data={[
            { value: 'weighted', label: 'By scores' },
            { value: 'rrf', label: 'By places (RRF)' },
          ]}
          value={value('fusion') ?? searchDefaults.fusion}
          onChange={(fusion) => set('fusion', fusion === 'rrf' ? 'rrf' : null)}
        />
      </SettingRow>
      <SettingRow
        label="Least relevance"
        description="Hits with less are left out, of searches whose relevance is calibrated: the tab Relevance does that."
        defaultText="any"
        {...row('min_relevance')}
      >
        <NumberField
          w="8rem"
          aria-label="Least relevance"
          placeholder="any"
          value={value('min_relevance')}
          range={{ min: 0, max: 1 }}
          onChange={(least) => set('min_relevance', least)}
        />
      </SettingRow>
    </>
  );
}

function RuleSettings({ view: { value, set, row } }: { view: SettingsView }) {
  const rules = [
    { name: 'enable_synonyms', label: 'Synonyms act' },
    { name: 'enable_overrides', label: 'Overrides act' },
  ] as const;
  return rules.map(({ name, label }) => (
    <SettingRow
      key={name}
      label={label}
      description="Switched off, they stay as they are and change no search."
      defaultText="yes"
      {...row(name)}
    >
      <Switch
        aria-label={label}
        label={(value(name) ?? true) ? 'Yes' : 'No'}
        checked={value(name) ?? true}
        onChange={(event) => set(name, event.currentTarget.checked ? null : false)}
      />
    </SettingRow>
  ));
}

/** Stays in sight, so that what is changed is not forgotten. */
function SaveBar({ collection, tuning, saved }: Omit<SettingsPartProps, 'known'>) {
  const update = trpc.searchSettings.update.useMutation({
    meta: { changes: 'searchSettings' },
    onSuccess: () => {
      tuning.setSettings({});
      toast({ title: 'Search settings saved', description: 'Every search has them from now on.' });
    },
  });
  const send = useOnce(update.mutateAsync, () => tuning.draft.settings);
  const count = Object.keys(tuning.draft.settings).length;
  if (count === 0) return null;
  return (
    <div className={classes['save']}>
      {update.error && <FormFailure error={update.error} fallback="The settings could not be saved" />}
      <Group justify="space-between" gap="xs">
        <Text size="sm">{count === 1 ? 'One setting is changed' : `${count} settings are changed`}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={() => tuning.setSettings({})}>
            Discard
          </Button>
          <SaveButton
            loading={update.isPending}
            onClick={() => send({ collection, ...settingsWith(saved, tuning.draft.settings) })}
          >
            Save settings
          </SaveButton>
        </Group>
      </Group>
    </div>
  );
}
