import { Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import { useImportJobs } from '#client/lib/imports/import-jobs.ts';
import { useLoadSample } from '#client/lib/imports/use-load-sample.ts';
import { type SampleName, sampleNames, sampleSets } from '#shared/sample-sets.ts';
import { Icon, type IconShape } from '../display/icon.tsx';
import { movieIcon, paletteIcon, shoppingBagIcon } from '../display/icon-shapes.gen.ts';
import classes from './sample-offers.module.css';

const icons: Record<SampleName, IconShape> = {
  films: movieIcon,
  artworks: paletteIcon,
  products: shoppingBagIcon,
};

interface SampleOffersProps {
  /** Where to; absent: the chosen project, or the first. */
  projectId?: number | undefined;
  /** False: it is said elsewhere what they are. */
  withLead?: boolean;
  /** One was taken. */
  onLoad?: () => void;
}

/** Three collections to begin with, each loaded by one click. */
export function SampleOffers({ projectId, withLead = true, onLoad }: SampleOffersProps) {
  const load = useLoadSample();
  const jobs = useImportJobs();
  const isLoading = (sample: SampleName) =>
    jobs.some(({ key, state }) => key === `sample:${sample}:` && state === 'running');
  return (
    <section aria-label="Sample data" className={classes['root']} data-plain={!withLead || undefined}>
      {withLead && (
        <Text size="sm" c="dimmed" ta="center">
          No data at hand? Load a sample, it takes seconds and no network.
        </Text>
      )}
      <ul className={classes['list']}>
        {sampleNames.map((sample) => (
          <li key={sample}>
            <button
              type="button"
              className={classes['offer']}
              aria-label={`Load the sample ${sampleSets[sample].title}`}
              aria-busy={isLoading(sample)}
              onClick={() => {
                load(sample, projectId);
                onLoad?.();
              }}
            >
              <span className={classes['icon']}>
                <Icon shape={icons[sample]} size={20} />
              </span>
              <span className={classes['words']}>
                <span className={classes['title']}>{sampleSets[sample].title}</span>
                <span className={classes['summary']}>{sampleSets[sample].summary}</span>
                <span className={classes['count']}>
                  {isLoading(sample) ? 'Loading…' : `${formatNumber(sampleSets[sample].documents)} documents`}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
