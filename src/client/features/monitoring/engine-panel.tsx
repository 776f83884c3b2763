import { List, Text } from '@mantine/core';
import { Disclosure } from '#client/components/display/disclosure.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { useEngine } from '#client/lib/use-engine.ts';
import { capabilityNames, capabilityTexts } from '#shared/search-engine-texts.ts';
import classes from './engine-panel.module.css';

/** What an engine other than the one in the server does not do, or does otherwise. */
export function EnginePanel() {
  const engine = useEngine();
  if (engine === undefined || engine.engine === 'embedded') return null;
  const lacking = capabilityNames
    .filter((name) => !engine.capabilities[name])
    .map((name) => capabilityTexts[name] as { refused?: string; otherwise?: string });
  return (
    <Panel
      title="Search engine"
      detail={
        <Text size="sm" c="dimmed">
          OpenSearch
        </Text>
      }
    >
      <Text size="sm" c="dimmed">
        A search cluster keeps the indexes; the record of all documents stays in Postgres.
      </Text>
      <div className={classes['differences']}>
        <Disclosure label="What it does not do, or does otherwise">
          <Differences title="Refused" of={lacking.flatMap(({ refused }) => refused ?? [])} />
          <Differences title="Otherwise" of={lacking.flatMap(({ otherwise }) => otherwise ?? [])} />
        </Disclosure>
      </div>
    </Panel>
  );
}

function Differences({ title, of }: { title: string; of: string[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <Text component="h3" size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" mb="md">
        {of.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </>
  );
}
