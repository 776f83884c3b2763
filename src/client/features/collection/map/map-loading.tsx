import { Paper, Progress, Text } from '@mantine/core';
import classes from './map-view.module.css';

/** Where the map will be. `share`: of the work, from 0 to 1; null: it is not known. */
export function MapLoading({ what, share }: { what: string; share: number | null }) {
  return (
    <Paper withBorder className={classes['plane'] ?? ''}>
      <div className={classes['waiting']} role="status">
        <Text size="sm">{what} …</Text>
        <Progress
          value={share === null ? 100 : share * 100}
          animated={share === null}
          striped={share === null}
          size="sm"
          w="14rem"
          maw="100%"
          aria-hidden="true"
        />
      </div>
    </Paper>
  );
}
